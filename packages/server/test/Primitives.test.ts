import { cryptoSuite } from "@frontdesk/testing/suite/cryptoSuite"
import * as Primitives from "../src/Primitives.ts"

cryptoSuite("the primitives of Node", Primitives.layer)

import { cryptoSuite } from "@frontdesk/testing/suite/cryptoSuite"
import { secretBoxSuite } from "@frontdesk/testing/suite/secretBoxSuite"
import * as Primitives from "../src/Primitives.ts"
import * as Secrets from "../src/Secrets.ts"

cryptoSuite("the primitives of Node", Primitives.layer)

secretBoxSuite("the primitives of Node", Secrets.layer)

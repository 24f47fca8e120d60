import { cryptoSuite } from "@frontdesk/testing/suite/cryptoSuite"
import { secretBoxSuite } from "@frontdesk/testing/suite/secretBoxSuite"
import * as NodeCrypto from "../src/NodeCrypto.ts"
import * as Secrets from "../src/Secrets.ts"

cryptoSuite("the primitives of Node", NodeCrypto.layer)

secretBoxSuite("the primitives of Node", Secrets.layer)

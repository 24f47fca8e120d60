import { cryptoSuite } from "@frontdesk/testing/suite/cryptoSuite"
import { secretBoxSuite } from "@frontdesk/testing/suite/secretBoxSuite"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import * as Secrets from "frontdesk/Secrets"

cryptoSuite("the primitives of Node", NodeCrypto.layer)

secretBoxSuite("the primitives of Node", Secrets.layer)

import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { cryptoSuite } from "@frontdesk/testing/suite/cryptoSuite"

cryptoSuite("Web Crypto", Crypto.layerWebCrypto)

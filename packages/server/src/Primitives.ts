import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Layer from "effect/Layer"

/** The cryptographic primitives of Node. */
export const layer: Layer.Layer<Crypto> = Crypto.layer.pipe(
  Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac, NodeCrypto.layerSecureRandom])
)

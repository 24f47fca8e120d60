import { createHmac } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const primitives = Crypto.layer.pipe(
  Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac, NodeCrypto.layerSecureRandom])
)

/** The cryptographic primitives of Node. Signatures of webhooks come from `node:crypto` without a detour over bytes. */
export const layer: Layer.Layer<Crypto> = Layer.effect(
  Crypto,
  Effect.map(Crypto, (crypto) =>
    Crypto.of({
      ...crypto,
      hmacSha256Hex: (key, data) => Effect.sync(() => createHmac("sha256", key).update(data).digest("hex"))
    })
  )
).pipe(Layer.provide(primitives))

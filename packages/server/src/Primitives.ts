import { createHmac, hash } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const primitives = Crypto.layer.pipe(
  Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac, NodeCrypto.layerSecureRandom])
)

/**
 * The cryptographic primitives of Node.
 *
 * Every request needs digests, so they come from `node:crypto` directly: the services of effect copy keys and results.
 */
export const layer: Layer.Layer<Crypto> = Layer.effect(
  Crypto,
  Effect.map(Crypto, (crypto) =>
    Crypto.of({
      ...crypto,
      sha256: (data) => Effect.sync(() => hash("sha256", data, "buffer")),
      hmacSha256: (key, data) => Effect.sync(() => createHmac("sha256", key).update(data).digest()),
      hmacSha256Hex: (key, data) => Effect.sync(() => createHmac("sha256", key).update(data).digest("hex"))
    })
  )
).pipe(Layer.provide(primitives))

import { createCipheriv, createDecipheriv, createHmac, hash } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Aead from "effect/crypto/Aead"

const primitives = Crypto.layer.pipe(
  Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac, NodeCrypto.layerSecureRandom])
)

/**
 * Provides the cryptographic primitives of Node.
 *
 * Digests come from `node:crypto` directly, because every request needs some and the services of effect copy keys and
 * results.
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

const tagLength = 16

/** AES-256-GCM of `node:crypto`. It is synchronous, unlike Web Crypto, so a transaction does not wait for another thread. */
const aes256Gcm: Aead.Implementation = {
  encrypt: (key, nonce, plaintext, aad) => {
    const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength }).setAAD(aad)
    return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  },
  decrypt: (key, nonce, ciphertext, aad) => {
    const end = ciphertext.length - tagLength
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength })
    decipher.setAAD(aad).setAuthTag(ciphertext.subarray(end))
    const plaintext = decipher.update(ciphertext.subarray(0, end))
    try {
      return Buffer.concat([plaintext, decipher.final()])
    } catch {
      return undefined
    }
  }
}

/** Provides the encryption that seals and opens secrets, with AES-256-GCM of `node:crypto`. */
export const layerAead: Layer.Layer<Aead.Aead> = Aead.layerWebCryptoWith({ implementations: { aes256Gcm } }).pipe(
  Layer.provide(NodeCrypto.layerSecureRandom)
)

import { createCipheriv, createDecipheriv, createHmac, hash, randomFillSync, randomUUID } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Aead from "effect/crypto/Aead"
import * as SecureRandom from "effect/crypto/SecureRandom"

const primitives = Crypto.layer.pipe(
  Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerMac, NodeCrypto.layerSecureRandom])
)

/**
 * Returns a function that returns random bytes for ids. It asks the system for 4 KiB at once, because one call costs more
 * than the id that needs 16 bytes. Bytes that it has returned are erased. Keys and secrets are not made from it
 * (D-SRV-20).
 */
const pooledBytes = (): ((size: number) => Uint8Array) => {
  const pool = new Uint8Array(4_096)
  let used = pool.length
  return (size) => {
    if (used + size > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + size)
    pool.fill(0, used, used + size)
    used += size
    return bytes
  }
}

/**
 * Provides the cryptographic primitives of Node.
 *
 * Digests and random UUIDs come from `node:crypto` directly, because every request needs some and the services of effect
 * copy keys and results. Digests are computed at once, so that a fiber needs no step for them.
 */
export const layer: Layer.Layer<Crypto> = Layer.effect(
  Crypto,
  Effect.map(Crypto, (crypto) => {
    const ids = SecureRandom.make(pooledBytes())
    return Crypto.of({
      ...crypto,
      sha256: (data) => Effect.succeed(hash("sha256", data, "buffer")),
      sha256Hex: (data) => Effect.succeed(hash("sha256", data, "hex")),
      hmacSha256: (key, data) => Effect.succeed(createHmac("sha256", key).update(data).digest()),
      hmacSha256Hex: (key, data) => Effect.succeed(createHmac("sha256", key).update(data).digest("hex")),
      hmacSha256Base64Url: (key, data) => Effect.succeed(createHmac("sha256", key).update(data).digest("base64url")),
      uuid: Effect.sync(() => randomUUID()),
      uuidV7: ids.uuidV7()
    })
  })
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

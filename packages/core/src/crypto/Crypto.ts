import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Utf8 from "../values/Utf8.ts"

/**
 * Port: the cryptographic functions that core needs.
 *
 * `layer` uses the services of `effect/crypto`, which have native implementations. `layerWebCrypto` works in every current
 * JavaScript runtime. A runtime without these functions causes a defect, because no caller can handle that.
 */
export class Crypto extends Context.Service<
  Crypto,
  {
    /** Returns the SHA-256 of the data, 32 bytes. */
    readonly sha256: (data: Uint8Array) => Effect.Effect<Uint8Array>
    /**
     * Returns the SHA-256 of the data in lower-case hexadecimal. This method and the next two exist because native code
     * returns text faster than bytes.
     */
    readonly sha256Hex: (data: Uint8Array) => Effect.Effect<string>
    /** Returns the HMAC-SHA-256 of the data, 32 bytes. The key must have at least one byte. */
    readonly hmacSha256: (key: Uint8Array, data: Uint8Array) => Effect.Effect<Uint8Array>
    /** Returns the HMAC-SHA-256 of the data in lower-case hexadecimal. The key is the UTF-8 of a text that is not empty. */
    readonly hmacSha256Hex: (key: string, data: Uint8Array) => Effect.Effect<string>
    /** Returns the HMAC-SHA-256 of the data in base64url without padding. The key must have at least one byte. */
    readonly hmacSha256Base64Url: (key: Uint8Array, data: Uint8Array) => Effect.Effect<string>
    /** Returns `size` unpredictable bytes. */
    readonly randomBytes: (size: number) => Effect.Effect<Uint8Array>
    /** Returns a new random UUID (version 4), in lower case. */
    readonly uuid: Effect.Effect<string>
    /** Returns a new UUID that sorts by time (version 7), in lower case. */
    readonly uuidV7: Effect.Effect<string>
  }
>()("@frontdesk/core/crypto/Crypto") {
  /** The port over the services of `effect/crypto`, for example those of Node. */
  static readonly layer: Layer.Layer<Crypto, never, Digest.Digest | Mac.Mac | SecureRandom.SecureRandom> = Layer.effect(
    Crypto,
    Effect.gen(function* () {
      const digest = yield* Digest.Digest
      const mac = yield* Mac.Mac
      const random = yield* SecureRandom.SecureRandom
      const hmacSha256 = (key: Uint8Array, data: Uint8Array) =>
        Mac.key(Mac.hmacSha256, key).pipe(
          Effect.flatMap((macKey) => mac.sign(macKey, data)),
          Effect.orDie
        )
      const sha256 = (data: Uint8Array) => digest.digest(Digest.sha256, data)
      return Crypto.of({
        sha256,
        sha256Hex: (data) => Effect.map(sha256(data), Hex.encode),
        hmacSha256,
        hmacSha256Hex: (key, data) => Effect.map(hmacSha256(Utf8.encode(key), data), Hex.encode),
        hmacSha256Base64Url: (key, data) => Effect.map(hmacSha256(key, data), Base64Url.encode),
        randomBytes: random.randomBytes,
        uuid: Effect.suspend(() => random.uuidV4()),
        uuidV7: Effect.suspend(() => random.uuidV7())
      })
    })
  )

  /** The port over Web Crypto, which every current JavaScript runtime has. */
  static readonly layerWebCrypto: Layer.Layer<Crypto> = Crypto.layer.pipe(
    Layer.provide([
      Digest.layerWebCrypto,
      Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)),
      SecureRandom.layerWebCrypto
    ])
  )
}

/**
 * Returns whether two byte strings are equal. Its time depends only on their lengths, so it reveals no bytes of a secret.
 */
export const timingSafeEqual: (a: Uint8Array, b: Uint8Array) => boolean = Mac.timingSafeEqual

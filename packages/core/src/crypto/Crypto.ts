import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Hex from "effect/encoding/Hex"
import * as Utf8 from "../values/Utf8.ts"

/**
 * Port: the few cryptographic primitives the domain needs.
 *
 * `layer` takes them from `effect/crypto`, so that a runtime with native code can be plugged in; `layerWebCrypto` runs
 * anywhere. A runtime without working primitives is a defect, not an error.
 */
export class Crypto extends Context.Service<
  Crypto,
  {
    /** The 32 bytes of SHA-256. */
    readonly sha256: (data: Uint8Array) => Effect.Effect<Uint8Array>
    /** The 32 bytes of HMAC-SHA-256 under a key of at least one byte. */
    readonly hmacSha256: (key: Uint8Array, data: Uint8Array) => Effect.Effect<Uint8Array>
    /**
     * HMAC-SHA-256 in lower-case hexadecimal under the UTF-8 bytes of a text that is not empty. A method of its own,
     * because native code gives it in less time than the bytes.
     */
    readonly hmacSha256Hex: (key: string, data: Uint8Array) => Effect.Effect<string>
    /** Unpredictable bytes. */
    readonly randomBytes: (size: number) => Effect.Effect<Uint8Array>
    /** A random UUID (version 4), in lower case. */
    readonly uuid: Effect.Effect<string>
    /** A UUID that sorts by time (version 7), in lower case. */
    readonly uuidV7: Effect.Effect<string>
  }
>()("@frontdesk/core/crypto/Crypto") {
  /** The primitives of the `effect/crypto` services given, for example those of Node. */
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
      return Crypto.of({
        sha256: (data) => digest.digest(Digest.sha256, data),
        hmacSha256,
        hmacSha256Hex: (key, data) => Effect.map(hmacSha256(Utf8.encode(key), data), Hex.encode),
        randomBytes: random.randomBytes,
        uuid: Effect.suspend(() => random.uuidV4()),
        uuidV7: Effect.suspend(() => random.uuidV7())
      })
    })
  )

  /** The primitives of Web Crypto, present in every current JavaScript runtime. */
  static readonly layerWebCrypto: Layer.Layer<Crypto> = Crypto.layer.pipe(
    Layer.provide([
      Digest.layerWebCrypto,
      Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)),
      SecureRandom.layerWebCrypto
    ])
  )
}

/** Compares byte strings in time that depends on their lengths alone. */
export const timingSafeEqual: (a: Uint8Array, b: Uint8Array) => boolean = Mac.timingSafeEqual

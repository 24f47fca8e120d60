import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Aead from "effect/crypto/Aead"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Utf8 from "../values/Utf8.ts"
import { Crypto } from "./Crypto.ts"
import type { Keyring, KeyVersion } from "./Keyring.ts"
import { SecretUnreadable } from "./SecretError.ts"

/** A secret as it is stored: sealed, or plain when the keyring has no current key. `SecretBox.seal` returns it. */
export const StoredText = Schema.String.pipe(Schema.brand("StoredText"))

/** A secret as it is stored. */
export type StoredText = typeof StoredText.Type

/**
 * Seals secrets before they are stored, and opens them when they are used (D-SEC-1). Services use it before they call a
 * store, so no storage has to encrypt anything.
 *
 * The context is the purpose and the owner of a secret (`SecretContext`). A secret opens only with the context with which
 * it was sealed.
 */
export interface SecretBox {
  /** The version of the key that seals new secrets. Null when new secrets are stored plain. */
  readonly version: KeyVersion | null
  /** Returns the text to store for a secret. A sealed text differs each time, because it has a random nonce. */
  readonly seal: (secret: Redacted.Redacted<string>, context: string) => Effect.Effect<Redacted.Redacted<StoredText>>
  /** Returns the secret of a stored text. A plain text opens too when there is a key now. Fails with `SecretUnreadable`. */
  readonly open: (
    stored: Redacted.Redacted<string>,
    context: string
  ) => Effect.Effect<Redacted.Redacted<string>, SecretUnreadable>
}

// sealed:1:<key version>:<base64url of nonce, ciphertext and tag>. The 1 means AES-256-GCM with a nonce of 96 bits.
const sealedForm = /^sealed:1:([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]{38,})$/

// A plain secret that looks sealed is stored with the prefix `plain:`, because opening it would fail otherwise. A plain
// secret that looks like such a stored text needs the prefix too.
const encodedForm = /^(?:plain:)*sealed:/
const plainPrefix = "plain:"

const nonceLength = 12

/** Returns whether a stored text differs from its secret: it is sealed, or it has the prefix `plain:`. */
export const needsOpening = (stored: string): boolean => encodedForm.test(stored)

/**
 * Returns the version of the key that sealed a stored text. Null when the text is plain, or too damaged to have a version.
 */
export const versionOf = (stored: string): string | null => sealedForm.exec(stored)?.[1] ?? null

/** Returns a secret in the form in which it is stored without a key. */
export const encodePlain = (secret: Redacted.Redacted<string>): Redacted.Redacted<StoredText> => {
  const text = Redacted.value(secret)
  return Redacted.make(StoredText.make(needsOpening(text) ? plainPrefix + text : text))
}

const open =
  (
    decryptWith: (
      version: string
    ) => ((sealed: Uint8Array, aad: Uint8Array) => Effect.Effect<Uint8Array, unknown>) | null
  ) =>
  (stored: Redacted.Redacted<string>, context: string): Effect.Effect<Redacted.Redacted<string>, SecretUnreadable> => {
    const text = Redacted.value(stored)
    if (!needsOpening(text)) return Effect.succeed(stored)
    if (text.startsWith(plainPrefix)) return Effect.succeed(Redacted.make(text.slice(plainPrefix.length)))
    const [, version, payload] = sealedForm.exec(text) ?? []
    if (version === undefined || payload === undefined) {
      return Effect.fail(new SecretUnreadable({ kind: "damaged", version: null }))
    }
    const decrypt = decryptWith(version)
    if (decrypt === null) return Effect.fail(new SecretUnreadable({ kind: "unknown_key", version }))
    const damaged = new SecretUnreadable({ kind: "damaged", version })
    const sealed = Result.getOrElse(Base64Url.decode(payload), () => new Uint8Array())
    // The last character of base64url may have unused bits. A change of them must be found like any other change.
    if (Base64Url.encode(sealed) !== payload) return Effect.fail(damaged)
    return decrypt(sealed, associatedData(version, context)).pipe(
      Effect.map((bytes) => Utf8.decode(bytes)),
      Effect.filterOrFail((secret) => secret !== null),
      Effect.map((secret) => Redacted.make(secret)),
      Effect.mapError(() => damaged)
    )
  }

/** Returns the data that is authenticated with the secret: the form, the key version and the context (D-SEC-1). */
const associatedData = (version: string, context: string): Uint8Array => Utf8.encode(`sealed:1:${version}:${context}`)

/**
 * Seals and opens secrets. The default has no key: it stores new secrets plain, and fails to open sealed ones.
 */
export const SecretBox = Context.Reference<SecretBox>("@frontdesk/core/crypto/SecretBox", {
  defaultValue: () => ({
    version: null,
    seal: (secret) => Effect.succeed(encodePlain(secret)),
    open: open(() => null)
  })
})

/** The box that seals with the current key of a keyring and opens with all its keys, by AES-256-GCM with random nonces. */
export const layer = (keyring: Keyring): Layer.Layer<never, never, Aead.Aead | Crypto> =>
  Layer.effect(
    SecretBox,
    Effect.gen(function* () {
      const aead = yield* Aead.Aead
      const { randomBytes } = yield* Crypto
      const keys = new Map<string, Aead.Key>()
      for (const { bytes, version } of keyring.keys) {
        keys.set(version, yield* Effect.orDie(Aead.key(Aead.aes256Gcm, Redacted.value(bytes))))
      }
      const version = keyring.current?.version ?? null
      const current = version === null ? undefined : keys.get(version)

      const seal = Effect.fnUntraced(function* (secret: Redacted.Redacted<string>, context: string) {
        if (version === null || current === undefined) return encodePlain(secret)
        const nonce = yield* randomBytes(nonceLength)
        const aad = associatedData(version, context)
        const sealed = yield* aead.encrypt(current, Utf8.encode(Redacted.value(secret)), { nonce, aad })
        const payload = new Uint8Array(nonceLength + sealed.length)
        payload.set(nonce)
        payload.set(sealed, nonceLength)
        return Redacted.make(StoredText.make(`sealed:1:${version}:${Base64Url.encode(payload)}`))
      }, Effect.orDie)

      return {
        version,
        seal,
        open: open((name) => {
          const key = keys.get(name)
          if (key === undefined) return null
          return (sealed, aad) =>
            aead.decrypt(key, sealed.subarray(nonceLength), { nonce: sealed.subarray(0, nonceLength), aad })
        })
      }
    })
  )

/** The box of {@link layer} over Web Crypto, which every current JavaScript runtime has. */
export const layerWebCrypto = (keyring: Keyring): Layer.Layer<never, never, Crypto> =>
  layer(keyring).pipe(Layer.provide(Aead.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))))

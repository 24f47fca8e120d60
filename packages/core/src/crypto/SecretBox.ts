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

/** A secret text as it is kept: sealed, or plain where no key is given. Only `SecretBox.seal` makes one. */
export const StoredText = Schema.String.pipe(Schema.brand("StoredText"))

/** A secret text as it is kept. */
export type StoredText = typeof StoredText.Type

/**
 * Seals secrets before they are kept and opens them when they are used. It stands above the stores, so that every
 * storage is given ciphertext and needs to know nothing of it.
 *
 * A context names the purpose and the owner of a secret (see `SecretContext`); what was sealed for one opens for no
 * other.
 */
export interface SecretBox {
  /** The version of the key that seals; null when new secrets are kept plain. */
  readonly version: KeyVersion | null
  /** A text to keep, another one each time. */
  readonly seal: (secret: Redacted.Redacted<string>, context: string) => Effect.Effect<Redacted.Redacted<StoredText>>
  /** The secret of a kept text; one that was kept plain is its own, also when there is a key now. */
  readonly open: (
    stored: Redacted.Redacted<string>,
    context: string
  ) => Effect.Effect<Redacted.Redacted<string>, SecretUnreadable>
}

// sealed:1:<key version>:<base64url of nonce, ciphertext and tag>; the 1 stands for AES-256-GCM with a nonce of 96 bits.
const sealedForm = /^sealed:1:([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_-]{38,})$/

// A plain text that would look sealed is kept behind `plain:`, and so is one that would look like that.
const notItsOwn = /^(?:plain:)*sealed:/
const plainMark = "plain:"

const nonceLength = 12

/** Whether opening a kept text gives another one; if not, it is the secret itself. */
export const needsOpening = (stored: string): boolean => notItsOwn.test(stored)

/** The version of the key that sealed a kept text; null when it is plain, or too damaged to name one. */
export const versionOf = (stored: string): string | null => sealedForm.exec(stored)?.[1] ?? null

/** A secret as it is kept without a key. */
export const encodePlain = (secret: Redacted.Redacted<string>): Redacted.Redacted<StoredText> => {
  const text = Redacted.value(secret)
  return Redacted.make(StoredText.make(needsOpening(text) ? plainMark + text : text))
}

const open =
  (opener: (version: string) => ((sealed: Uint8Array, aad: Uint8Array) => Effect.Effect<Uint8Array, unknown>) | null) =>
  (stored: Redacted.Redacted<string>, context: string): Effect.Effect<Redacted.Redacted<string>, SecretUnreadable> => {
    const text = Redacted.value(stored)
    if (!needsOpening(text)) return Effect.succeed(stored)
    if (text.startsWith(plainMark)) return Effect.succeed(Redacted.make(text.slice(plainMark.length)))
    const [, version, payload] = sealedForm.exec(text) ?? []
    if (version === undefined || payload === undefined) {
      return Effect.fail(new SecretUnreadable({ kind: "damaged", version: null }))
    }
    const decrypt = opener(version)
    if (decrypt === null) return Effect.fail(new SecretUnreadable({ kind: "unknown_key", version }))
    const damaged = new SecretUnreadable({ kind: "damaged", version })
    const sealed = Result.getOrElse(Base64Url.decode(payload), () => new Uint8Array())
    // Some bits of the last character mean nothing; those too are refused when they were changed.
    if (Base64Url.encode(sealed) !== payload) return Effect.fail(damaged)
    return decrypt(sealed, associated(version, context)).pipe(
      Effect.map((bytes) => Utf8.decode(bytes)),
      Effect.filterOrFail((secret) => secret !== null),
      Effect.map((secret) => Redacted.make(secret)),
      Effect.mapError(() => damaged)
    )
  }

/** What is authenticated beside the secret: how it was sealed, and for whom. */
const associated = (version: string, context: string): Uint8Array => Utf8.encode(`sealed:1:${version}:${context}`)

/**
 * What seals and opens secrets. Unless provided there is no key: what is new is kept plain, and what is sealed cannot be
 * opened.
 */
export const SecretBox = Context.Reference<SecretBox>("@frontdesk/core/crypto/SecretBox", {
  defaultValue: () => ({
    version: null,
    seal: (secret) => Effect.succeed(encodePlain(secret)),
    open: open(() => null)
  })
})

/** Seals with the current key of a keyring, AES-256-GCM with random nonces, and opens with all of its keys. */
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
        const aad = associated(version, context)
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

/** The same with Web Crypto, present in every current JavaScript runtime. */
export const layerWebCrypto = (keyring: Keyring): Layer.Layer<never, never, Crypto> =>
  layer(keyring).pipe(Layer.provide(Aead.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))))

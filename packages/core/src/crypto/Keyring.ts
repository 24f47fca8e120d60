import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Crypto } from "./Crypto.ts"

const versionForm = /^[A-Za-z0-9_-]{1,32}$/

/**
 * The name of a key in the keyring: 1 to 32 letters, digits, `-` or `_`. Every secret that the key seals is stored with it.
 */
export const KeyVersion = Schema.String.check(Schema.isPattern(versionForm)).pipe(Schema.brand("KeyVersion"))

/** The name of a key in the keyring. */
export type KeyVersion = typeof KeyVersion.Type

/** A key for AES-256, which has 32 bytes, with its version. */
export const SecretKey = Schema.Struct({ version: KeyVersion, bytes: Schema.Redacted(Schema.Uint8Array) })

/** A key for AES-256 with its version. */
export type SecretKey = typeof SecretKey.Type

/** The keys of an installation (D-SEC-2). The current key seals; every key opens what it sealed. */
export const Keyring = Schema.Struct({
  /** The key that seals new secrets. Null: new secrets are stored plain. */
  current: Schema.NullOr(SecretKey),
  /** Whether the operator wrote `plain` in the place of the first key. It tells that choice from a missing setting. */
  isPlain: Schema.Boolean,
  /** All keys, including the current one. Each version occurs once. */
  keys: Schema.Array(SecretKey)
})

/** The keys of an installation. */
export type Keyring = typeof Keyring.Type

/** The keyring without keys. All secrets are stored plain. */
export const empty: Keyring = { current: null, isPlain: false, keys: [] }

/** The word in the place of the first key that leaves new secrets plain. */
const plain = "plain"

const pairsForm = "version:key pairs separated by commas, each version 1 to 32 letters, digits, - or _"

/** The length of a key, in bytes. */
const keyLength = 32

/**
 * Parses a keyring: `version:key` pairs separated by commas or line breaks. Each key is 32 bytes in base64. The first key
 * seals; the word `plain` in its place leaves new secrets plain (D-SEC-2). An empty text is the {@link empty} keyring.
 *
 * Fails with a description of the expected text. It never repeats the given text, which has secrets.
 */
export const parse = (text: string): Result.Result<Keyring, string> => {
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
  if (parts.length === 0 && text.trim() !== "") return Result.fail(pairsForm)
  const isPlain = parts[0] === plain
  return Result.flatMap(Result.all((isPlain ? parts.slice(1) : parts).map(parseKey)), (keys) => {
    if (new Set(keys.map(({ version }) => version)).size < keys.length) {
      return Result.fail("a different version for each key")
    }
    return Result.succeed({ current: isPlain ? null : (keys[0] ?? null), isPlain, keys })
  })
}

const parseKey = (part: string): Result.Result<SecretKey, string> => {
  const colon = part.indexOf(":")
  const version = part.slice(0, Math.max(0, colon))
  if (!versionForm.test(version) || version === plain) {
    return Result.fail(pairsForm)
  }
  const key = part.slice(colon + 1)
  const bytes = Result.getOrElse(Base64.decode(key), () => new Uint8Array())
  return bytes.length === keyLength
    ? Result.succeed({ version: KeyVersion.make(version), bytes: Redacted.make(bytes, { label: "secret key" }) })
    : Result.fail("keys of 32 bytes in base64; frontdesk secrets generate-key prints one")
}

/** Returns a new key in the form that {@link parse} expects after the version: 32 random bytes in base64. */
export const generateKey: Effect.Effect<Redacted.Redacted<string>, never, Crypto> = Effect.map(
  Effect.flatMap(Crypto, (crypto) => crypto.randomBytes(keyLength)),
  (bytes) => Redacted.make(Base64.encode(bytes), { label: "secret key" })
)

import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Crypto } from "./Crypto.ts"

const versionForm = /^[A-Za-z0-9_-]{1,32}$/

/** The name that tells a key from those before and after it; it is kept beside everything the key seals. */
export const KeyVersion = Schema.String.check(Schema.isPattern(versionForm)).pipe(Schema.brand("KeyVersion"))

/** The name that tells a key from those before and after it. */
export type KeyVersion = typeof KeyVersion.Type

/** A key of AES-256: 32 bytes. */
export const SecretKey = Schema.Struct({ version: KeyVersion, bytes: Schema.Redacted(Schema.Uint8Array) })

/** A key of AES-256: 32 bytes. */
export type SecretKey = typeof SecretKey.Type

/** The keys of an installation: every one opens what it has sealed, the current one seals. */
export const Keyring = Schema.Struct({
  /** Null: what is new is kept plain. */
  current: Schema.NullOr(SecretKey),
  /** Whether it was said that there is no current key, and not just left out. */
  isPlain: Schema.Boolean,
  /** All keys, the current one too; no version twice. */
  keys: Schema.Array(SecretKey)
})

/** The keys of an installation. */
export type Keyring = typeof Keyring.Type

/** No key: everything is kept plain. */
export const empty: Keyring = { current: null, isPlain: false, keys: [] }

/** What stands in the place of the first key when new secrets are to be kept plain. */
const plain = "plain"

const pairsForm = "version:key pairs separated by commas, each version 1 to 32 letters, digits, - or _"

/** How many bytes a key has. */
const keyLength = 32

/**
 * Reads a keyring: `version:key` pairs separated by commas or line breaks, each key 32 bytes in base64. The first one
 * seals; `plain` in its place leaves new secrets plain. A refusal says what was expected, and repeats nothing.
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

/** A new key as {@link parse} reads it behind its version: 32 random bytes in base64. */
export const generateKey: Effect.Effect<Redacted.Redacted<string>, never, Crypto> = Effect.map(
  Effect.flatMap(Crypto, (crypto) => crypto.randomBytes(keyLength)),
  (bytes) => Redacted.make(Base64.encode(bytes), { label: "secret key" })
)

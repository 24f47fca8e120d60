import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import { Crypto } from "../crypto/Crypto.ts"
import * as Utf8 from "../values/Utf8.ts"
import { KeyHash } from "./ApiKey.ts"

/** How many characters of a value are stored, so that people can tell keys apart. */
const prefixLength = 12

/** Whether a key is for real use or for trying things out; it is part of the value and changes nothing else. */
export type KeyMode = "live" | "test"

/** A new value: `fd_live_` or `fd_test_` and 32 random bytes in base64url (D-KEY-4). */
export const generate = (mode: KeyMode): Effect.Effect<Redacted.Redacted<string>, never, Crypto> =>
  Effect.map(
    Effect.flatMap(Crypto, (crypto) => crypto.randomBytes(32)),
    (bytes) => Redacted.make(`fd_${mode}_${Base64Url.encode(bytes)}`, { label: "api key" })
  )

/** Returns what is stored of a value: its digest, which is its SHA-256, and its first 12 characters. */
export const digest = (
  value: Redacted.Redacted<string>
): Effect.Effect<{ readonly hash: KeyHash; readonly prefix: string }, never, Crypto> =>
  Effect.map(
    Effect.flatMap(Crypto, (crypto) => crypto.sha256(Utf8.encode(Redacted.value(value)))),
    (hash) => ({ hash: KeyHash.make(Hex.encode(hash)), prefix: Redacted.value(value).slice(0, prefixLength) })
  )

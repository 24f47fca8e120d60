import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import * as Cell from "./Cell.ts"
import { Crypto } from "../crypto/Crypto.ts"
import * as Utf8 from "../values/Utf8.ts"
import { KeyDigest } from "./ApiKey.ts"

/** The part of a value that is stored, by which people recognise the key. */
const prefixOf = (value: string): string => value.slice(0, 12 + Cell.keyPart(Cell.ofKey(value)).length)

/** Whether a key is for production or for tests. It is part of the value and has no other effect. */
export type KeyMode = "live" | "test"

/**
 * Returns a new value: `fd_live_` or `fd_test_`, and 32 random bytes in base64url. Between them stands the number of the
 * cell, unless it is cell 0: `fd_live_3_` (D-KEY-4).
 */
export const generate = (mode: KeyMode, cell: Cell.Cell): Effect.Effect<Redacted.Redacted<string>, never, Crypto> =>
  Effect.map(
    Effect.flatMap(Crypto, (crypto) => crypto.randomBytes(32)),
    (bytes) => Redacted.make(`fd_${mode}_${Cell.keyPart(cell)}${Base64Url.encode(bytes)}`, { label: "api key" })
  )

/** Returns the digest of a value, its SHA-256, by which the stored key is found (D-KEY-5). */
export const digestOf = (crypto: Crypto["Service"], value: Redacted.Redacted<string>): Effect.Effect<KeyDigest> =>
  // Not checked again, because this runs for each request.
  Effect.mapEager(crypto.sha256Hex(Utf8.encode(Redacted.value(value))), (hex) =>
    KeyDigest.make(hex, { disableChecks: true })
  )

/**
 * Returns the two things that are stored of a value: its digest, and its first characters, of which four are random in a
 * generated value (D-KEY-5).
 */
export const digest = (
  value: Redacted.Redacted<string>
): Effect.Effect<{ readonly digest: KeyDigest; readonly prefix: string }, never, Crypto> =>
  Effect.map(
    Effect.flatMap(Crypto, (crypto) => digestOf(crypto, value)),
    (digest) => ({ digest, prefix: prefixOf(Redacted.value(value)) })
  )

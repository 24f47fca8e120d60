import { Crypto, timingSafeEqual } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** The name of the header, in lower case. */
export const header = "x-retell-signature"

/** The maximum difference between the present time and that of a signature, in milliseconds: 5 minutes. */
export const toleranceMillis = 300_000

const form = /^v=(\d{1,15}),d=([0-9a-f]{64})$/i

/**
 * Returns whether Retell has signed a body with the API key: `v=<milliseconds>,d=<HMAC-SHA256 of body and milliseconds in
 * hexadecimal>`. A signature that is older than {@link toleranceMillis}, or that far in the future, is wrong.
 *
 * @param body the bytes as they were received, before any parser
 * @param signature the value of the header {@link header}
 */
export const isAuthentic = (
  apiKey: Redacted.Redacted<string>,
  body: Uint8Array,
  signature: string | undefined
): Effect.Effect<boolean, never, Crypto> =>
  Effect.gen(function* () {
    const [, time = "", digest = ""] = form.exec(signature ?? "") ?? []
    const key = Redacted.value(apiKey)
    if (time === "" || key === "") return false
    const now = yield* Clock.currentTimeMillis
    if (Math.abs(now - Number(time)) > toleranceMillis) return false
    const stamp = Utf8.encode(time)
    const signed = new Uint8Array(body.length + stamp.length)
    signed.set(body)
    signed.set(stamp, body.length)
    const expected = yield* (yield* Crypto).hmacSha256Hex(key, signed)
    return timingSafeEqual(Utf8.encode(expected), Utf8.encode(digest.toLowerCase()))
  })

/** Returns the value of the header for a body, as Retell signs it. Tests and stand-ins for Retell use it. */
export const sign = (
  apiKey: Redacted.Redacted<string>,
  body: string,
  at: number
): Effect.Effect<string, never, Crypto> =>
  Effect.map(
    Effect.flatMap(Crypto, (crypto) => crypto.hmacSha256Hex(Redacted.value(apiKey), Utf8.encode(`${body}${at}`))),
    (digest) => `v=${at},d=${digest}`
  )

import { createHmac } from "node:crypto"
import type { Callback, CallbackHead } from "@frontdesk/core/call/CallProvider"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { isSame } from "../request/ConstantTimeEqual.ts"

/** The maximum difference between `now` and the time of a signature: 5 minutes. */
const toleranceMillis = 5 * 60 * 1000

/** The header: `v=`, the time of the signature in milliseconds since 1970, `,d=` and the signature in hexadecimal. */
const form = /^v=(\d{1,15}),d=([0-9a-f]{64})$/i

const partsOf = ({ headers }: CallbackHead) => {
  const [, time, digest] = form.exec(headers["x-retell-signature"] ?? "") ?? []
  return time === undefined || digest === undefined ? null : { time, digest: digest.toLowerCase() }
}

/** Returns when a request was signed, according to its header. Returns null when it has no recent signature. */
export const signedAt = (head: CallbackHead, now: DateTime.Utc): DateTime.Utc | null => {
  const time = Number(partsOf(head)?.time ?? Number.NaN)
  return Math.abs(now.epochMilliseconds - time) <= toleranceMillis ? DateTime.makeUnsafe(time) : null
}

/**
 * Returns whether Retell has signed a request: HMAC-SHA256 with the API key over the body and the time. Returns false for
 * every request when the key is empty.
 */
export const isAuthentic = (key: Redacted.Redacted<string>, callback: Callback, now: DateTime.Utc): boolean => {
  const parts = partsOf(callback)
  if (parts === null || signedAt(callback, now) === null || Redacted.value(key) === "") return false
  const expected = createHmac("sha256", Redacted.value(key)).update(callback.body).update(parts.time).digest("hex")
  return isSame(parts.digest, expected)
}

import { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"
import type { Callback, CallbackHead } from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { isSame } from "../request/ConstantTimeEqual.ts"
import type { Authentication } from "./VapiOptions.ts"

/** The maximum difference between `now` and the timestamp of a signed message. */
const toleranceMillis = 5 * 60 * 1000

/** Returns the secret of the messages, decoded if the options say that it is base64. */
const keyOf = (authentication: Authentication): string | Uint8Array => {
  const secret = Redacted.value(authentication.secret)
  return authentication._tag === "Hmac" && authentication.isSecretBase64 === true
    ? Buffer.from(secret, "base64")
    : secret
}

/** The minimum length of a secret in characters. An attacker who guesses it could report anything about a call. */
export const minSecretLength = 16

/** Returns whether the secret is long enough, and is not empty after decoding. */
export const hasLongSecret = (authentication: Authentication): boolean =>
  Redacted.value(authentication.secret).length >= minSecretLength && keyOf(authentication).length > 0

/**
 * Returns whether a message may come from Vapi, judged by its headers. They must have the secret, or a recent timestamp and
 * a signature.
 */
export const mayBeAuthentic = (authentication: Authentication, { headers }: CallbackHead, now: DateTime.Utc): boolean =>
  hasLongSecret(authentication) &&
  (authentication._tag === "Secret"
    ? hasSecret(Redacted.value(authentication.secret), headers)
    : isTimely(timestampOf(authentication, headers), now) && signatureOf(authentication, headers) !== "")

/**
 * Returns whether a message comes from Vapi (docs.vapi.ai/server-url/server-authentication). Returns false for every message
 * when the secret is too short.
 */
export const isAuthentic = (authentication: Authentication, callback: Callback, now: DateTime.Utc): boolean =>
  mayBeAuthentic(authentication, callback, now) &&
  (authentication._tag === "Secret" || isSigned(authentication, callback))

const hasSecret = (secret: string, headers: Callback["headers"]): boolean => {
  const token = /^Bearer +(.*)$/i.exec(headers["authorization"] ?? "")?.[1] ?? ""
  const isLegacy = isSame(headers["x-vapi-secret"] ?? "", secret)
  return isSame(token, secret) || isLegacy
}

type Hmac = Extract<Authentication, { readonly _tag: "Hmac" }>

const timestampOf = ({ timestampHeader }: Hmac, headers: Callback["headers"]): string =>
  headers[timestampHeader ?? "x-timestamp"] ?? ""

const signatureOf = ({ signatureHeader }: Hmac, headers: Callback["headers"]): string =>
  headers[signatureHeader ?? "x-signature"] ?? ""

const isTimely = (timestamp: string, now: DateTime.Utc): boolean => {
  if (!/^\d{1,16}$/.test(timestamp)) return false
  // More than 11 digits are milliseconds, fewer are seconds. 11 digits reach the year 5138 in seconds.
  const signedAt = Number(timestamp) * (timestamp.length > 11 ? 1 : 1000)
  return Math.abs(now.epochMilliseconds - signedAt) <= toleranceMillis
}

const isSigned = (plan: Hmac, { body, headers }: Callback): boolean => {
  const expected = createHmac(plan.algorithm ?? "sha256", keyOf(plan))
    .update(`${timestampOf(plan, headers)}.`)
    .update(body)
    .digest(plan.encoding ?? "hex")
  return isSame(signatureOf(plan, headers), `${plan.prefix ?? ""}${expected}`)
}

import { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"
import type { Callback, CallbackHead } from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { isSame } from "../request/ConstantTimeEqual.ts"
import type { Authentication } from "./VapiOptions.ts"

/** How long before or after `now` a signed message may have been signed. */
const toleranceMillis = 5 * 60 * 1000

/** What messages are proven by, decoded. */
const keyOf = (authentication: Authentication): string | Uint8Array => {
  const secret = Redacted.value(authentication.secret)
  return authentication._tag === "Hmac" && authentication.isSecretBase64 === true
    ? Buffer.from(secret, "base64")
    : secret
}

/** The fewest characters of a secret: who guesses it can report anything of a call. */
export const shortestSecret = 16

/** Whether there is a secret that nobody guesses. */
export const isSecret = (authentication: Authentication): boolean =>
  Redacted.value(authentication.secret).length >= shortestSecret && keyOf(authentication).length > 0

/**
 * Whether a message may come from Vapi, by its headers: one that bears the secret does, one that was just signed may.
 */
export const mayBeAuthentic = (authentication: Authentication, { headers }: CallbackHead, now: DateTime.Utc): boolean =>
  isSecret(authentication) &&
  (authentication._tag === "Secret"
    ? hasSecret(Redacted.value(authentication.secret), headers)
    : isTimely(timestampOf(authentication, headers), now) && signatureOf(authentication, headers) !== "")

/**
 * Whether a message comes from Vapi (docs.vapi.ai/server-url/server-authentication); with a secret that is too short
 * none does.
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
  // Seconds, or milliseconds: nothing was signed in 1970, and nothing will be in the year 5138.
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

import { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"
import type { Callback } from "@frontdesk/core/call/CallProvider"
import type * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import { isSame } from "../request/Equality.ts"
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

/** Whether there is a secret, so that not everybody has it. */
export const isSecret = (authentication: Authentication): boolean => keyOf(authentication).length > 0

/** Whether a message comes from Vapi (docs.vapi.ai/server-url/server-authentication); with an empty secret none does. */
export const isAuthentic = (authentication: Authentication, callback: Callback, now: DateTime.Utc): boolean =>
  isSecret(authentication) &&
  (authentication._tag === "Secret"
    ? hasSecret(Redacted.value(authentication.secret), callback.headers)
    : isSigned(authentication, callback, now))

const hasSecret = (secret: string, headers: Callback["headers"]): boolean => {
  const token = /^Bearer +(.*)$/i.exec(headers["authorization"] ?? "")?.[1] ?? ""
  const isLegacy = isSame(headers["x-vapi-secret"] ?? "", secret)
  return isSame(token, secret) || isLegacy
}

const isSigned = (
  plan: Extract<Authentication, { readonly _tag: "Hmac" }>,
  { body, headers }: Callback,
  now: DateTime.Utc
): boolean => {
  const timestamp = headers[plan.timestampHeader ?? "x-timestamp"] ?? ""
  const signature = headers[plan.signatureHeader ?? "x-signature"] ?? ""
  if (!/^\d{1,16}$/.test(timestamp)) return false
  // Seconds, or milliseconds: nothing was signed in 1970, and nothing will be in the year 5138.
  const signedAt = Number(timestamp) * (timestamp.length > 11 ? 1 : 1000)
  const expected = createHmac(plan.algorithm ?? "sha256", keyOf(plan))
    .update(`${timestamp}.`)
    .update(body)
    .digest(plan.encoding ?? "hex")
  return (
    isSame(signature, `${plan.prefix ?? ""}${expected}`) &&
    Math.abs(now.epochMilliseconds - signedAt) <= toleranceMillis
  )
}

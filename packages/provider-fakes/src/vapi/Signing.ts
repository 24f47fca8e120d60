import { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"
import type { Callback } from "../CallbackSender.ts"

/**
 * A custom credential with the plan `hmac` (docs.vapi.ai, `HmacAuthenticationPlan`). The signature covers
 * `{timestamp}.{body}`.
 */
export interface HmacPlan {
  readonly secretKey: string
  readonly algorithm?: "sha1" | "sha256" | "sha512"
  readonly signatureHeader?: string
  readonly timestampHeader?: string
  readonly signaturePrefix?: string
  readonly signatureEncoding?: "hex" | "base64"
  readonly secretIsBase64?: boolean
}

/** Returns the headers that a plan adds to a message. */
export const hmacHeaders = (plan: HmacPlan, body: string, now: number): Record<string, string> => {
  const timestamp = String(Math.floor(now / 1000))
  const key = plan.secretIsBase64 === true ? Buffer.from(plan.secretKey, "base64") : plan.secretKey
  const signature = createHmac(plan.algorithm ?? "sha256", key)
    .update(`${timestamp}.${body}`)
    .digest(plan.signatureEncoding ?? "hex")
  return {
    [plan.timestampHeader ?? "x-timestamp"]: timestamp,
    [plan.signatureHeader ?? "x-signature"]: `${plan.signaturePrefix ?? ""}${signature}`
  }
}

/** Returns a message as a callback. */
export const callback = (
  kind: string,
  url: string,
  message: unknown,
  headers: (body: string) => Readonly<Record<string, string>>
): Callback => {
  const body = JSON.stringify({ message })
  return { kind, url, headers: { "content-type": "application/json", ...headers(body) }, body }
}

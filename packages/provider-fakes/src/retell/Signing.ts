import { createHmac } from "node:crypto"
import type { Callback } from "../CallbackSender.ts"

/** Returns the headers of a request of Retell at a time in milliseconds: its type, and the signature over body and time. */
export const signedHeaders = (apiKey: string, body: string, now: number): Record<string, string> => ({
  "content-type": "application/json",
  "x-retell-signature": `v=${now},d=${createHmac("sha256", apiKey).update(`${body}${now}`).digest("hex")}`
})

/** Returns a request of Retell as a callback that is signed now. */
export const signed = (apiKey: string, kind: string, url: string, message: unknown, now: number): Callback => {
  const body = JSON.stringify(message)
  return { kind, url, headers: signedHeaders(apiKey, body, now), body }
}

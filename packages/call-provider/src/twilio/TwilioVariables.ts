import { createHmac } from "node:crypto"
import type { CallbackHead } from "@frontdesk/core/call/CallProvider"
import { baseOf } from "@frontdesk/core/values/BasePath"
import { isSame } from "../request/ConstantTimeEqual.ts"

const path = "/providers/twilio/variables"

const signature = (authToken: string, ref: string): string =>
  createHmac("sha256", authToken).update(`frontdesk variables of ${ref}`).digest("base64url")

/**
 * Returns the link under which the program that conducts the conversation reads the variables of a call. The link has a
 * signature over the reference of the call, made with the token of the account.
 */
export const variablesUrl = (publicUrl: URL, authToken: string, ref: string): string =>
  `${baseOf(publicUrl)}${path}?${new URLSearchParams({ ref, signature: signature(authToken, ref) }).toString()}`

/** Returns the reference of the call whose variables a request reads, or null when the signature of the link is invalid. */
export const variablesOf = (authToken: string, { method, url }: CallbackHead): string | null => {
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "")
  const ref = query.get("ref") ?? ""
  const isSigned = isSame(query.get("signature") ?? "", signature(authToken, ref))
  return isSigned && method === "GET" && ref !== "" && authToken !== "" ? ref : null
}

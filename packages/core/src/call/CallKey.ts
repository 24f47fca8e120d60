import * as DatabaseId from "../values/DatabaseId.ts"
import { CallId } from "./Call.ts"

/** How a call is named: by its database id, the service's identifier, or the provider's. */
export type CallKey = { readonly id: CallId } | { readonly callId: string } | { readonly providerCallId: string }

/**
 * Returns the keys that the id of a call in a path may be, in the order in which to try them. Digits are a database id first,
 * then the service's identifier (D-HTTP-9). Empty for a text that is neither.
 */
export const parse = (text: string): ReadonlyArray<CallKey> => {
  // No identifier of the service has another form, and a database may refuse a query for any other text.
  if (!/^[!-~]{1,255}$/.test(text)) return []
  const id = DatabaseId.parse(text)
  return id === undefined ? [{ callId: text }] : [{ id: CallId.make(id) }, { callId: text }]
}

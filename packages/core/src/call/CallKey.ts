import * as DatabaseId from "../values/DatabaseId.ts"
import { CallId } from "./Call.ts"

/** Identifies a call by its database id, by the service's identifier, or by the provider's. */
export type CallKey = { readonly id: CallId } | { readonly callId: string } | { readonly providerCallId: string }

/**
 * Returns the keys that a call's id in a path may stand for, in the order in which to look for them (C-4.2-5). Digits are a
 * database id first, then the service's identifier (D-HTTP-9). The list is empty for a text that cannot be either.
 */
export const parse = (text: string): ReadonlyArray<CallKey> => {
  // Every identifier of the service matches. For other text, such as U+0000, a database may fail instead of finding
  // nothing.
  if (!/^[!-~]{1,255}$/.test(text)) return []
  const id = DatabaseId.parse(text)
  return id === undefined ? [{ callId: text }] : [{ id: CallId.make(id) }, { callId: text }]
}

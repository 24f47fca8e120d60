import * as DatabaseId from "../values/DatabaseId.ts"
import { CallId } from "./Call.ts"
import type { CallKey } from "./CallStore.ts"

/**
 * Returns the keys that the `call_id` of a path may mean, in the order in which to try them (D-HTTP-9): digits are
 * the database id first, then the service's id. Empty when the text can be neither.
 */
export const parse = (text: string): ReadonlyArray<CallKey> => {
  // Every id of the service has this form, and some databases reject other texts.
  if (!/^[!-~]{1,255}$/.test(text)) return []
  const id = DatabaseId.parse(text)
  return id === undefined ? [{ callId: text }] : [{ id: CallId.make(id) }, { callId: text }]
}

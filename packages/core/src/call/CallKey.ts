import { CallId } from "./Call.ts"
import type { CallKey } from "./CallStore.ts"

/** Returns the database id that a text is; undefined when it is not the digits of one. */
export const databaseId = (text: string): number | undefined => {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

/**
 * Returns the keys that the `call_id` of a path may mean, in the order in which to try them (D-HTTP-9): digits are
 * the database id first, then the service's id. Empty when the text can be neither.
 */
export const parse = (text: string): ReadonlyArray<CallKey> => {
  // Every id of the service has this form, and some databases reject other texts.
  if (!/^[!-~]{1,255}$/.test(text)) return []
  const id = databaseId(text)
  return id === undefined ? [{ callId: text }] : [{ id: CallId.make(id) }, { callId: text }]
}

import { hasProperty, isString } from "effect/Predicate"
import { innerOf } from "./RootMessage.ts"

/**
 * Returns the code of the innermost error that has one: the result code of SQLite, the SQLSTATE of PostgreSQL, or the code
 * of Node. Returns undefined if no error has a code.
 */
export const of = (error: unknown): number | string | undefined => {
  const inner = innerOf(error)
  const deeper = inner === undefined ? undefined : of(inner)
  if (deeper !== undefined) return deeper
  if (hasProperty(error, "errcode") && typeof error.errcode === "number") return error.errcode
  return hasProperty(error, "code") && isString(error.code) ? error.code : undefined
}

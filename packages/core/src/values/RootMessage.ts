import { hasProperty, isString } from "effect/Predicate"

/**
 * Returns what is inside an error: its `reason`, or its `cause`. A reason that is a text, such as `unknown` of a
 * `StorageError`, only classifies the error.
 */
export const innerOf = (error: unknown): unknown => {
  if (hasProperty(error, "reason") && !isString(error.reason)) return error.reason
  return hasProperty(error, "cause") ? error.cause : undefined
}

/** Returns the message of the innermost error, or an empty text if there is none. */
export const of = (error: unknown): string => {
  const inner = innerOf(error)
  const deeper = inner === undefined ? "" : of(inner)
  if (deeper !== "") return deeper
  return hasProperty(error, "message") && isString(error.message) ? error.message : isString(error) ? error : ""
}

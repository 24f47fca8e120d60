import { hasProperty, isString } from "effect/Predicate"

/** Returns the message of the innermost error, or an empty text if there is none. */
export const of = (error: unknown): string => {
  const inner = hasProperty(error, "reason") ? error.reason : hasProperty(error, "cause") ? error.cause : undefined
  const deeper = inner === undefined ? "" : of(inner)
  if (deeper !== "") return deeper
  return hasProperty(error, "message") && isString(error.message) ? error.message : isString(error) ? error : ""
}

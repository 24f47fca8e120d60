import * as Schema from "effect/Schema"
import * as FieldProblems from "../values/FieldProblems.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ContextType } from "./ContextVariable.ts"

/** The prefix of the names of business variables in templates (C-2.4-7). */
export const businessPrefix = "business_"

/** The maximum number of characters of a name. */
export const maxLength = 64

// The flag u is needed: without it, Effect leaves the pattern out of the JSON Schema of `VariableName`.
const form = /^[a-z0-9_]{1,64}$/u

/** Returns whether a name consists of 1 to 64 lowercase letters, digits and underscores (C-2.4-1). */
export const isName = (name: string): boolean => form.test(name)

/** The name of a variable (C-2.4-1). */
export const VariableName = Schema.String.check(
  Schema.isPattern(form, {
    identifier: "VariableName",
    description: `1 to ${maxLength} lowercase letters, digits and underscores`
  })
)

/**
 * Returns the problem of an invalid name, or undefined for a valid one. A name must have the form of C-2.4-1. The name
 * of a contact variable must not begin with {@link businessPrefix}, because templates would take it for a business
 * variable (D-VAR-1).
 *
 * @param field the field that the problem names
 */
export const problem = (name: string, contextType: ContextType, field: string): FieldProblem | undefined =>
  !isName(name)
    ? {
        field,
        code: FieldProblems.invalid,
        message: `Expected 1 to ${maxLength} lowercase letters, digits and underscores`
      }
    : contextType === "contact" && name.startsWith(businessPrefix)
      ? { field, code: "reserved", message: `A contact variable cannot begin with ${businessPrefix}` }
      : undefined

/**
 * Returns the display name that is derived from a name: underscores become spaces, and words begin with a capital
 * (C-4.5-5). A name of underscores only is its own display name.
 */
export const displayName = (name: string): string => {
  const derived = name
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ")
  return derived.trim() === "" ? name : derived
}

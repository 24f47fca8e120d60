import * as Schema from "effect/Schema"
import * as FieldProblems from "../values/FieldProblems.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ContextType } from "./ContextVariable.ts"

/** What stands before the name of a business variable in templates (C-2.4-7). */
export const businessPrefix = "business_"

/** How many characters a name may have. */
export const maxLength = 64

// The flag u, because without it a JSON Schema of this would not have the pattern.
const form = /^[a-z0-9_]{1,64}$/u

/** Whether a name is lowercase letters, digits and underscores, 1 to 64 of them (C-2.4-1). */
export const isName = (name: string): boolean => form.test(name)

/** The name of a variable (C-2.4-1). */
export const VariableName = Schema.String.check(
  Schema.isPattern(form, {
    identifier: "VariableName",
    description: `1 to ${maxLength} lowercase letters, digits and underscores`
  })
)

/**
 * What forbids a name: its form (C-2.4-1), or that a contact's variable would be taken for a business one in
 * templates (D-VAR-1). Undefined when nothing does.
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
 * The display name derived from a name: underscores become spaces, words are capitalised (C-4.5-5). A name of
 * underscores alone is its own display name.
 */
export const displayName = (name: string): string => {
  const derived = name
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ")
  return derived.trim() === "" ? name : derived
}

import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { invalid, tooLarge } from "../values/FieldProblems.ts"
import * as JsonSize from "../values/JsonSize.ts"
import { ValidationError } from "../values/ValidationError.ts"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import * as Template from "../variable/Template.ts"
import { businessPrefix } from "../variable/VariableName.ts"
import { contactFields, lookup as lookupIn, type TemplateSources } from "./TemplateSources.ts"

/** The maximum length of all values that replace names in one call together, in UTF-16 code units (D-CALL-17). */
export const maxInsertedLength = 100_000

/** The maximum size of all variables that an agent receives for one call, in bytes of JSON in UTF-8 (D-VAL-10). */
export const maxVariableBytes = 262_144

/** The variables that an agent receives for one call. */
export interface Personalization {
  /** The variables that the request gave for the call, rendered. */
  readonly own: Readonly<Record<string, VariableScalar>>
  /** Every name that has a value, with the value of the first source that has one. */
  readonly variables: Readonly<Record<string, VariableScalar>>
  /** The names in the call's own variables that have no value, each once (D-TPL-4). */
  readonly unresolved: ReadonlyArray<string>
}

/**
 * Returns the variables of a call (D-TPL-2). A name takes its value from the first source that has one. The sources are
 * the call's own variables, the contact's custom context, the contact's fields, and the business context with the prefix
 * `business_`.
 *
 * Each text among the call's own variables is a template with `{{name}}`. It is rendered once: a `{{name}}` inside an
 * inserted value stays as it is, also when the value is another variable of the same call. A name without a value is
 * replaced by the empty text and listed in `unresolved`. Values that are not scalar become JSON text.
 *
 * Fails with `ValidationError` when the inserted values have more than {@link maxInsertedLength} characters together, or
 * all variables have more than {@link maxVariableBytes}.
 */
export const personalize = (sources: TemplateSources): Result.Result<Personalization, ValidationError> => {
  const find = lookupIn(sources)
  let remaining = maxInsertedLength
  // A short text can name a long value thousands of times. Stopping here bounds the memory and the time that this takes.
  const lookup = (name: string): string | undefined => {
    const value = remaining < 0 ? undefined : find(name)
    if (value === undefined || value === null) return undefined
    const text = Template.toText(value)
    remaining -= text.length
    return remaining < 0 ? undefined : text
  }
  const unresolved = new Set<string>()
  const own = Object.fromEntries(
    Object.entries(sources.callVariables).map(([name, value]): [string, VariableScalar] => {
      if (typeof value !== "string") return [name, value]
      const rendered = Result.getOrThrow(Template.render(value, lookup, "empty"))
      for (const missing of rendered.unresolved) unresolved.add(missing)
      return [name, rendered.text]
    })
  )
  if (remaining < 0) {
    const message = `Expected values of at most ${maxInsertedLength} characters together for the names in the variables`
    return Result.fail(problem(invalid, message))
  }
  const variables = allVariables(sources, own)
  return JsonSize.bytesOf(variables) > maxVariableBytes
    ? Result.fail(problem(tooLarge, `${JsonSize.expected(maxVariableBytes)} for all variables that the agent receives`))
    : Result.succeed({ own, variables, unresolved: [...unresolved] })
}

/**
 * Returns every name that has a value, with the value of the first source that has one.
 *
 * @param own the call's own variables, rendered
 */
export const allVariables = (
  { businessContext, contact }: Pick<TemplateSources, "businessContext" | "contact">,
  own: Personalization["own"]
): Personalization["variables"] => ({
  ...Object.fromEntries(Object.entries(businessContext).map(([name, value]) => [`${businessPrefix}${name}`, value])),
  ...(contact === null ? {} : { ...scalars(contactFields(contact)), ...scalars(contact.customContext) }),
  ...own
})

const problem = (code: string, message: string): ValidationError =>
  new ValidationError({ problems: [{ field: "variables", code, message }] })

/** Returns the values as scalars, without those that are null. */
const scalars = (values: Readonly<Record<string, Schema.Json>>): Record<string, VariableScalar> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, toScalar(value)] as const]))
  )

const toScalar = (value: Schema.Json): VariableScalar =>
  Predicate.isNumber(value) || Predicate.isBoolean(value) ? value : Template.toText(value)

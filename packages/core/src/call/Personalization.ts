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

/** The most characters that are put in the place of names, in all variables of a call together. */
export const maxInsertedLength = 100_000

/** The most bytes that everything an agent is told for one call has, as JSON in UTF-8. */
export const maxVariableBytes = 262_144

/** What an agent is told for one call. */
export interface Personalization {
  /** The call's own variables, rendered. */
  readonly own: Readonly<Record<string, VariableScalar>>
  /** Every name that has a value, with the value that takes precedence. */
  readonly variables: Readonly<Record<string, VariableScalar>>
  /** Names the call's own variables use and nothing defines: each once. */
  readonly unresolved: ReadonlyArray<string>
}

/**
 * The variables of a call (D-TPL-2): the call's own, then the contact's custom context, the contact's fields, and
 * the business context under `business_`.
 *
 * A call's own text may use `{{name}}` and is rendered once, so that what is put in is never looked at again, also when
 * it is another variable of the same call. A name without a value becomes nothing and is reported. Values that are no
 * scalar are told as JSON text. Fails when more than {@link maxInsertedLength} characters would be put in, or all variables
 * together would have more than {@link maxVariableBytes}.
 */
export const personalize = (sources: TemplateSources): Result.Result<Personalization, ValidationError> => {
  const find = lookupIn(sources)
  let room = maxInsertedLength
  // A short text can name a long value many times: what does not fit is not even written as text.
  const lookup = (name: string): string | undefined => {
    const value = room < 0 ? undefined : find(name)
    if (value === undefined || value === null) return undefined
    const text = Template.toText(value)
    room -= text.length
    return room < 0 ? undefined : text
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
  if (room < 0) {
    const message = `Expected at most ${maxInsertedLength} characters to be put in the place of names`
    return Result.fail(refused(invalid, message))
  }
  const variables = allVariables(sources, own)
  return JsonSize.bytesOf(variables) > maxVariableBytes
    ? Result.fail(refused(tooLarge, `${JsonSize.expected(maxVariableBytes)} for all that the agent is told`))
    : Result.succeed({ own, variables, unresolved: [...unresolved] })
}

/** Every name that has a value, with the value that takes precedence: the call's own variables come rendered. */
export const allVariables = (
  { businessContext, contact }: Pick<TemplateSources, "businessContext" | "contact">,
  own: Personalization["own"]
): Personalization["variables"] => ({
  ...Object.fromEntries(Object.entries(businessContext).map(([name, value]) => [`${businessPrefix}${name}`, value])),
  ...(contact === null ? {} : { ...known(contactFields(contact)), ...known(contact.customContext) }),
  ...own
})

const refused = (code: string, message: string): ValidationError =>
  new ValidationError({ problems: [{ field: "variables", code, message }] })

const known = (values: Readonly<Record<string, Schema.Json>>): Record<string, VariableScalar> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, toScalar(value)] as const]))
  )

const toScalar = (value: Schema.Json): VariableScalar =>
  Predicate.isNumber(value) || Predicate.isBoolean(value) ? value : Template.toText(value)

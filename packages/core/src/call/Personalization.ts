import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { invalid } from "../values/FieldProblems.ts"
import { ValidationError } from "../values/ValidationError.ts"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import * as Template from "../variable/Template.ts"
import { businessPrefix } from "../variable/VariableName.ts"

/** The most characters that are put in the place of names, in all variables of a call together. */
export const maxInsertedLength = 100_000

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
 * The variables of a call (Decisions 6): the call's own, then the contact's custom context, the contact's fields, and
 * the business context under `business_`.
 *
 * A call's own text may use `{{name}}` and is rendered once, so that what is put in is never looked at again, also when
 * it is another variable of the same call. A name without a value becomes nothing and is reported. Values that are no
 * scalar are told as JSON text. Fails when more than {@link maxInsertedLength} characters would be put in.
 */
export const personalize = (sources: Template.TemplateSources): Result.Result<Personalization, ValidationError> => {
  const find = Template.lookup(sources)
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
  if (room < 0) return Result.fail(tooLong())
  const { businessContext, contact } = sources
  const variables = {
    ...Object.fromEntries(Object.entries(businessContext).map(([name, value]) => [`${businessPrefix}${name}`, value])),
    ...(contact === null ? {} : { ...known(Template.contactFields(contact)), ...known(contact.customContext) }),
    ...own
  }
  return Result.succeed({ own, variables, unresolved: [...unresolved] })
}

const tooLong = (): ValidationError =>
  new ValidationError({
    problems: [
      {
        field: "variables",
        code: invalid,
        message: `Expected at most ${maxInsertedLength} characters to be put in the place of names`
      }
    ]
  })

const known = (values: Readonly<Record<string, Schema.Json>>): Record<string, VariableScalar> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, toScalar(value)] as const]))
  )

const toScalar = (value: Schema.Json): VariableScalar =>
  Predicate.isNumber(value) || Predicate.isBoolean(value) ? value : Template.toText(value)

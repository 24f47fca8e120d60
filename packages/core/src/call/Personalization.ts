import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { VariableScalar } from "../variable/ContextVariable.ts"
import * as Template from "../variable/Template.ts"
import { businessPrefix } from "../variable/VariableName.ts"

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
 * scalar are told as JSON text.
 */
export const personalize = (sources: Template.TemplateSources): Personalization => {
  const lookup = Template.lookup(sources)
  const unresolved = new Set<string>()
  const own = mapValues(sources.callVariables, (value) => {
    if (typeof value !== "string") return value
    const rendered = Result.getOrThrow(Template.render(value, lookup, "empty"))
    for (const name of rendered.unresolved) unresolved.add(name)
    return rendered.text
  })
  const { businessContext, contact } = sources
  const variables = {
    ...Object.fromEntries(Object.entries(businessContext).map(([name, value]) => [`${businessPrefix}${name}`, value])),
    ...(contact === null ? {} : { ...known(Template.contactFields(contact)), ...known(contact.customContext) }),
    ...own
  }
  return { own, variables, unresolved: [...unresolved] }
}

const known = (values: Readonly<Record<string, Schema.Json>>): Record<string, VariableScalar> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, toScalar(value)] as const]))
  )

const toScalar = (value: Schema.Json): VariableScalar =>
  Predicate.isNumber(value) || Predicate.isBoolean(value) ? value : Template.toText(value)

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]))

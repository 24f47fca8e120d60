import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { businessPrefix } from "./VariableName.ts"

/**
 * How a template is rendered when a name has no value: `empty` removes the placeholder, `keep` leaves it in the text,
 * and `fail` fails.
 */
export const UnresolvedPolicy = Schema.Literals(["empty", "keep", "fail"])

/** How a template is rendered when a name has no value. */
export type UnresolvedPolicy = typeof UnresolvedPolicy.Type

/** Names of a template have no value, and the policy is `fail`. The names are in the order in which they appear. */
export class UnresolvedVariables extends Schema.TaggedError<UnresolvedVariables>(
  "@frontdesk/core/variable/UnresolvedVariables"
)("UnresolvedVariables", { names: Schema.NonEmptyArray(Schema.String) }) {}

/** A rendered template, and the names that have no value: each once, in the order in which they appear. */
export interface Rendered {
  readonly text: string
  readonly unresolved: ReadonlyArray<string>
}

/** Returns the value of a name, or undefined when it has none. Null counts as no value. */
export type Lookup = (name: string) => Schema.Json | undefined

/**
 * Returns a lookup for the names of business variables in templates: the prefix `business_`, then the name of the
 * variable (C-2.4-7). A name without the prefix has no value.
 */
export const withBusinessPrefix =
  (lookup: Lookup): Lookup =>
  (name) =>
    name.startsWith(businessPrefix) ? lookup(name.slice(businessPrefix.length)) : undefined

// The text between the braces has no brace, so the regular expression takes linear time.
const placeholder = /\{\{([^{}\r\n]+)\}\}/g

/** Returns the names in a template: each once, in the order in which they appear. */
export const names = (template: string): ReadonlyArray<string> => [
  ...new Set(Array.from(template.matchAll(placeholder), ([, inner = ""]) => inner.trim()).filter((name) => name !== ""))
]

/**
 * Returns a template in which each `{{name}}` is replaced by the value of the name (D-TPL-1).
 *
 * A name is any text on one line without braces. White space around it is ignored. Templates have no logic. A
 * placeholder within a value is not replaced (D-TPL-3). Fails with `UnresolvedVariables` when a name has no value and
 * the policy is `fail`.
 *
 * @example
 * ```ts
 * import { Template } from "@frontdesk/core"
 * import * as Result from "effect/Result"
 *
 * const lookup = (name: string) => (name === "first_name" ? "Jo" : undefined)
 * const rendered = Template.render("Hello {{ first_name }}{{title}}", lookup)
 * Result.getOrThrow(rendered) // { text: "Hello Jo", unresolved: ["title"] }
 * ```
 */
export const render = (
  template: string,
  lookup: Lookup,
  policy: UnresolvedPolicy = "empty"
): Result.Result<Rendered, UnresolvedVariables> => {
  const missing = new Set<string>()
  const text = template.replace(placeholder, (whole: string, inner: string) => {
    const name = inner.trim()
    if (name === "") return whole
    const value = lookup(name)
    if (value !== undefined && value !== null) return toText(value)
    missing.add(name)
    return policy === "keep" ? whole : ""
  })
  const [first, ...others] = missing
  return policy === "fail" && first !== undefined
    ? Result.fail(new UnresolvedVariables({ names: [first, ...others] }))
    : Result.succeed({ text, unresolved: [...missing] })
}

/** Returns the text of a value: a string unchanged, and any other value as JSON. */
export const toText = (value: Schema.Json): string => (typeof value === "string" ? value : JSON.stringify(value))

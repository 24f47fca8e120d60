import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** What is put in the place of a name that has no value: nothing, the placeholder itself, or no text at all. */
export const UnresolvedPolicy = Schema.Literals(["empty", "keep", "fail"])

/** What is put in the place of a name that has no value. */
export type UnresolvedPolicy = typeof UnresolvedPolicy.Type

/** Names of a template that have no value, in the order they appear, while the policy is `fail`. */
export class UnresolvedVariables extends Schema.TaggedError<UnresolvedVariables>(
  "@frontdesk/core/variable/UnresolvedVariables"
)("UnresolvedVariables", { names: Schema.NonEmptyArray(Schema.String) }) {}

/** A rendered template, and the names that had no value: each once, in the order they appear. */
export interface Rendered {
  readonly text: string
  readonly unresolved: ReadonlyArray<string>
}

/** The value of a name; undefined when it has none. */
export type Lookup = (name: string) => Schema.Json | undefined

// Linear: what is scanned after two braces holds no brace, so no character is tried for more than one of them.
const placeholder = /\{\{([^{}\r\n]+)\}\}/g

/** The names in a template: each once, in the order they appear. */
export const names = (template: string): ReadonlyArray<string> => [
  ...new Set(Array.from(template.matchAll(placeholder), ([, inner = ""]) => inner.trim()).filter((name) => name !== ""))
]

/**
 * Puts values in the place of `{{name}}` (D-TPL-1).
 *
 * A name is any text on one line without braces; spaces around it do not count, and there is no logic. The template is
 * read once: a value that looks like a placeholder stays as it is. Fails only under the policy `fail`.
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

/**
 * How a value reads in a text: strings as they are, numbers and booleans as JavaScript writes them, the rest as JSON.
 */
export const toText = (value: Schema.Json): string => (typeof value === "string" ? value : JSON.stringify(value))

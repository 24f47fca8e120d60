import * as Schema from "effect/Schema"

export * from "./TextForms.ts"

// PostgreSQL cannot store U+0000, and UTF-8 replaces half a surrogate pair. Such a text would not come back unchanged.
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

const storable = "text without U+0000 and without halves of surrogate pairs"

/** Returns the filter of storable texts, with its rules in a JSON Schema. */
const storableAs = (rules: { readonly pattern?: string; readonly description?: string }) =>
  Schema.makeFilter(isStorable, { expected: storable, toJsonSchema: () => rules })

// Every library for patterns reads the escape `\x00`. There is no such escape for halves of surrogate pairs.
const anyText = storableAs({ pattern: String.raw`^[^\x00]*$`, description: storable })

/** A text of any length that every database can store and search for, see {@link between}. */
export const storableText = Schema.String.check(anyText)

/**
 * Returns the schema of a text of `min` to `max` UTF-16 code units that every database can store unchanged. It rejects
 * U+0000 and halves of surrogate pairs (D-VAL-6).
 */
export const between = (min: number, max: number) => Schema.String.check(Schema.isBetweenLength(min, max), anyText)

/**
 * Returns the schema of a text as {@link between} accepts it, which also matches a pattern.
 *
 * @param pattern a pattern with the meaning of the flag u. It rejects U+0000, because a JSON Schema has this pattern alone
 * @param description what the error says about a text that does not match
 */
export const matching = (min: number, max: number, pattern: string, description: string) =>
  Schema.String.check(
    Schema.isBetweenLength(min, max),
    storableAs({}),
    Schema.isPattern(new RegExp(pattern, "u"), { description })
  )

/**
 * Returns the schema of a text as {@link upTo} accepts it, with a pattern for its JSON Schema that the service checks. The
 * pattern is as in {@link matching}.
 */
export const stated = (max: number, pattern: string, description: string) =>
  Schema.String.check(Schema.isBetweenLength(0, max), storableAs({ pattern, description }))

/** Returns the schema of a text of at most `max` UTF-16 code units, see {@link between}. */
export const upTo = (max: number) => between(0, max)

/**
 * Returns the schema of a text of at most `max` UTF-16 code units that is not only white space, see {@link between}.
 */
export const filled = (max: number) => matching(1, max, String.raw`^\s*[^\s\x00][^\x00]*$`, "text that is not blank")

/** A text to search for. It must be storable, because some databases fail to search for any other text. */
export const searched = between(1, 254)

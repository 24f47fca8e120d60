import * as Schema from "effect/Schema"

export * from "./TextForms.ts"

// PostgreSQL cannot store U+0000, and UTF-8 replaces half a surrogate pair. Such a text would not come back unchanged.
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

const storable = "text without U+0000 and without halves of surrogate pairs"

/**
 * Returns the schema of a text of `min` to `max` UTF-16 code units that every database can store unchanged. It rejects
 * U+0000 and halves of surrogate pairs (D-VAL-6).
 */
export const between = (min: number, max: number) =>
  Schema.String.check(
    Schema.isBetweenLength(min, max),
    Schema.makeFilter(isStorable, { expected: storable, toJsonSchema: () => ({ description: storable }) })
  )

/** Returns the schema of a text of at most `max` UTF-16 code units, see {@link between}. */
export const upTo = (max: number) => between(0, max)

/**
 * Returns the schema of a text of at most `max` UTF-16 code units that is not only white space, see {@link between}.
 */
export const filled = (max: number) =>
  between(1, max).check(
    Schema.makeFilter((text: string) => text.trim() !== "", { description: "text that is not blank" })
  )

/** A text to search for. It must be storable, because some databases fail to search for any other text. */
export const searched = between(1, 254)

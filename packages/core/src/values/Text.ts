import * as Schema from "effect/Schema"

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

/**
 * Returns whether two texts look the same to a reader: Unicode writes `ë` as one character, or as `e` and a combining
 * mark. Upper and lower case differ.
 */
export const isSame = (a: string, b: string): boolean => a === b || a.normalize("NFC") === b.normalize("NFC")

/** Returns the forms in which a text may be stored: unchanged, composed (NFC) and decomposed (NFD), without repeats. */
export const forms = (text: string): ReadonlyArray<string> => [
  ...new Set([text, text.normalize("NFC"), text.normalize("NFD")])
]

/**
 * Returns a text in the form in which a search compares texts: every way to write a letter becomes one. It treats as
 * equal: upper and lower case, `ß`, `ẞ` and `SS`, `ς` and `σ`, and composed, wide and ligature characters (Unicode NFKC).
 */
export const searchForm = (text: string): string =>
  // Lower case comes first, because only `ß` becomes `SS` in upper case, and `ẞ` does not. The last lower case turns
  // `Σ` at the end of a word into `ς`, which is replaced.
  text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC")

/** Marks that change the direction of all text after them until a closing mark, which may be missing (UAX 9). */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a text as one line. Line breaks, control characters and white space become single spaces. Marks that would
 * change the direction of the text after it are removed.
 */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(directionMarks, "")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()

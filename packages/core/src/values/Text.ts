import * as Schema from "effect/Schema"

// Postgres keeps no U+0000, and half a surrogate pair is lost in UTF-8: what is stored would not be what was sent.
const isKept = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

const kept = "text without U+0000 and without halves of surrogate pairs"

/** Text of `minimum` to `maximum` UTF-16 code units that every database keeps as it is. */
export const between = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isBetweenLength(minimum, maximum),
    Schema.makeFilter(isKept, { expected: kept, toJsonSchema: () => ({ description: kept }) })
  )

/** Text of at most so many UTF-16 code units that every database keeps as it is. */
export const upTo = (maximum: number) => between(0, maximum)

/** Text that is more than white space, of at most so many UTF-16 code units. */
export const filled = (maximum: number) =>
  between(1, maximum).check(
    Schema.makeFilter((text: string) => text.trim() !== "", { description: "text that is not blank" })
  )

/** A text to look for: one that could have been stored, for not every database can look for another. */
export const searched = between(1, 254)

/**
 * Whether two texts are the same to who reads them: Unicode writes `ë` as one character or as `e` and a mark. Upper and
 * lower case are told apart.
 */
export const isSame = (a: string, b: string): boolean => a === b || a.normalize("NFC") === b.normalize("NFC")

/** The ways in which a text may have been stored: as it is, composed and decomposed. Each once. */
export const forms = (text: string): ReadonlyArray<string> => [
  ...new Set([text, text.normalize("NFC"), text.normalize("NFD")])
]

/**
 * Returns a text in the form in which a search compares: every way to write a letter becomes one. Upper and lower case
 * are the same, `ß`, `ẞ` and `SS` are, `ς` and `σ`, and composed, wide and ligature characters (Unicode NFKC).
 */
export const searchForm = (text: string): string =>
  // `ẞ` has no upper case of its own, so lower case comes first. At the end of a word JavaScript writes `Σ` as `ς`.
  text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC")

/** Marks that turn the direction of everything after them, until one that may never come (UAX 9). */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Returns a text on one line: no line break, no control character, nothing that turns the direction of what follows. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(directions, "")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()

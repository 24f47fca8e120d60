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

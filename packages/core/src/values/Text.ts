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

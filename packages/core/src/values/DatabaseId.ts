import * as Schema from "effect/Schema"

/** What an error says about a value that is not a database id. */
export const description = `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`

/** A database id: a whole number from 1. Each kind of row has a branded id of its own, such as `AccountId`. */
export const DatabaseId = Schema.Number.check(
  Schema.isInt({ expected: description }),
  Schema.isGreaterThan(0, { expected: description })
)

/** The maximum number of digits of a database id in a URL (D-HTTP-8). */
export const maxDigits = 16

/** The pattern of a database id in a URL: at most {@link maxDigits} digits, the first not 0. */
export const form = new RegExp(`^[1-9]\\d{0,${maxDigits - 1}}$`)

/**
 * Parses a database id. Returns undefined for a text that does not match {@link form}, and for a number beyond
 * `Number.MAX_SAFE_INTEGER`.
 */
export const parse = (text: string): number | undefined => {
  const id = form.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

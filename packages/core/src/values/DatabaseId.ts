import * as Schema from "effect/Schema"

/** A database id: a whole number from 1. Each kind of row has a branded id of its own, such as `AccountId`. */
export const DatabaseId = Schema.Int.check(Schema.isGreaterThan(0))

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

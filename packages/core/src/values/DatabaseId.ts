import * as Schema from "effect/Schema"

/** A database id: a whole number from 1. Each kind of row has a branded id of its own, such as `AccountId`. */
export const DatabaseId = Schema.Int.check(Schema.isGreaterThan(0))

/** The pattern of a database id in a URL: at most 16 digits, the first not 0 (D-HTTP-8). */
export const form = /^[1-9]\d{0,15}$/

/**
 * Parses a database id. Returns undefined for a text that does not match {@link form}, and for a number beyond
 * `Number.MAX_SAFE_INTEGER`.
 */
export const parse = (text: string): number | undefined => {
  const id = form.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

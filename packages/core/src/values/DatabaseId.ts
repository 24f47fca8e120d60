import * as Schema from "effect/Schema"

/** A database id: a whole number from 1. Each kind of row has a branded id of its own, such as `AccountId`. */
export const DatabaseId = Schema.Int.check(Schema.isGreaterThan(0))

/** The digits that may be a database id: a whole number from 1, with at most 16 digits (D-HTTP-8). */
export const form = /^[1-9]\d{0,15}$/

/** Returns the database id that a text writes; undefined when the text has another form or is above the largest id. */
export const parse = (text: string): number | undefined => {
  const id = form.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

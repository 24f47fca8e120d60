/** The digits that may be a database id: a whole number from 1, with at most 16 digits (D-HTTP-8). */
export const form = /^[1-9]\d{0,15}$/

/** Returns the database id that a text writes; undefined when the text has another form or is above the largest id. */
export const parse = (text: string): number | undefined => {
  const id = form.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

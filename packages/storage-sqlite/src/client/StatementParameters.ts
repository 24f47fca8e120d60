import type { SQLInputValue } from "node:sqlite"

/**
 * Returns the parameters of a statement as `node:sqlite` accepts them: booleans as 1 and 0, `undefined` as NULL.
 *
 * Throws for any other value that SQLite does not have. If the first value were an object, such as a `Date`, Node would
 * read it as named parameters, and shift all later values by one place.
 */
export const bindable = (params: ReadonlyArray<unknown>): ReadonlyArray<SQLInputValue> =>
  params.every(isBindable) ? params : params.map(toBindable)

const isBindable = (value: unknown): value is SQLInputValue => {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
      return true
    default:
      return value === null || ArrayBuffer.isView(value)
  }
}

const toBindable = (value: unknown, index: number): SQLInputValue => {
  if (isBindable(value)) {
    return value
  }
  switch (typeof value) {
    case "undefined":
      return null
    case "boolean":
      return value ? 1 : 0
    default:
      throw new TypeError(`Parameter ${index + 1} is not a SQLite value. Bind text, numbers, bigints, bytes or null`)
  }
}

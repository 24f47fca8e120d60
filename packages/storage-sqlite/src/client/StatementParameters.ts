import type { SQLInputValue } from "node:sqlite"

/**
 * The parameters of a statement as `node:sqlite` takes them: booleans as 1 and 0, `undefined` as NULL.
 *
 * Throws for anything else that is no SQLite value. Left to Node, an object in first place (a `Date`, say) would be
 * read as a record of named parameters, and every value after it would land one place too early.
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
      throw new TypeError(`Parameter ${index + 1} is no SQLite value: bind text, numbers, bigints, bytes or null`)
  }
}

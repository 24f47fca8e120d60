import * as Effect from "effect/Effect"
import { CopyValueRefused, type ValueProblem } from "./CopyError.ts"
import { type Column, type Kind, quoted, type Table } from "./CopyTable.ts"

/** A row as the database returns it. */
export type RawRow = Readonly<Record<string, unknown>>

/**
 * A row in the form that all databases share: integers in decimal, flags as 1 and 0, instants as epoch milliseconds, bytes
 * in hexadecimal, texts and JSON documents unchanged.
 */
export interface Row {
  readonly values: Readonly<Record<string, string | null>>
  /** The values as JSON, in the order of the table's columns. */
  readonly text: string
}

/** Returns a `SELECT` of all rows of a table in the form of {@link Row}. `read` reads a column in that form. */
export const select = (read: (column: Column) => string, { columns, name }: Table): string =>
  `SELECT ${columns.map((column) => `${read(column)} AS ${quoted(column.name)}`).join(", ")} FROM ${quoted(name)}`

/** Returns the row that {@link select} has read. Throws for a value that is neither a text nor NULL. */
export const make = ({ columns, name }: Table, raw: RawRow): Row => {
  const values: Record<string, string | null> = {}
  for (const column of columns) {
    const value = raw[column.name]
    if (value !== null && typeof value !== "string") throw new TypeError(`${name}.${column.name} was not read as text`)
    values[column.name] = value
  }
  return { values, text: JSON.stringify(values) }
}

/** Fails for a row with a value that the target would reject. `problemOf` returns why it would. */
export const check = (
  problemOf: (kind: Kind, value: string) => ValueProblem | undefined,
  { columns, name }: Table,
  row: Row
): Effect.Effect<void, CopyValueRefused> => {
  for (const column of columns) {
    const value = row.values[column.name] ?? null
    const problem = value === null ? undefined : problemOf(column.kind, value)
    if (problem !== undefined) {
      return Effect.fail(new CopyValueRefused({ table: name, key: keyOf(columns, row), column: column.name, problem }))
    }
  }
  return Effect.void
}

const keyOf = (columns: ReadonlyArray<Column>, { values }: Row) =>
  Object.fromEntries(columns.filter(({ isKey }) => isKey).map(({ name }) => [name, values[name] ?? null]))

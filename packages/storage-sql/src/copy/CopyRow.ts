import * as Effect from "effect/Effect"
import { type Column, type CopyDialect, quoted, type Table } from "./CopyDialect.ts"
import { CopyValueRefused } from "./CopyError.ts"
import type { RawRow } from "./CopySide.ts"

/**
 * A row in the one form that every database gives and takes: whole numbers in decimals, flags as 1 and 0, instants as
 * epoch milliseconds, bytes in hexadecimal, texts and documents to the letter.
 */
export interface Row {
  readonly values: Readonly<Record<string, string | null>>
  /** The same as JSON, its columns in the order of the table. */
  readonly text: string
}

/** Asks for all rows of a table in that form. */
export const select = (dialect: CopyDialect, { columns, name }: Table): string =>
  `SELECT ${columns.map((column) => `${dialect.read(column)} AS ${quoted(column.name)}`).join(", ")} FROM ${quoted(name)}`

/** A row that was asked for in that form. */
export const make = ({ columns, name }: Table, raw: RawRow): Row => {
  const values: Record<string, string | null> = {}
  for (const column of columns) {
    const value = raw[column.name]
    if (value !== null && typeof value !== "string") throw new TypeError(`${name}.${column.name} is no text`)
    values[column.name] = value
  }
  return { values, text: JSON.stringify(values) }
}

/** Fails for a row that a database would not take. */
export const check = (
  dialect: CopyDialect,
  { columns, name }: Table,
  row: Row
): Effect.Effect<void, CopyValueRefused> => {
  for (const column of columns) {
    const value = row.values[column.name] ?? null
    const problem = value === null ? undefined : dialect.problem(column.kind, value)
    if (problem !== undefined) {
      return Effect.fail(new CopyValueRefused({ table: name, key: keyOf(columns, row), column: column.name, problem }))
    }
  }
  return Effect.void
}

const keyOf = (columns: ReadonlyArray<Column>, { values }: Row) =>
  Object.fromEntries(columns.filter(({ isKey }) => isKey).map(({ name }) => [name, values[name] ?? null]))

import type { StepLimit } from "@frontdesk/core/background/Steps"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"

/** The rows that a sweep may delete, or whose columns it may clear. */
export interface SweptRows {
  readonly table: string
  /** The columns of the primary key. */
  readonly key: ReadonlyArray<string>
  /** The condition for these rows. `?1` is the time of the sweep. An index has the rows in `order`. */
  readonly where: string
  readonly order: string
  /** The columns whose sizes limit a step. Without any, only the number of rows does. */
  readonly sized: ReadonlyArray<string>
}

/** Changes the rows of one step. Returns how many rows it changed. */
export type Sweep = (at: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>

/** Returns the sweep that deletes rows. */
export const deletion = (database: Database["Service"], operation: string, rows: SweptRows): Sweep =>
  changing(database, operation, rows, `DELETE FROM ${rows.table}`)

/** Returns the sweep that changes columns of rows. `assignments` is what follows `SET`. */
export const update = (database: Database["Service"], operation: string, rows: SweptRows, assignments: string): Sweep =>
  changing(database, operation, rows, `UPDATE ${rows.table} SET ${assignments}`)

const changing = (database: Database["Service"], operation: string, swept: SweptRows, change: string): Sweep => {
  const { dialect } = database
  const changed = database.all(operation, Column.Found)
  const columns = swept.key.join(", ")
  const isOneOf = (select: string) =>
    swept.key.length === 1 ? dialect.isOneOfRows(columns, select) : `(${columns}) IN (${select})`
  return (at, limit) =>
    Effect.map(
      changed(`${change} WHERE ${isOneOf(keys(dialect, swept, limit))} RETURNING ${columns}`, [
        dialect.time(at),
        limit.bytes
      ]),
      (rows) => rows.length
    )
}

/**
 * Returns the `SELECT` of the keys of the rows that one step changes. These are the first unlocked rows by `order`, as
 * many as the limits in rows and in bytes allow, and at least one (D-STO-9). The limit in bytes is `?2`. The limit in
 * rows is part of the text: for a parameter PostgreSQL would assume a tenth of the table, and read all of it.
 */
const keys = (dialect: Dialect, { key, order, sized, table, where }: SweptRows, { rows }: StepLimit): string => {
  const columns = key.join(", ")
  const bytes = sized.map((column) => `coalesce(${dialect.storedBytes(column)}, 0)`).join(" + ") || "0"
  return `SELECT ${columns} FROM (
      SELECT ${columns}, bytes, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) AS total FROM (
        SELECT ${columns}, bytes, row_number() OVER () AS place FROM (
          SELECT ${columns}, ${bytes} AS bytes FROM ${table}
          WHERE ${where} ORDER BY ${order} LIMIT ${rows}${dialect.skipLocked}
        ) AS going
      ) AS going
    ) AS going WHERE total <= ?2 OR total = bytes`
}

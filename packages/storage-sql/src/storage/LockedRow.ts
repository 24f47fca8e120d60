import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"
import type * as RowReader from "./RowReader.ts"

/** How a row is locked and read. */
export interface LockedRow<S extends RowReader.RowSchema> {
  readonly row: S
  readonly table: string
  /** A `SELECT` of every column of the row schema, to be followed by `WHERE`. */
  readonly select: string
}

/**
 * Returns a function that locks the row of a table that meets a condition, until the transaction ends. It returns the
 * row with everything that `select` reads, such as columns of joined rows.
 *
 * Where transactions are concurrent, this takes two statements (D-PG-3). A single statement would read joined rows as
 * they were when it began, although it then waited for the lock: at READ COMMITTED, PostgreSQL reads only the locked
 * row again. A change based on that read would undo what the previous transaction wrote to the other tables. The second
 * statement begins after the lock and sees everything.
 */
export const first = <S extends RowReader.RowSchema>(
  database: Database["Service"],
  operation: string,
  { row, select, table }: LockedRow<S>
): ((condition: string, params: ReadonlyArray<unknown>) => Effect.Effect<Option.Option<S["Type"]>, StorageError>) => {
  const { dialect } = database
  const found = database.first(operation, row)
  if (!dialect.isConcurrent) return (condition, params) => found(`${select} WHERE ${condition}`, params)
  const locked = database.first(operation, Column.Key)
  const foundText = `${select} WHERE ${table}.id = ?1`
  return (condition, params) =>
    Effect.flatMap(
      locked(`SELECT ${table}.id FROM ${table} WHERE ${condition}${dialect.forUpdate(table)}`, params),
      Option.match({ onNone: () => Effect.succeedNone, onSome: ({ id }) => found(foundText, [id]) })
    )
}

import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"
import type * as RowDecoder from "./RowDecoder.ts"

/** What is read of a locked row. */
export interface LockedRow<S extends RowDecoder.RowSchema> {
  readonly row: S
  readonly table: string
  /** Reads every column of the row schema; `WHERE` follows. */
  readonly select: string
}

/**
 * Locks the row of a table that meets a condition until the transaction ends, and returns it with all that `select`
 * reads beside it, such as joined rows.
 *
 * Where transactions run at once, this takes two statements. One statement would read the joined rows as they were when
 * it began, although it waited for the lock: PostgreSQL, at READ COMMITTED, reads only the locked row again. A change
 * based on that read would undo what the transaction before wrote to the other tables. The second statement begins after
 * the lock and sees all of it.
 */
export const first = <S extends RowDecoder.RowSchema>(
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

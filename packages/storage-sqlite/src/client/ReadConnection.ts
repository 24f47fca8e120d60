import * as Effect from "effect/Effect"
import type { Acquirer, Borrower, Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"

/**
 * A `SELECT` can only read. The three functions tell what the connection itself wrote last, so they go to the writer.
 * Other reads (`WITH`, `VALUES`, `PRAGMA`) go there too: correct, but in line with the writes.
 */
const isRead = (sql: string): boolean => /^\s*select\s+(?!changes|total_changes|last_insert_rowid)/i.test(sql)

/**
 * A connection for statements outside transactions: reads go to a connection that only reads, all else waits its turn
 * for the one that writes.
 *
 * In WAL mode a read on a second connection sees what is committed when it starts, never more and never less, and does
 * not wait for a transaction that is open. A stream reads one state from first row to last, so it gets a connection of
 * its own: on the shared one it would hold every later read at its own state.
 */
export const make = (options: {
  readonly reader: Connection
  readonly streamReader: Acquirer
  readonly borrowWriter: Borrower
  readonly acquireWriter: Acquirer
}): Connection => {
  const { acquireWriter, borrowWriter, reader, streamReader } = options
  const choose = <A>(sql: string, use: (connection: Connection) => Effect.Effect<A, SqlError>) =>
    isRead(sql) ? use(reader) : borrowWriter(use)
  return {
    execute: (sql, params, transformRows) => choose(sql, (_) => _.execute(sql, params, transformRows)),
    executeRaw: (sql, params) => choose(sql, (_) => _.executeRaw(sql, params)),
    executeValues: (sql, params) => choose(sql, (_) => _.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) => choose(sql, (_) => _.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transformRows) =>
      choose(sql, (_) => _.executeUnprepared(sql, params, transformRows)),
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(
        Effect.map(isRead(sql) ? streamReader : acquireWriter, (_) => _.executeStream(sql, params, transformRows))
      )
  }
}

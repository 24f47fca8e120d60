import { columnsOf, type DriverConnection, type Lend } from "@frontdesk/storage-sql/driver/Driver"
import { CurrentLongRead } from "@frontdesk/storage-sql/storage/LongRead"
import * as TextCache from "@frontdesk/storage-sql/storage/TextCache"
import * as Effect from "effect/Effect"
import { SafeIntegers } from "effect/sql/SqlClient"
import type { Acquirer } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { LongReads, Result } from "./LongReads.ts"
import { bindable } from "./StatementParameters.ts"

/**
 * Returns whether a statement can use the read-only connection. A `SELECT` can, unless it has `changes`, `total_changes`
 * or `last_insert_rowid`, which report what the connection itself wrote. Other reads (`WITH`, `VALUES`, `PRAGMA`) use the
 * connection that writes, and wait for writes.
 */
const isRead = TextCache.byText((sql) => /^\s*select\b(?!.*\b(?:(?:total_)?changes|last_insert_rowid)\b)/is.test(sql))

/** Returns whether a statement writes, and may run in a transaction. */
const isWrite = TextCache.byText((sql) => /^\s*(?:insert|update|delete|replace)\b/i.test(sql))

/**
 * Returns a connection for statements outside transactions, which uses the read-only connection where it can. A statement
 * that writes is a transaction of its own, which commits together with others (D-LITE-11). All other statements wait
 * for the connection that writes (D-LITE-1).
 *
 * In WAL mode, a read on a second connection sees exactly what is committed when it begins, and does not wait for an
 * open transaction. A stream reads one state of the database from its first row to its last, so it gets its own
 * connection. On the shared connection, every read during an open stream would see the state at which the stream began.
 */
export const make = (options: {
  readonly reader: DriverConnection
  /** Runs long reads on other threads. */
  readonly longReads: LongReads
  readonly streamReader: Acquirer
  readonly lendForWrite: Lend
  readonly lendAlone: Lend
  readonly acquireWriter: Acquirer
}): DriverConnection => {
  const { acquireWriter, lendAlone, lendForWrite, longReads, reader, streamReader } = options
  const writing = <A, E>(sql: string, use: (connection: DriverConnection) => Effect.Effect<A, E | SqlError>) =>
    isWrite(sql) ? lendForWrite(use) : lendAlone(use)
  const choose = <A, E>(sql: string, use: (connection: DriverConnection) => Effect.Effect<A, E | SqlError>) =>
    isRead(sql) ? use(reader) : writing(sql, use)
  /** Runs a long read of the fiber on another thread (D-LITE-10), and every other read by `onThisThread`. */
  const ifLong = <A, E>(
    sql: string,
    params: ReadonlyArray<unknown>,
    read: (result: Result) => Effect.Effect<A, E>,
    onThisThread: () => Effect.Effect<A, E | SqlError>
  ): Effect.Effect<A, E | SqlError> =>
    Effect.withFiber((fiber) => {
      const accountId = fiber.getRef(CurrentLongRead)
      if (accountId === null) return onThisThread()
      return longReads.run(
        accountId,
        { sql, params: bindable(params), bigints: fiber.getRef(SafeIntegers) },
        read,
        onThisThread
      )
    })
  return {
    query: (sql, params, read) =>
      isRead(sql)
        ? ifLong(
            sql,
            params,
            ({ columns, rows }) => read(columnsOf(columns), rows),
            () => reader.query(sql, params, read)
          )
        : writing(sql, (_) => _.query(sql, params, read)),
    execute: (sql, params, transformRows) =>
      isRead(sql)
        ? ifLong(
            sql,
            params,
            (result) =>
              Effect.succeed(transformRows === undefined ? toObjects(result) : transformRows(toObjects(result))),
            () => reader.execute(sql, params, transformRows)
          )
        : writing(sql, (_) => _.execute(sql, params, transformRows)),
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

const toObjects = ({ columns, rows }: Result): ReadonlyArray<object> =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))

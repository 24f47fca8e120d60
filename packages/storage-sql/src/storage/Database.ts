import * as Signal from "@frontdesk/core/background/Signal"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { CurrentConcurrency, Transaction } from "@frontdesk/core/storage/Transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Driver from "../driver/Driver.ts"
import { inCamelCase } from "./ColumnNames.ts"
import { corrupt, failed, undecoded } from "./DatabaseFailure.ts"
import * as NestedTransaction from "./NestedTransaction.ts"
import * as RowReader from "./RowReader.ts"
import * as UnreadableRows from "./UnreadableRows.ts"

const ignoreRows: Driver.Read<void, never> = () => Effect.void

/** Runs a statement with parameters. */
type Statement<A> = (text: string, params?: ReadonlyArray<unknown>) => Effect.Effect<A, StorageError>

/** A lock of a transaction on a row of an operation: the number that it locks, and the number of the row. */
export interface NumberedLock {
  readonly number: number
  readonly row: number
}

/**
 * The SQL client as stores use it. It prepares each text once and decodes rows.
 *
 * The first argument of every method, `operation`, is the store method that errors name, such as `CallStore.find`.
 * Parameters of statements are written `?1`, `?2`. A statement should have the same text in each execution.
 */
export class Database extends Context.Service<
  Database,
  {
    /** The dialect of the database. */
    readonly dialect: Dialect
    /**
     * Returns the decoded rows of a statement. Fails when a row does not decode. The schema is compiled when the store
     * is made.
     */
    readonly all: <S extends RowReader.RowSchema>(operation: string, row: S) => Statement<ReadonlyArray<S["Type"]>>
    /**
     * Returns the rows of a statement that decode. Each other row is logged, counted and left out (D-STO-8). Use it for
     * queues and lists, where one unreadable row must not hide the others. Do not use it where the absence of a row has
     * a meaning.
     */
    readonly readable: <S extends RowReader.RowSchema>(operation: string, row: S) => Statement<ReadonlyArray<S["Type"]>>
    /** Returns the first row of a statement, if it has one. */
    readonly first: <S extends RowReader.RowSchema>(operation: string, row: S) => Statement<Option.Option<S["Type"]>>
    /**
     * Returns the first row of a `SELECT` that finds few rows by an index and waits for no lock. Outside a transaction it
     * may share a connection with other look-ups, which wait for it (D-PG-2).
     */
    readonly lookUp: <S extends RowReader.RowSchema>(operation: string, row: S) => Statement<Option.Option<S["Type"]>>
    /** Returns the row of a statement that always has one. Fails when it has none. */
    readonly one: <S extends RowReader.RowSchema>(operation: string, row: S) => Statement<S["Type"]>
    /** Runs a statement and ignores its rows. */
    readonly run: (operation: string) => Statement<void>
    /**
     * Like `run`, but in a transaction it may be sent together with later statements. If it fails, the next statement
     * whose rows are needed fails with its error, or the COMMIT (D-PG-34). Use it where a failure undoes the whole
     * transaction, and `run` where it is handled.
     */
    readonly send: (operation: string) => Statement<void>
    /**
     * Makes every other transaction that locks the same row for the same operation wait until this transaction ends.
     * Each row that was ever locked stays in the table, so an operation with unlimited numbers has fewer rows than
     * numbers. A transaction that locks several rows locks them in ascending order.
     *
     * @param number the number that servers of the previous version lock
     * @param row the number of the row; the default is `number`
     */
    readonly lock: (operation: string, number: number, row?: number) => Effect.Effect<void, StorageError>
    /**
     * Locks several rows of an operation in one statement, as `lock` does for each, in an order that is the same in all
     * transactions.
     */
    readonly lockAll: (operation: string, numbers: ReadonlyArray<NumberedLock>) => Effect.Effect<void, StorageError>
    /** Runs statements in a new transaction, or in a savepoint of the open one. All of them take effect or none. */
    readonly atomically: (
      operation: string
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
    /**
     * Runs statements in the open transaction without a savepoint, or in a new transaction if none is open. In an open
     * transaction, a failure leaves earlier statements to be rolled back with that transaction.
     */
    readonly inTransaction: (
      operation: string
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  }
>()("@frontdesk/storage-sql/storage/Database") {
  /**
   * Makes the database of a client. The client's own renaming of columns is switched off, because rows are decoded by
   * the names in the migrations.
   */
  static readonly layer: Layer.Layer<Database, never, SqlClient.SqlClient> = Layer.effect(
    Database,
    Effect.map(SqlClient.SqlClient, (client) => {
      const sql = client.withoutTransforms()
      const driver = Driver.make(sql)
      const dialect = ClientDialect.of(sql)
      const execute = <A>(
        operation: string,
        text: string,
        params: ReadonlyArray<unknown>,
        read: Driver.Read<A, StorageError>,
        query = driver.query
      ): Effect.Effect<A, StorageError> =>
        Effect.mapError(query(dialect.text(text), params, read), (error) =>
          error._tag === "SqlError" ? failed(operation)(error) : error
        )
      const record = (columns: ReadonlyArray<string>, row: ReadonlyArray<unknown>) =>
        inCamelCase(columns, dialect.toStored === null ? row : row.map(dialect.toStored))

      const rowsOf = <S extends RowReader.RowSchema>(
        operation: string,
        row: S
      ): Driver.Read<ReadonlyArray<S["Type"]>, StorageError> => {
        const readerOf = RowReader.compile(row, dialect.toStored)
        const bySchema = Schema.decodeUnknownResult(Schema.Array(row))
        return inSteps<S["Type"]>((columns, rows) => {
          const reader = readerOf(columns)
          const decoded: Array<S["Type"]> = []
          for (const row of rows) {
            const value = reader(row)
            if (value === undefined) {
              const records = rows.map((row) => record(columns, row))
              return Effect.fromResult(Result.mapError(bySchema(records), undecoded(operation)))
            }
            decoded.push(value)
          }
          return Effect.succeed(decoded)
        })
      }

      const readable = <S extends RowReader.RowSchema>(
        operation: string,
        row: S
      ): Statement<ReadonlyArray<S["Type"]>> => {
        const readerOf = RowReader.compile(row, dialect.toStored)
        const bySchema = Schema.decodeUnknownResult(row)
        const read: Driver.Read<ReadonlyArray<S["Type"]>, StorageError> = (columns, rows) => {
          const reader = readerOf(columns)
          const decoded: Array<S["Type"]> = []
          const unreadable: Array<Effect.Effect<void>> = []
          for (const row of rows) {
            const value = reader(row)
            if (value !== undefined) {
              decoded.push(value)
              continue
            }
            const given = record(columns, row)
            const result = bySchema(given)
            if (Result.isSuccess(result)) decoded.push(result.success)
            else unreadable.push(UnreadableRows.report(operation, given, undecoded(operation)(result.failure)))
          }
          return unreadable.length === 0
            ? Effect.succeed(decoded)
            : Effect.as(Effect.all(unreadable, { discard: true }), decoded)
        }
        return (text, params = []) => execute(operation, text, params, read)
      }

      const firstBy = <S extends RowReader.RowSchema>(
        query: Driver.Query,
        operation: string,
        row: S
      ): Statement<Option.Option<S["Type"]>> => {
        const rows = rowsOf(operation, row)
        const read: Driver.Read<Option.Option<S["Type"]>, StorageError> = (columns, found) =>
          Effect.mapEager(rows(columns, found), ([first]) => Option.fromUndefinedOr(first))
        return (text, params = []) => execute(operation, text, params, read, query)
      }

      const send =
        (operation: string): Statement<void> =>
        (text, params = []) =>
          Effect.mapError(driver.send(dialect.text(text), params), failed(operation))

      return Database.of({
        dialect,
        all: (operation, row) => {
          const read = rowsOf(operation, row)
          return (text, params = []) => execute(operation, text, params, read)
        },
        readable,
        first: (operation, row) => firstBy(driver.query, operation, row),
        lookUp: (operation, row) => firstBy(driver.lookUp, operation, row),
        one: (operation, row) => {
          const found = firstBy(driver.query, operation, row)
          return (text, params) =>
            Effect.flatMap(
              found(text, params),
              Option.match({
                onNone: () => Effect.fail(corrupt(operation, "a statement that always returns a row returned none")),
                onSome: Effect.succeed
              })
            )
        },
        run:
          (operation) =>
          (text, params = []) =>
            execute(operation, text, params, ignoreRows),
        send,
        lock: (operation, number, row = number) =>
          dialect.lock === null ? Effect.void : send(operation)(dialect.lock, [operation, number, row]),
        lockAll: (operation, numbers) =>
          dialect.lockAll === null || numbers.length === 0
            ? Effect.void
            : send(operation)(dialect.lockAll, [operation, JSON.stringify(numbers)]),
        atomically: (operation) => (effect) => NestedTransaction.run(sql, operation, effect),
        inTransaction: (operation) => (effect) => NestedTransaction.join(sql, operation, effect)
      })
    })
  )
}

/** How many rows are decoded before other fibers may run. */
const stepRows = 1_000

/** Returns a reader that reads many rows in steps, between which other fibers may run. */
const inSteps =
  <A>(read: Driver.Read<ReadonlyArray<A>, StorageError>): Driver.Read<ReadonlyArray<A>, StorageError> =>
  (columns, rows) =>
    rows.length <= stepRows
      ? read(columns, rows)
      : Effect.gen(function* () {
          const decoded: Array<A> = []
          for (let start = 0; start < rows.length; start += stepRows) {
            if (start > 0) yield* Effect.yieldNow
            decoded.push(...(yield* read(columns, rows.slice(start, start + stepRows))))
          }
          return decoded
        })

/** The `Transaction` of the database. A transaction inside another one is a savepoint. */
export const layerTransaction: Layer.Layer<Transaction, never, Database> = Layer.effect(
  Transaction,
  Effect.map(Database, (database) => {
    const atomically = database.atomically("Transaction.run")
    const together = database.dialect.isConcurrent ? Effect.provideService(CurrentConcurrency, "unbounded") : identity
    return Transaction.of({ run: (effect) => Signal.afterTransaction(atomically(together(effect))) })
  })
)

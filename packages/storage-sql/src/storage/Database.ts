import * as Signal from "@frontdesk/core/background/Signal"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"
import { inCamelCase } from "./ColumnNames.ts"
import { corrupt, failed, undecoded } from "./DatabaseFailure.ts"
import * as NestedTransaction from "./NestedTransaction.ts"
import * as RowDecoder from "./RowDecoder.ts"
import * as UnreadableRows from "./UnreadableRows.ts"

/** A statement with its parameters. */
type Statement<A> = (text: string, params?: ReadonlyArray<unknown>) => Effect.Effect<A, StorageError>

/**
 * The client as repositories use it: texts that do not change from call to call, so that each is prepared once, and
 * rows that are decoded.
 *
 * The first argument of every method names the store's method for the error. Parameters are written `?1`, `?2`.
 */
export class Database extends Context.Service<
  Database,
  {
    readonly dialect: Dialect.Dialect
    /** The decoded rows of a statement. The schema is compiled when the store is made. */
    readonly all: <S extends RowDecoder.RowSchema>(operation: string, row: S) => Statement<ReadonlyArray<S["Type"]>>
    /**
     * The rows of a statement that decode. Each of the others is logged, counted and left out: for queues and lists, where
     * one bad row must not take the others with it. Not for rows from which something is concluded when they are absent.
     */
    readonly sound: <S extends RowDecoder.RowSchema>(operation: string, row: S) => Statement<ReadonlyArray<S["Type"]>>
    /** The first row of a statement. */
    readonly first: <S extends RowDecoder.RowSchema>(operation: string, row: S) => Statement<Option.Option<S["Type"]>>
    /** The one row of a statement that always has one. */
    readonly one: <S extends RowDecoder.RowSchema>(operation: string, row: S) => Statement<S["Type"]>
    /** A statement that answers nothing. */
    readonly run: (operation: string) => Statement<void>
    /** Makes every other transaction that locks the same number for the same operation wait until this one ends. */
    readonly lock: (operation: string, number: number) => Effect.Effect<void, StorageError>
    /** Runs statements as one: all of them or none. */
    readonly atomically: (
      operation: string
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
    /**
     * The same for statements that are only part of a transaction: one that is open already they share, without a
     * savepoint, so a failure leaves what came before it to be undone with the whole transaction.
     */
    readonly together: (
      operation: string
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  }
>()("@frontdesk/storage-sql/storage/Database") {
  /** The client, without its own renaming of columns: rows are decoded by the names the migrations gave. */
  static readonly layer: Layer.Layer<Database, never, SqlClient.SqlClient> = Layer.effect(
    Database,
    Effect.map(SqlClient.SqlClient, (client) => {
      const sql = client.withoutTransforms()
      const dialect = Dialect.of(sql)
      const execute = (operation: string, text: string, params: ReadonlyArray<unknown>) =>
        Effect.mapError(sql.unsafe<object>(dialect.text(text), params), failed(operation))

      const all = <S extends RowDecoder.RowSchema>(operation: string, row: S): Statement<ReadonlyArray<S["Type"]>> => {
        const decode = RowDecoder.compile(row)
        const bySchema = Schema.decodeUnknownResult(Schema.Array(row))
        return (text, params = []) =>
          Effect.flatMap(execute(operation, text, params), (found) => {
            const rows = dialect.rows(found)
            const decoded: Array<S["Type"]> = []
            for (const row of rows) {
              const value = decode(row)
              if (value === undefined) {
                return Effect.fromResult(Result.mapError(bySchema(rows.map(inCamelCase)), undecoded(operation)))
              }
              decoded.push(value)
            }
            return Effect.succeed(decoded)
          })
      }

      const sound = <S extends RowDecoder.RowSchema>(
        operation: string,
        row: S
      ): Statement<ReadonlyArray<S["Type"]>> => {
        const decode = RowDecoder.compile(row)
        const bySchema = Schema.decodeUnknownResult(row)
        return (text, params = []) =>
          Effect.flatMap(execute(operation, text, params), (found) => {
            const decoded: Array<S["Type"]> = []
            const left: Array<Effect.Effect<void>> = []
            for (const row of dialect.rows(found)) {
              const value = decode(row)
              const result = value === undefined ? bySchema(inCamelCase(row)) : Result.succeed(value)
              if (Result.isSuccess(result)) decoded.push(result.success)
              else left.push(UnreadableRows.report(operation, row, undecoded(operation)(result.failure)))
            }
            return left.length === 0 ? Effect.succeed(decoded) : Effect.as(Effect.all(left, { discard: true }), decoded)
          })
      }

      const first = <S extends RowDecoder.RowSchema>(
        operation: string,
        row: S
      ): Statement<Option.Option<S["Type"]>> => {
        const rows = all(operation, row)
        return (text, params) => Effect.map(rows(text, params), (found) => Option.fromUndefinedOr(found[0]))
      }

      return Database.of({
        dialect,
        all,
        sound,
        first,
        one: (operation, row) => {
          const found = first(operation, row)
          return (text, params) =>
            Effect.flatMap(
              found(text, params),
              Option.match({
                onNone: () => Effect.fail(corrupt(operation, "a statement that always has a row had none")),
                onSome: Effect.succeed
              })
            )
        },
        run:
          (operation) =>
          (text, params = []) =>
            Effect.asVoid(execute(operation, text, params)),
        lock: (operation, number) =>
          dialect.lock === null ? Effect.void : Effect.asVoid(execute(operation, dialect.lock, [operation, number])),
        atomically: (operation) => (effect) => NestedTransaction.run(sql, operation, effect),
        together: (operation) => (effect) => NestedTransaction.join(sql, operation, effect)
      })
    })
  )
}

/** Transactions of the database; one inside another is a savepoint. */
export const layerTransaction: Layer.Layer<Transaction, never, Database> = Layer.effect(
  Transaction,
  Effect.map(Database, (database) => {
    const atomically = database.atomically("Transaction.run")
    return Transaction.of({ run: (effect) => Signal.afterTransaction(atomically(effect)) })
  })
)

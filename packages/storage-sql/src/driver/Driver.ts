import * as Signal from "@frontdesk/core/background/Signal"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { hasProperty } from "effect/Predicate"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as TextCache from "../storage/TextCache.ts"

/**
 * Reads what a statement returned: the names of its columns, and its rows, whose values have the order of the columns.
 * Statements with the same columns should pass the same array of columns, for which a `RowReader` is made once.
 */
export type Read<A, E> = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>
) => Effect.Effect<A, E>

/** Runs a statement, whose text lists its columns by name, and reads its rows. */
export type Query = <A, E>(
  text: string,
  params: ReadonlyArray<unknown>,
  read: Read<A, E>
) => Effect.Effect<A, E | SqlError>

/** A connection that runs a statement for a {@link Driver}. */
export interface DriverConnection extends Connection {
  readonly query: Query
  /**
   * Runs a statement without waiting for it. If it fails, the next statement of the connection fails with its error.
   * Absent where waiting costs nothing.
   */
  readonly send?: Send
  /** Waits for the statements of `send`, and fails with the error of the first that failed. */
  readonly flush?: Effect.Effect<void, SqlError>
}

/** Runs a statement whose rows are not needed. */
export type Send = (text: string, params: ReadonlyArray<unknown>) => Effect.Effect<void, SqlError>

/** Lends a connection for one statement outside a transaction. */
export type Lend = <A, E>(
  use: (connection: DriverConnection) => Effect.Effect<A, E | SqlError>
) => Effect.Effect<A, E | SqlError>

/**
 * Port: how the stores run a statement. `SqlClient` builds a statement, a span and a row object for each execution; a
 * driver passes the text to the connection and its rows to the reader.
 *
 * An adapter guarantees:
 *
 * - In a transaction of the client, the statement runs on the connection of that transaction.
 * - It has the errors of the client, and waits for locks as the client does.
 * - A traced statement has the span of the client.
 */
export interface Driver {
  readonly query: Query
  /**
   * Like `query`, for a `SELECT` of few rows that waits for no lock. Outside a transaction, an adapter may run it on a
   * connection on which other statements run too.
   */
  readonly lookUp: Query
  /**
   * Runs a statement whose rows are not needed. In a transaction, an adapter may send it together with the next statement
   * or the COMMIT. If it fails, these fail with its error.
   */
  readonly send: Send
}

/** How a client runs the statements of a {@link Driver} outside a transaction. */
export interface Lending {
  readonly lend: Lend
  /** Runs a {@link Driver.lookUp}. By default it runs as every other statement. */
  readonly lookUp?: Query
}

const key = Symbol.for("@frontdesk/storage-sql/driver/Driver/lending")

/**
 * Changes a client whose connections are {@link DriverConnection}s, and returns it. {@link make} finds `lending` in it and in
 * its copies. A transaction that a program begins with `withTransaction` sends the signals of the services in it after its
 * end, as `Transaction` does. A worker that was notified before the commit would find no work.
 */
export const attach = <C extends SqlClient>(client: C, lending: Lending): C => {
  const { withTransaction } = client
  const signalling: SqlClient["withTransaction"] = (effect) => Signal.afterTransaction(withTransaction(effect))
  return Object.assign(client, { [key]: lending, withTransaction: signalling })
}

/**
 * Returns the driver of a client. A client without {@link attach}, from another package, runs each statement itself. So
 * does every client while its statements are observed by a tracer or a `Statement.CurrentTransformer`.
 */
export const make = (client: SqlClient): Driver => {
  const byClient: Query = (text, params, read) =>
    Effect.flatMap(client.unsafe<Readonly<Record<string, unknown>>>(text, params), (rows) => {
      const columns = columnsOf(Object.keys(rows[0] ?? {}))
      return read(columns, inOrder(columns, rows))
    })
  const sendByClient: Send = (text, params) => byClient(text, params, ignoreRows)
  const lending = lendingOf(client)
  if (lending === undefined) return { query: byClient, lookUp: byClient, send: sendByClient }
  const { lend } = lending
  const outsideQuery: Query = (text, params, read) => lend((connection) => connection.query(text, params, read))
  const { lookUp: outsideLookUp = outsideQuery } = lending

  /** Returns the connection of the open transaction: `byClient` where the client must run the statement itself. */
  const connectionOf = (fiber: Fiber.Fiber<unknown, unknown>): DriverConnection | "byClient" | "outside" => {
    if (isObserved(fiber)) return "byClient"
    const transaction = Context.getOrUndefined(fiber.context, client.transactionService)
    if (transaction === undefined) return "outside"
    const [connection] = transaction
    return isDriverConnection(connection) ? connection : "byClient"
  }
  const querying =
    (outside: Query): Query =>
    (text, params, read) =>
      Effect.withFiber((fiber) => {
        const connection = connectionOf(fiber)
        if (connection === "byClient") return byClient(text, params, read)
        return connection === "outside" ? outside(text, params, read) : connection.query(text, params, read)
      })
  return {
    query: querying(outsideQuery),
    lookUp: querying(outsideLookUp),
    send: (text, params) =>
      Effect.withFiber((fiber) => {
        const connection = connectionOf(fiber)
        if (connection === "byClient") return sendByClient(text, params)
        if (connection === "outside") return outsideQuery(text, params, ignoreRows)
        return connection.send === undefined
          ? connection.query(text, params, ignoreRows)
          : connection.send(text, params)
      })
  }
}

/**
 * Waits for the statements of the open transaction that were sent without waiting for them. A savepoint must not end
 * before, so that it fails because of its own statements.
 */
export const flush = (client: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.withFiber((fiber) => {
    const transaction = Context.getOrUndefined(fiber.context, client.transactionService)
    if (transaction === undefined) return Effect.void
    const [connection] = transaction
    return isDriverConnection(connection) && connection.flush !== undefined ? connection.flush : Effect.void
  })

const ignoreRows: Read<void, never> = () => Effect.void

const isLending = (value: unknown): value is Lending => hasProperty(value, "lend")

const lendingOf = (client: SqlClient): Lending | undefined =>
  hasProperty(client, key) && isLending(client[key]) ? client[key] : undefined

const isDriverConnection = (connection: Connection): connection is DriverConnection => hasProperty(connection, "query")

/** Returns whether a span of the statement would be recorded, or the statement be transformed. */
const isObserved = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  Tracing.isTraced(fiber) || fiber.getRef(Statement.CurrentTransformer) !== undefined

/** Returns row objects as arrays, whose values have the order of the columns. */
export const inOrder = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReadonlyArray<ReadonlyArray<unknown>> => rows.map((row) => columns.map((column) => row[column]))

// A name of a column has no NUL.
const interned = TextCache.byText((names: string): ReadonlyArray<string> => names.split("\0"))

const none: ReadonlyArray<string> = []

/** Returns the names of columns as an array that is the same for the same names. */
export const columnsOf = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0 ? none : interned(names.join("\0"))

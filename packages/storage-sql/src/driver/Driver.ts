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
}

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
}

const lends = Symbol.for("@frontdesk/storage-sql/driver/Driver/lends")

/**
 * Returns a client whose connections are {@link DriverConnection}s. {@link make} finds `lend` in it and in its copies.
 */
export const attach = <C extends SqlClient>(client: C, lend: Lend): C => Object.assign(client, { [lends]: lend })

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
  const lend = lendOf(client)
  if (lend === undefined) return { query: byClient }
  return {
    query: (text, params, read) =>
      Effect.withFiber((fiber) => {
        if (isObserved(fiber)) return byClient(text, params, read)
        const transaction = Context.getOrUndefined(fiber.context, client.transactionService)
        if (transaction === undefined) return lend((connection) => connection.query(text, params, read))
        const [connection] = transaction
        return isDriverConnection(connection) ? connection.query(text, params, read) : byClient(text, params, read)
      })
  }
}

const isLend = (value: unknown): value is Lend => typeof value === "function"

const lendOf = (client: SqlClient): Lend | undefined =>
  hasProperty(client, lends) && isLend(client[lends]) ? client[lends] : undefined

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

import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type { Outage } from "@frontdesk/core/storage/Outage"
import type { Workload } from "@frontdesk/core/storage/Workload"
import * as RecentMap from "@frontdesk/core/values/RecentMap"
import { columnsOf, type DriverConnection, inOrder, type Read } from "@frontdesk/storage-sql/driver/Driver"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Deadline from "./Deadline.ts"

/** Returns the error for a connection that could not be opened or was lost. */
export const lost = (message: string, operation: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ message, operation, cause: new Error(message) }) })

/** Returns the error for a response that did not come in time. */
export const unanswered = (millis: number) => (): SqlError =>
  lost(`PostgreSQL did not respond within ${millis / 1000} seconds`, "query")

/** Returns whether the server rejected a statement and keeps the session. An error that ends the session is FATAL. */
const keepsSession = ({ reason }: SqlError): boolean =>
  hasProperty(reason.cause, "severityUnlocalized") && reason.cause.severityUnlocalized === "ERROR"

/** Statements after which nothing of a lost connection can be committed, whether they reach the server or not. */
const undoing = /^(ROLLBACK|RELEASE)\b/

/** How the statements of a connection are supervised. */
interface Supervision {
  /** How long a response may take, in milliseconds. Then the connection counts as lost. */
  readonly responseTimeout: number
  readonly outage: Outage
}

/** The maximum number of statements whose columns are cached. */
const maxStatements = 1_000

/** The columns of statements by their text, which is the same for all connections. */
const columnsByText = new Map<string, ReadonlyArray<string>>()

/**
 * A connection as `effect/sql` uses it. Without `supervision` it serves a single statement, which its user supervises.
 *
 * With the workload `request`, a fiber yields to its scheduler after each response. Otherwise it would continue while
 * sockets are read, and all fibers with a response would run before any other fiber.
 */
export class PostgresConnection implements DriverConnection {
  readonly #connection: PgConnection.PgConnection
  readonly #workload: Workload
  readonly #supervision: Supervision | undefined
  #isLost = false

  constructor(connection: PgConnection.PgConnection, workload: Workload, supervision?: Supervision) {
    this.#connection = connection
    this.#workload = workload
    this.#supervision = supervision
  }

  /**
   * Whether the server will not respond on this connection any more. It has rolled back the transaction, or will,
   * unless the connection was lost during the COMMIT.
   */
  get isLost(): boolean {
    return this.#isLost
  }

  /**
   * Runs a statement of the stores. The client returns rows as arrays without the names of their columns, so the first
   * execution of a text reads objects.
   */
  query<A, E>(sql: string, params: ReadonlyArray<unknown>, read: Read<A, E>): Effect.Effect<A, E | SqlError> {
    const known = columnsByText.get(sql)
    if (known !== undefined) {
      return Effect.flatMap(this.executeValues(sql, params), (rows) => read(known, rows))
    }
    return Effect.flatMap(this.executeRaw(sql, params), ({ fields, rows }) => {
      const columns = columnsOf(fields.map(({ name }) => name))
      RecentMap.set(columnsByText, sql, columns, maxStatements)
      return read(columns, inOrder(columns, rows))
    })
  }

  execute(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(sql, params, true)
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(sql, params, false)
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>): Effect.Effect<PgConnection.Result, SqlError> {
    return this.#inTime(this.#connection.query(sql, params))
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.#inTime(this.#connection.queryValues(sql, params))
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#inTime(this.#connection.queryValues(sql, params, false))
  }

  /** Streams rows. Only the server limits how long that takes. */
  executeStream(sql: string, params: ReadonlyArray<unknown>) {
    return this.#connection.stream(sql, params)
  }

  #rows(sql: string, params: ReadonlyArray<unknown>, prepare: boolean) {
    const rows = Effect.map(this.#inTime(this.#connection.query(sql, params, prepare)), (result) => result.rows)
    // A lost connection has already rolled back, so these statements succeed. A failure here would replace the original
    // error of the transaction.
    return undoing.test(sql)
      ? Effect.catchIf(
          rows,
          () => this.#isLost,
          () => Effect.succeed([])
        )
      : rows
  }

  #inTime<A>(answer: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return this.#workload === "request"
      ? Effect.tap(this.#supervised(answer), Effect.yieldNow)
      : this.#supervised(answer)
  }

  #supervised<A>(answer: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    if (this.#supervision === undefined) return answer
    const { outage, responseTimeout } = this.#supervision
    if (this.#isLost) return outage.watch(Effect.fail(lost("The connection to PostgreSQL was lost", "query")))
    return Deadline.run((deadline) => {
      deadline.set(responseTimeout, unanswered(responseTimeout))
      return answer
    }).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (!keepsSession(error)) this.#isLost = true
        })
      ),
      outage.watch
    )
  }
}

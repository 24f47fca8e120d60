import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type { Outage } from "@frontdesk/core/storage/Outage"
import type { Workload } from "@frontdesk/core/storage/Workload"
import { RecentMap } from "@frontdesk/core/values/RecentMap"
import { columnsOf, type DriverConnection, inOrder, type Read } from "@frontdesk/storage-sql/driver/Driver"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Deadline from "./Deadline.ts"
import * as Exchange from "./Exchange.ts"

/** Returns the error for a connection that could not be opened or was lost. */
export const lost = (message: string, operation: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ message, operation, cause: new Error(message) }) })

/** Returns the error for a response that did not come in time. */
export const unanswered = (millis: number) => (): SqlError =>
  lost(`PostgreSQL did not respond within ${millis / 1000} seconds`, "query")

/** Returns the error for a connection that is used after its transaction. */
const ended = (): SqlError => lost("The transaction of this connection has ended", "query")

/** Returns whether the server rejected a statement and keeps the session. An error that ends the session is FATAL. */
const keepsSession = ({ reason }: SqlError): boolean =>
  hasProperty(reason.cause, "severityUnlocalized") && reason.cause.severityUnlocalized === "ERROR"

/** Statements after which nothing of a lost connection can be committed, whether they reach the server or not. */
const undoing = /^(ROLLBACK|RELEASE)\b/

/** Begins a transaction. The database may have another isolation level as its default (D-PG-4). */
export const begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

/** How the statements of a connection are supervised. */
interface Supervision {
  /** How long a response may take, in milliseconds. Then the connection counts as lost. */
  readonly responseTimeout: number
  readonly outage: Outage
}

/** The rows of a statement, and the names of their columns. */
export interface Rows {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

/** The maximum number of statements whose columns are cached. */
const maxStatements = 1_000

/** The columns of statements by their text, which is the same for all connections. */
const columnsByText = new RecentMap<string, ReadonlyArray<string>>(maxStatements)

/**
 * Returns the rows of a statement on a session. The client returns rows as arrays without the names of their columns, so
 * the first execution of a text reads objects.
 */
export const rowsOf = (
  session: PgConnection.PgConnection,
  sql: string,
  params: ReadonlyArray<unknown>
): Effect.Effect<Rows, SqlError> => {
  const columns = columnsByText.get(sql)
  return columns === undefined
    ? Effect.map(session.query(sql, params), ({ fields, rows }) => {
        const found = columnsOf(fields.map(({ name }) => name))
        columnsByText.set(sql, found)
        return { columns: found, rows: inOrder(found, rows) }
      })
    : Effect.map(session.queryValues(sql, params), (rows) => ({ columns, rows }))
}

/**
 * A connection as `effect/sql` uses it. Without `supervision` it serves a single statement, which its user supervises.
 *
 * BEGIN and the statements of `send` wait for the next other statement, and are sent with it (D-PG-34). Statements of
 * concurrent fibers are sent together too.
 *
 * With the workload `request`, a fiber yields to its scheduler after each response. Otherwise it would continue while
 * sockets are read, and all fibers with a response would run before any other fiber.
 */
export class PostgresConnection implements DriverConnection {
  readonly #connection: PgConnection.PgConnection
  readonly #workload: Workload
  readonly #onLost: () => void
  readonly #supervision: Supervision | undefined
  #commands: Array<Exchange.Command> = []
  #failure: SqlError | undefined
  #inFlight = 0
  #isUsed = false
  #hasEnded = false
  #isLost = false

  /**
   * @param onLost called once when the connection is lost
   */
  constructor(
    connection: PgConnection.PgConnection,
    workload: Workload,
    onLost: () => void,
    supervision?: Supervision
  ) {
    this.#connection = connection
    this.#workload = workload
    this.#onLost = onLost
    this.#supervision = supervision
  }

  /**
   * Whether the server will not respond on this connection any more. It has rolled back the transaction, or will,
   * unless the connection was lost during the COMMIT.
   */
  get isLost(): boolean {
    return this.#isLost
  }

  /** The error of the first statement that was not waited for and failed since the transaction was last intact. */
  get failure(): SqlError | undefined {
    return this.#failure
  }

  /** Whether a statement was sent. Before that, the server knows nothing of a transaction that has begun. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  query<A, E>(sql: string, params: ReadonlyArray<unknown>, read: Read<A, E>): Effect.Effect<A, E | SqlError> {
    return Effect.flatMap(this.#inTime(rowsOf(this.#connection, sql, params)), ({ columns, rows }) =>
      read(columns, rows)
    )
  }

  send(sql: string, params: ReadonlyArray<unknown>): Effect.Effect<void, SqlError> {
    return Effect.suspend(() => {
      if (this.#hasEnded) return Effect.fail(ended())
      this.#commands.push([sql, params])
      return Effect.void
    })
  }

  /**
   * Ends the use of the connection, whose session others may use then. A fiber that goes on with it gets an error. The
   * session is closed when a statement is still in flight.
   */
  readonly end: Effect.Effect<void> = Effect.sync(() => {
    this.#hasEnded = true
    if (this.#inFlight > 0) this.#lose()
  })

  execute(sql: string, params: ReadonlyArray<unknown>) {
    return sql === begin ? Effect.as(this.send(sql, params), []) : this.#rows(sql, params, true)
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
    return Stream.unwrap(Effect.as(this.flush, this.#connection.stream(sql, params)))
  }

  readonly flush: Effect.Effect<void, SqlError> = Effect.suspend(() => {
    const last = this.#commands.pop()
    return last === undefined ? Effect.void : Effect.asVoid(this.executeValues(...last))
  })

  #rows(sql: string, params: ReadonlyArray<unknown>, prepare: boolean) {
    if (undoing.test(sql)) this.#failure = undefined
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

  /** Sends a statement, after those that wait for it. */
  #exchange<A>(answer: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.suspend(() => {
      if (this.#hasEnded) return Effect.fail(ended())
      const commands = this.#commands
      this.#commands = []
      this.#isUsed = true
      this.#inFlight += 1
      const exchange = Exchange.run(this.#connection, {
        commands,
        last: answer,
        onFailed: (error) => {
          this.#failure ??= error
        },
        onSilent: () => this.#lose()
      })
      return Effect.ensuring(exchange, this.#answered)
    })
  }

  readonly #answered: Effect.Effect<void> = Effect.sync(() => {
    this.#inFlight -= 1
  })

  #lose(): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#onLost()
  }

  #supervised<A>(answer: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    if (this.#supervision === undefined) return this.#exchange(answer)
    const { outage, responseTimeout } = this.#supervision
    if (this.#isLost) return outage.watch(Effect.fail(lost("The connection to PostgreSQL was lost", "query")))
    return Deadline.run((deadline) => {
      deadline.set(responseTimeout, unanswered(responseTimeout))
      return this.#exchange(answer)
    }).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (!keepsSession(error)) this.#lose()
        })
      ),
      outage.watch
    )
  }
}

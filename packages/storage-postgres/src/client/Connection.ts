import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type { Outage } from "@frontdesk/core/storage/Outage"
import type { Workload } from "@frontdesk/core/storage/Workload"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { hasProperty } from "effect/Predicate"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Deadline from "./Deadline.ts"

/** A connection could not be used, or stopped being of use. */
export const lost = (message: string, operation: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ message, operation, cause: new Error(message) }) })

/** No answer came in time. */
export const unanswered = (millis: number) => (): SqlError =>
  lost(`PostgreSQL did not answer within ${millis / 1000} seconds`, "query")

/** Whether the server refused a statement and goes on; what it says before it ends the session is FATAL. */
const isAnswer = ({ reason }: SqlError): boolean =>
  hasProperty(reason.cause, "severityUnlocalized") && reason.cause.severityUnlocalized === "ERROR"

/** The statements after which nothing of a lost connection could be committed any more, whether they arrive or not. */
const undoing = /^(ROLLBACK|RELEASE)\b/

/** What is seen to for each statement of a connection. */
interface Care {
  /** How long its answer may stay out, in milliseconds; then the connection counts as lost. */
  readonly patience: number
  readonly outage: Outage
}

/**
 * A connection as `effect/sql` uses it. Without `care` it is for one statement, to which its user sees.
 *
 * For the workload `request` a fiber goes on after an answer when its scheduler lets it. Otherwise it would go on while
 * sockets are read, and all fibers whose answers have come would run before any other has its turn.
 */
export class PostgresConnection implements Connection {
  readonly #connection: PgConnection.PgConnection
  readonly #workload: Workload
  readonly #care: Care | undefined
  #isLost = false

  constructor(connection: PgConnection.PgConnection, workload: Workload, care?: Care) {
    this.#connection = connection
    this.#workload = workload
    this.#care = care
  }

  /** Whether the server will answer nothing any more here, and so has rolled back or will. */
  get isLost(): boolean {
    return this.#isLost
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

  /** Only the server limits how long a stream takes. */
  executeStream(sql: string, params: ReadonlyArray<unknown>) {
    return this.#connection.stream(sql, params)
  }

  #rows(sql: string, params: ReadonlyArray<unknown>, prepare: boolean) {
    const rows = Effect.map(this.#inTime(this.#connection.query(sql, params, prepare)), (result) => result.rows)
    // The end of a transaction must not die of it.
    return undoing.test(sql)
      ? Effect.catchIf(
          rows,
          () => this.#isLost,
          () => Effect.succeed([])
        )
      : rows
  }

  #inTime<A>(answer: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return this.#workload === "request" ? Effect.tap(this.#cared(answer), Effect.yieldNow) : this.#cared(answer)
  }

  #cared<A>(answer: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    if (this.#care === undefined) return answer
    const { outage, patience } = this.#care
    if (this.#isLost) return outage.watch(Effect.fail(lost("The connection to PostgreSQL was lost", "query")))
    return Deadline.run((deadline) => {
      deadline.set(patience, unanswered(patience))
      return answer
    }).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (!isAnswer(error)) this.#isLost = true
        })
      ),
      outage.watch
    )
  }
}

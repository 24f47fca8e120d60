import { columnsOf, type DriverConnection, type Read } from "@frontdesk/storage-sql/driver/Driver"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import {
  AuthorizationError,
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  type SqlErrorReason,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError
} from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { HostClient, HostResult } from "./HostClient.ts"
import * as HostValues from "./HostValues.ts"

type Row = Readonly<Record<string, unknown>>

/** A connection of the host, as `effect/sql` and the stores use it. Statements run one after another. */
export class HostConnection implements DriverConnection {
  readonly #client: HostClient
  readonly #beginning: string
  readonly #onLost: () => void
  /** Ends when the statements before have ended. node-postgres takes one statement at a time. */
  #previous: Promise<unknown> = Promise.resolve()
  #mayBeOpen = false

  /** Whether a transaction of ours may still be open: BEGIN was sent, and no COMMIT or ROLLBACK has succeeded. */
  get mayBeOpen(): boolean {
    return this.#mayBeOpen
  }

  /**
   * @param beginning what BEGIN sends. It also makes the settings of the transaction
   * @param onLost called when the connection is lost
   */
  constructor(client: HostClient, beginning: string, onLost: () => void) {
    this.#client = client
    this.#beginning = beginning
    this.#onLost = onLost
  }

  query<A, E>(text: string, params: ReadonlyArray<unknown>, read: Read<A, E>): Effect.Effect<A, E | SqlError> {
    return Effect.flatMap(this.#run(text, params), ({ fields, rows }) =>
      read(columnsOf(fields.map(({ name }) => name)), rows)
    )
  }

  execute(text: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>, SqlError> {
    if (text !== "BEGIN") return this.#objects(text, params)
    return Effect.suspend(() => {
      this.#mayBeOpen = true
      return Effect.as(this.#run(this.#beginning, []), [])
    })
  }

  executeUnprepared(text: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>, SqlError> {
    return this.execute(text, params)
  }

  executeRaw(text: string, params: ReadonlyArray<unknown>): Effect.Effect<HostResult, SqlError> {
    return this.#run(text, params)
  }

  executeValues(
    text: string,
    params: ReadonlyArray<unknown>
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError> {
    return Effect.map(this.#run(text, params), ({ rows }) => rows)
  }

  executeValuesUnprepared(text: string, params: ReadonlyArray<unknown>) {
    return this.executeValues(text, params)
  }

  /** Streams rows that were all read before. */
  executeStream(text: string, params: ReadonlyArray<unknown>): Stream.Stream<Row, SqlError> {
    return Stream.unwrap(Effect.map(this.#objects(text, params), Stream.fromIterable))
  }

  #objects(text: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>, SqlError> {
    return Effect.map(this.#run(text, params), ({ fields, rows }) =>
      rows.map((row) => Object.fromEntries(fields.map(({ name }, index) => [name, row[index]])))
    )
  }

  #run(text: string, params: ReadonlyArray<unknown>): Effect.Effect<HostResult, SqlError> {
    const result = this.#send(text, params)
    // A lost connection has already rolled back. A failure here would replace the original error of the transaction.
    return undoing.test(text) ? Effect.catchIf(result, isLost, () => Effect.succeed(nothing)) : result
  }

  #send(text: string, params: ReadonlyArray<unknown>): Effect.Effect<HostResult, SqlError> {
    const { getTypeParser, toParameter } = HostValues
    return Effect.tryPromise({
      try: () => {
        const values = params.map(toParameter)
        const result = this.#previous.then(() =>
          this.#client.query({ text, values, rowMode: "array", types: { getTypeParser } })
        )
        this.#previous = result.catch(() => {})
        return result.then((answer) => {
          if (text === "COMMIT" || text === "ROLLBACK") this.#mayBeOpen = false
          return answer
        })
      },
      catch: (cause) => {
        const reason = reasonOf(cause)
        if (reason._tag === "ConnectionError") this.#onLost()
        return new SqlError({ reason })
      }
    })
  }
}

/**
 * Matches the statements after which nothing of a lost connection can be committed, whether they reach the server or not.
 * The last statement of a joined call, which also restores the settings, is none of them: its failure is that of the call.
 */
const undoing = /^ROLLBACK\b|^RELEASE SAVEPOINT \w+$/

const isLost = ({ reason }: SqlError): boolean => reason._tag === "ConnectionError"

const nothing: HostResult = { rows: [], fields: [], command: "" }

/** The reason of an error by its SQLSTATE, or by the class of it. */
const reasonsByState: Readonly<Record<string, new (props: ErrorProps) => SqlErrorReason>> = {
  "08": ConnectionError,
  "23": ConstraintError,
  "42501": AuthorizationError,
  "42": SqlSyntaxError,
  "40P01": DeadlockError,
  "40001": SerializationError,
  "55P03": LockTimeoutError,
  "57014": StatementTimeoutError
}

interface ErrorProps {
  readonly cause: unknown
  readonly message: string
  readonly operation: string
}

/** Returns the reason of an error of node-postgres. An error that PostgreSQL did not send means a lost connection. */
const reasonOf = (cause: unknown): SqlErrorReason => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const props = { cause, message, operation: "query" }
  if (!hasProperty(cause, "severity") || !hasProperty(cause, "code")) return new ConnectionError(props)
  const state = String(cause.code)
  if (state === "23505") {
    const constraint = hasProperty(cause, "constraint") ? String(cause.constraint) : "unknown"
    return new UniqueViolation({ ...props, constraint })
  }
  const Reason = reasonsByState[state] ?? reasonsByState[state.slice(0, 2)] ?? UnknownError
  return new Reason(props)
}

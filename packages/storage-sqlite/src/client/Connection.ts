import type { Outage } from "@frontdesk/core/storage/Outage"
import type { DriverConnection } from "@frontdesk/storage-sql/driver/Driver"
import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import { SafeIntegers } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"
import { attempt, recover } from "./LockRetry.ts"
import { bindable } from "./StatementParameters.ts"
import type { Prepared } from "./StatementCache.ts"
import * as StatementCache from "./StatementCache.ts"

/** How many rows a stream reads at a time. */
const chunkSize = 128

/** How a connection caches statements, waits for locks, and watches the disk. */
export interface ConnectionOptions {
  /** The maximum number of cached statements. */
  readonly prepareCacheSize: number
  /** How long a statement waits for a lock, in milliseconds. */
  readonly busyTimeout: number
  /** The watch over the disk, for a connection that writes. A full disk does not affect reads. */
  readonly outage?: Outage | undefined
  /**
   * Throws when the connection must not be used. It is called before each transaction and each statement outside one.
   */
  readonly check?: (() => void) | undefined
  /** Is called when a statement has failed, before its fiber continues. */
  readonly failed?: ((error: SqlError) => void) | undefined
}

/**
 * Returns a connection over an open database. Each statement is one synchronous call, so no other fiber runs during it.
 */
export const make = (database: DatabaseSync, options: ConnectionOptions): DriverConnection => {
  const cached = StatementCache.make(database, options.prepareCacheSize)
  const fresh = (sql: string) => StatementCache.prepare(database, sql)
  const watch = options.outage?.watch ?? identity
  const { failed } = options
  const observed = <A>(call: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
    watch(failed === undefined ? call : Effect.tapError(call, (error) => Effect.sync(() => failed(error))))
  const check = (): void => {
    if (options.check !== undefined && !database.isTransaction) options.check()
  }

  const run = <A>(
    use: (prepared: Prepared, params: ReadonlyArray<SQLInputValue>, bigints: boolean) => A,
    prepare: (sql: string) => Prepared,
    sql: string,
    params: ReadonlyArray<unknown>
  ): Effect.Effect<A, SqlError> =>
    observed(
      Effect.withFiber((fiber) =>
        attempt(() => {
          check()
          return use(prepare(sql), bindable(params), fiber.getRef(SafeIntegers))
        }, options.busyTimeout)
      )
    )

  const execute =
    (prepare: (sql: string) => Prepared): DriverConnection["execute"] =>
    (sql, params, transformRows) => {
      const rows = run(readRows, prepare, sql, params)
      return transformRows === undefined ? rows : Effect.map(rows, transformRows)
    }

  return {
    // Without an effect around the call, unless it fails: this is how the stores run nearly every statement.
    query: (sql, params, read) =>
      Effect.suspend(() => {
        const call = () => {
          check()
          const prepared = cached(sql)
          return { columns: prepared.columns, rows: readArrays(prepared, bindable(params)) }
        }
        let found: ReturnType<typeof call>
        try {
          found = call()
        } catch (cause) {
          const recovered = observed(recover(cause, call, options.busyTimeout))
          return Effect.flatMap(recovered, ({ columns, rows }) => read(columns, rows))
        }
        return read(found.columns, found.rows)
      }),
    execute: execute(cached),
    executeUnprepared: execute(fresh),
    executeRaw: (sql, params) => run(readRaw, cached, sql, params),
    executeValues: (sql, params) => run(readValues, cached, sql, params),
    executeValuesUnprepared: (sql, params) => run(readValues, fresh, sql, params),
    executeStream: (sql, params, transformRows) =>
      Effect.acquireRelease(
        // A separate statement, because running a cached one again would end the iteration.
        run(iterate, fresh, sql, params),
        // Resets the statement, which would otherwise keep its read transaction open.
        (rows) => Effect.sync(() => rows.return?.())
      ).pipe(
        Effect.map((rows) =>
          Effect.suspend(() => attempt(() => take(rows), options.busyTimeout)).pipe(
            Effect.map((chunk) => (transformRows === undefined ? chunk : transformRows(chunk))),
            Effect.flatMap((chunk) => (isReadonlyArrayNonEmpty(chunk) ? Effect.succeed(chunk) : Cause.done()))
          )
        ),
        Effect.map((pull) => Stream.fromPull(Effect.succeed(pull))),
        Stream.unwrap
      )
  }
}

const configured = (prepared: Prepared, bigints: boolean, arrays: boolean): Prepared => {
  if (prepared.bigints !== bigints) {
    prepared.statement.setReadBigInts(bigints)
    prepared.bigints = bigints
  }
  if (prepared.arrays !== arrays) {
    prepared.statement.setReturnArrays(arrays)
    prepared.arrays = arrays
  }
  return prepared
}

const readRows = (prepared: Prepared, params: ReadonlyArray<SQLInputValue>, bigints: boolean) => {
  const { columns, statement } = configured(prepared, bigints, false)
  if (columns.length > 0) {
    return statement.all(...params)
  }
  statement.run(...params)
  return []
}

const readArrays = (
  prepared: Prepared,
  params: ReadonlyArray<SQLInputValue>
): ReadonlyArray<ReadonlyArray<unknown>> => {
  const { columns, statement } = configured(prepared, false, true)
  if (columns.length > 0) {
    const rows: ReadonlyArray<unknown> = statement.all(...params)
    return areArrays(rows) ? rows : []
  }
  statement.run(...params)
  return []
}

/** Returns whether rows are arrays, which the types of Node do not know. Rows of one statement have one form. */
const areArrays = (rows: ReadonlyArray<unknown>): rows is ReadonlyArray<ReadonlyArray<unknown>> =>
  rows.length === 0 || Array.isArray(rows[0])

const readRaw = (prepared: Prepared, params: ReadonlyArray<SQLInputValue>, bigints: boolean) => {
  const { columns, statement } = configured(prepared, bigints, false)
  return columns.length > 0 ? statement.all(...params) : statement.run(...params)
}

const readValues = (prepared: Prepared, params: ReadonlyArray<SQLInputValue>, bigints: boolean) => {
  // The rows already are arrays, but the types of Node only know them as objects.
  const rows = configured(prepared, bigints, true).statement.all(...params)
  return rows.map((row) => Object.values(row))
}

const iterate = (prepared: Prepared, params: ReadonlyArray<SQLInputValue>, bigints: boolean) =>
  configured(prepared, bigints, false).statement.iterate(...params)

const take = <A>(iterator: Iterator<A>): Array<A> => {
  const rows: Array<A> = []
  while (rows.length < chunkSize) {
    const next = iterator.next()
    if (next.done === true) {
      break
    }
    rows.push(next.value)
  }
  return rows
}

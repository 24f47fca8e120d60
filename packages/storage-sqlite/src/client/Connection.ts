import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { SafeIntegers } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { DatabaseSync } from "node:sqlite"
import { attempt } from "./Attempt.ts"
import { bindable } from "./Parameters.ts"
import type { Prepared } from "./StatementCache.ts"
import * as StatementCache from "./StatementCache.ts"

/** How many rows a stream reads in one go. */
const chunkSize = 128

/** What a run answers with: rows as objects, rows as arrays, or the counts of a write that returns no rows. */
type Form = "rows" | "values" | "raw"

/** A connection over one open database; each statement is one synchronous call, so no other fiber runs within it. */
export const make = (
  database: DatabaseSync,
  options: { readonly prepareCacheSize: number; readonly busyTimeout: number }
): Connection => {
  const cached = StatementCache.make(database, options.prepareCacheSize)
  const fresh = (sql: string) => StatementCache.prepare(database, sql)

  const run = (
    prepare: (sql: string) => Prepared,
    sql: string,
    params: ReadonlyArray<unknown>,
    form: Form
  ): Effect.Effect<any, SqlError> =>
    Effect.withFiber((fiber) =>
      attempt(() => {
        const { returnsRows, statement } = configured(prepare(sql), fiber.getRef(SafeIntegers), form === "values")
        if (returnsRows) {
          return statement.all(...bindable(params))
        }
        const counts = statement.run(...bindable(params))
        return form === "raw" ? { changes: counts.changes, lastInsertRowid: counts.lastInsertRowid } : []
      }, options.busyTimeout)
    )

  const rows =
    (prepare: (sql: string) => Prepared): Connection["execute"] =>
    (sql, params, transformRows) => {
      const result = run(prepare, sql, params, "rows")
      return transformRows === undefined ? result : Effect.map(result, transformRows)
    }

  const iterate = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.withFiber((fiber) =>
      attempt(() => {
        // Of its own, because running a cached statement again would end the iteration.
        const { statement } = configured(fresh(sql), fiber.getRef(SafeIntegers), false)
        return statement.iterate(...bindable(params))
      }, options.busyTimeout)
    )

  return {
    execute: rows(cached),
    executeUnprepared: rows(fresh),
    executeRaw: (sql, params) => run(cached, sql, params, "raw"),
    executeValues: (sql, params) => run(cached, sql, params, "values"),
    executeValuesUnprepared: (sql, params) => run(fresh, sql, params, "values"),
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(
        Effect.map(
          // Returning resets the statement, without which it would keep its read transaction open.
          Effect.acquireRelease(iterate(sql, params), (iterator) => Effect.sync(() => iterator.return?.())),
          (iterator) =>
            Stream.fromPull(
              Effect.succeed(
                Effect.flatMap(
                  Effect.suspend(() => attempt(() => take(iterator), options.busyTimeout)),
                  (chunk) => {
                    const rows = transformRows === undefined ? chunk : transformRows(chunk)
                    return isReadonlyArrayNonEmpty(rows) ? Effect.succeed(rows) : Cause.done()
                  }
                )
              )
            )
        )
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

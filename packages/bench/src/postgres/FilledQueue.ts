import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Engine from "../deliveries/Engine.ts"

/**
 * A delivery queue full of due deliveries, which can be restored quickly from copies of its tables. Filling it again
 * would take longer than delivering it.
 */
export interface FilledQueue {
  /** Restores the due deliveries. The webhooks keep the results of their last deliveries. */
  readonly refill: Effect.Effect<void, unknown>
}

const tables = ["webhook_event", "webhook_delivery"]

/** Publishes webhook events to the webhooks in turn, and copies the tables. `name` is the prefix of the copies. */
export const fill = Effect.fnUntraced(function* (name: string, urls: ReadonlyArray<string>, count: number) {
  const sql = yield* SqlClient
  const empty = sql.unsafe("TRUNCATE webhook_attempt, webhook_delivery, webhook_event")
  yield* empty
  const accounts = yield* Effect.forEach(urls, (url) => Engine.subscribe([url], "call.ended"))
  yield* Engine.fillQueue(accounts, 1, count)
  for (const table of tables) yield* sql.unsafe(`CREATE TABLE ${name}_${table} AS SELECT * FROM ${table}`)
  const refill = Effect.gen(function* () {
    yield* empty
    for (const table of tables) yield* sql.unsafe(`INSERT INTO ${table} SELECT * FROM ${name}_${table} ORDER BY id`)
    // Autovacuum would do this within a minute.
    for (const table of tables) yield* sql.unsafe(`VACUUM ANALYZE ${table}`)
  })
  return { refill } satisfies FilledQueue
})

import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Engine from "../deliveries/Engine.ts"

/**
 * An outbox that is full again in a moment, because its rows are kept aside: raising ten thousand events takes longer
 * than delivering them.
 */
export interface Outbox {
  /** Makes it what it was when it was filled, but for what webhooks show of themselves. */
  readonly refill: Effect.Effect<void, unknown>
}

const tables = ["webhook_event", "webhook_delivery"]

/** Raises so many events for each list of URLs, one webhook in turn, and keeps them under a name. */
export const fill = Effect.fnUntraced(function* (name: string, urls: ReadonlyArray<string>, count: number) {
  const sql = yield* SqlClient
  const empty = sql.unsafe("TRUNCATE webhook_attempt, webhook_delivery, webhook_event")
  yield* empty
  const accounts = yield* Effect.forEach(urls, (url) => Engine.subscribe([url], "call.ended"))
  yield* Engine.fillOutbox(accounts, 1, count)
  for (const table of tables) yield* sql.unsafe(`CREATE TABLE ${name}_${table} AS SELECT * FROM ${table}`)
  const refill = Effect.gen(function* () {
    yield* empty
    for (const table of tables) yield* sql.unsafe(`INSERT INTO ${table} SELECT * FROM ${name}_${table} ORDER BY id`)
    // What autovacuum does within a minute.
    for (const table of tables) yield* sql.unsafe(`VACUUM ANALYZE ${table}`)
  })
  return { refill } satisfies Outbox
})

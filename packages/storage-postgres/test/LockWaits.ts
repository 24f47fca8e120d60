import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"

/** Waits until a statement like the pattern waits for a lock in the database of the client. Fails after 20 seconds. */
export const untilWaiting = (pattern: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    // In a transaction, the view would otherwise show its first state for ever.
    yield* sql`SELECT pg_stat_clear_snapshot()`
    const waiting = yield* sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${pattern}`
    if (waiting.length === 0) return yield* Effect.fail(`No statement like ${pattern} waits for a lock`)
  }).pipe(Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 4_000 }))

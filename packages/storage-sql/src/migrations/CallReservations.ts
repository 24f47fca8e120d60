import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

/**
 * Adds the reserved minutes of running calls, the time of the next reservation, and the time at which the provider last
 * confirmed that a call was live.
 *
 * Before this migration each running call had one reserved minute. That is the default, so no row is rewritten for it.
 * Calls in progress that have a price are due for their next reservation at once. The call counts of agents no longer
 * include ended calls that the provider never accepted.
 */
export const callReservations = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  yield* sql.unsafe(`ALTER TABLE call ADD COLUMN reserved_minutes ${types.integer} NOT NULL DEFAULT 1`)
  yield* sql.unsafe(`ALTER TABLE call ADD COLUMN reserve_at ${types.time}`)
  yield* sql.unsafe(`ALTER TABLE call ADD COLUMN confirmed_at ${types.time}`)
  yield* sql.unsafe("CREATE INDEX call_reserve ON call (reserve_at, id) WHERE reserve_at IS NOT NULL")
  yield* sql.unsafe(
    "UPDATE call SET reserve_at = started_at WHERE status = 'in_progress' AND price_per_minute > 0 AND started_at IS NOT NULL"
  )
  // Counts in one pass over the calls, and writes only the agents concerned.
  yield* sql.unsafe(`UPDATE agent SET total_calls = total_calls - never.calls
    FROM (
      SELECT agent_id, count(*) AS calls FROM call
      WHERE submission <> 'accepted' AND status NOT IN ('queued', 'ringing', 'in_progress') GROUP BY agent_id
    ) AS never
    WHERE agent.id = never.agent_id`)
})

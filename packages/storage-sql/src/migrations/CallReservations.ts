import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"

/**
 * The talk time that is reserved for running calls, when it is to be extended, and when a provider last confirmed that a
 * call was live.
 *
 * A running call had the price of one minute set aside, which is the default, so no row is rewritten for it. Calls that
 * are talked at the moment are due at once. Agents no longer count calls that the provider never accepted.
 */
export const callReservations = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = Dialect.of(sql)
  yield* sql.unsafe(`ALTER TABLE call ADD COLUMN reserved_minutes ${types.integer} NOT NULL DEFAULT 1`)
  yield* sql.unsafe(`ALTER TABLE call ADD COLUMN reserve_at ${types.time}`)
  yield* sql.unsafe(`ALTER TABLE call ADD COLUMN confirmed_at ${types.time}`)
  yield* sql.unsafe("CREATE INDEX call_reserve ON call (reserve_at, id) WHERE reserve_at IS NOT NULL")
  yield* sql.unsafe(
    "UPDATE call SET reserve_at = started_at WHERE status = 'in_progress' AND price_per_minute > 0 AND started_at IS NOT NULL"
  )
  // Counted in one pass over the calls, and written to the agents concerned alone.
  yield* sql.unsafe(`UPDATE agent SET total_calls = total_calls - never.calls
    FROM (
      SELECT agent_id, count(*) AS calls FROM call
      WHERE submission <> 'accepted' AND status NOT IN ('queued', 'ringing', 'in_progress') GROUP BY agent_id
    ) AS never
    WHERE agent.id = never.agent_id`)
})

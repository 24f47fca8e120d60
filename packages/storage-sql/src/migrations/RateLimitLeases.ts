import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds to the buckets of the rate limit in PostgreSQL what the last statement took: the cost of its request, and a lease
 * of its node (D-PG-30). SQLite has no such table, because only one process uses its file.
 */
export const rateLimitLeases = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.onDialectOrElse({
    pg: () => sql.unsafe("ALTER TABLE rate_limit_bucket ADD COLUMN taken bigint NOT NULL DEFAULT 0"),
    orElse: () => Effect.void
  })
})

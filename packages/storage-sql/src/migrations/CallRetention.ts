import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Finds the calls that the retention deletes, and those whose transcript it deletes, without reading the others. */
export const callRetention = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("CREATE INDEX call_ended ON call (ended_at, id) WHERE reconcile_at IS NULL")
  yield* sql.unsafe(
    `CREATE INDEX call_spoken ON call (ended_at, id)
      WHERE transcript IS NOT NULL OR summary IS NOT NULL OR recording_url IS NOT NULL`
  )
})

import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"

/**
 * Marks the keys whose request was executed. Keys without an answer from before may have been executed: they stay taken
 * until their time is over, as they did.
 */
export const idempotencyExecuted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = Dialect.of(sql)
  yield* sql.unsafe(`ALTER TABLE idempotency_key ADD COLUMN executed ${types.flag} NOT NULL DEFAULT FALSE`)
  yield* sql.unsafe("UPDATE idempotency_key SET executed = TRUE WHERE status IS NULL AND path = '/api/v1/calls'")
})

import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"

/**
 * Adds the start of the event that a sent reminder was about. It is NULL while a reminder is not sent, and for those that
 * were sent before: neither database rewrites the table for it.
 */
export const reminderStart = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`ALTER TABLE reminder ADD COLUMN start_time ${Dialect.of(sql).types.time}`)
})

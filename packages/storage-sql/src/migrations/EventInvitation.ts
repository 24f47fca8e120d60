import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"

/**
 * Adds who was invited to a calendar event. NULL stands in the rows that are there already, and in those that a server of
 * a version before writes: neither database rewrites the table for it.
 */
export const eventInvitation = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`ALTER TABLE calendar_event ADD COLUMN invitation ${Dialect.of(sql).types.text}`)
})

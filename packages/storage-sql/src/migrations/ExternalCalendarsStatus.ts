import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"

/** Adds how events stand in external calendars. A constant default rewrites the table on neither database. */
export const externalCalendarsStatus = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { json } = Dialect.of(sql).types
  yield* sql.unsafe(`ALTER TABLE calendar_event ADD COLUMN external_calendars_status ${json} NOT NULL DEFAULT '{}'`)
})

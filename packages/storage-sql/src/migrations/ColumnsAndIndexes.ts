import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

/** Adds the indexes that list the calls to delete, and the calls whose transcript is to be deleted, by retention. */
export const callRetention = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("CREATE INDEX call_ended ON call (ended_at, id) WHERE reconcile_at IS NULL")
  yield* sql.unsafe(
    `CREATE INDEX call_spoken ON call (ended_at, id)
      WHERE transcript IS NOT NULL OR summary IS NOT NULL OR recording_url IS NOT NULL`
  )
})

/**
 * Adds the invitation of calendar events. It is NULL in existing rows and in rows that servers of an older version
 * write, so neither database rewrites the table.
 */
export const eventInvitation = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE calendar_event ADD COLUMN invitation ${ClientDialect.of(sql).types.text}`)
})

/**
 * Adds the state of calendar events in external calendars. Neither database rewrites the table for a constant default.
 */
export const externalCalendarsStatus = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { json } = ClientDialect.of(sql).types
  yield* sql.unsafe(`ALTER TABLE calendar_event ADD COLUMN external_calendars_status ${json} NOT NULL DEFAULT '{}'`)
})

/**
 * Marks the idempotency keys whose request was executed. Existing keys of calls without an answer may have been
 * executed. They stay in use until they expire, as before.
 */
export const idempotencyExecuted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  yield* sql.unsafe(`ALTER TABLE idempotency_key ADD COLUMN executed ${types.flag} NOT NULL DEFAULT FALSE`)
  yield* sql.unsafe("UPDATE idempotency_key SET executed = TRUE WHERE status IS NULL AND path = '/api/v1/calls'")
})

/**
 * Adds the start of the calendar event that a sent reminder was about. It is NULL in unsent reminders and in those sent
 * before, so neither database rewrites the table.
 */
export const reminderStart = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE reminder ADD COLUMN start_time ${ClientDialect.of(sql).types.time}`)
})

import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Dialect from "../dialect/Dialect.ts"

/** Finds the calls that the retention deletes, and those whose transcript it deletes, without reading the others. */
export const callRetention = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("CREATE INDEX call_ended ON call (ended_at, id) WHERE reconcile_at IS NULL")
  yield* sql.unsafe(
    `CREATE INDEX call_spoken ON call (ended_at, id)
      WHERE transcript IS NOT NULL OR summary IS NOT NULL OR recording_url IS NOT NULL`
  )
})

/**
 * Adds who was invited to a calendar event. NULL stands in the rows that are there already, and in those that a server of
 * a version before writes: neither database rewrites the table for it.
 */
export const eventInvitation = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE calendar_event ADD COLUMN invitation ${Dialect.of(sql).types.text}`)
})

/** Adds how events stand in external calendars. A constant default rewrites the table on neither database. */
export const externalCalendarsStatus = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { json } = Dialect.of(sql).types
  yield* sql.unsafe(`ALTER TABLE calendar_event ADD COLUMN external_calendars_status ${json} NOT NULL DEFAULT '{}'`)
})

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

/**
 * Adds the start of the event that a sent reminder was about. It is NULL while a reminder is not sent, and for those that
 * were sent before: neither database rewrites the table for it.
 */
export const reminderStart = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE reminder ADD COLUMN start_time ${Dialect.of(sql).types.time}`)
})

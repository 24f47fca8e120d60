import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"

/**
 * Adds two indexes for the retention of calls. One lists ended calls. The other lists ended calls with a transcript, a
 * summary or a recording.
 */
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
 * Adds the flag of idempotency keys whose request was executed. It is set for existing keys of requests that start a
 * call and have no answer, because the call may have been started. Such a key stays in use until it expires, as before.
 */
export const idempotencyExecuted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  yield* sql.unsafe(`ALTER TABLE idempotency_key ADD COLUMN executed ${types.flag} NOT NULL DEFAULT FALSE`)
  yield* sql.unsafe("UPDATE idempotency_key SET executed = TRUE WHERE status IS NULL AND path = '/api/v1/calls'")
})

/**
 * Adds the start of the calendar event that a sent reminder was about. It is NULL in unsent reminders and in reminders
 * that were sent before this migration, so neither database rewrites the table.
 */
export const reminderStart = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE reminder ADD COLUMN start_time ${ClientDialect.of(sql).types.time}`)
})

/** Adds the address of the client to the audit log. The column is NULL in existing rows (D-AUD-11). */
export const auditAddresses = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE audit_entry ADD COLUMN client_address ${ClientDialect.of(sql).types.text}`)
})

/** Adds the tools that an agent may use. The column is NULL in existing rows, which allows every tool (D-AGENT-9). */
export const allowedTools = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`ALTER TABLE agent ADD COLUMN allowed_tools ${ClientDialect.of(sql).types.json}`)
})

import { AccountId } from "@frontdesk/core/access/Account"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/** The start time of the first row. */
export const first = DateTime.makeUnsafe("2026-01-05T00:00:00Z")

/** A week in milliseconds. */
export const week = 7 * 86_400_000

/** The number of rows that begin in a week. */
export const perWeek = 20

/** The account of the rows. */
export const accountId = AccountId.make(1)

/** The SQL of a dialect. `n` is the number of a row. */
export interface DialectSql {
  /** Returns the SQL before `INSERT`, and the table of numbers that it reads. */
  readonly numbers: (count: number) => readonly [before: string, from: string]
  readonly instant: (millis: string) => string
  /** `n` as eight hexadecimal digits. */
  readonly hex: string
  /** Returns the bytes of a text. */
  readonly bytes: (text: string) => string
}

const sqlite: DialectSql = {
  numbers: (count) => [
    `WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ${count - 1}) `,
    "number"
  ],
  instant: (millis) => millis,
  hex: "printf('%08x', n)",
  bytes: (text) => `CAST(${text} AS BLOB)`
}

const postgres: DialectSql = {
  numbers: (count) => ["", `generate_series(0::bigint, ${count - 1}) AS n`],
  instant: (millis) => `to_timestamp((${millis}) / 1000.0)`,
  hex: "lpad(to_hex(n), 8, '0')",
  bytes: (text) => `convert_to(${text}, 'UTF8')`
}

/** Returns the SQL of the database of a client. */
export const dialectOf = (sql: SqlClient.SqlClient): DialectSql =>
  sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })

/** Writes calendar events and calls in two statements, without the stores. */
const rows = Effect.fnUntraced(function* (sqlOf: DialectSql, agentId: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  const [before, from] = sqlOf.numbers(count)
  const millis = `${DateTime.toEpochMillis(first)} + n * ${week / perWeek}`
  const start = sqlOf.instant(millis)
  yield* sql.unsafe(`${before}INSERT INTO calendar_event
    (uuid, account_id, ai_agent_id, event_type, status, start_time, end_time, busy_class, title, has_video_conference,
      video_conference_url, video_conference_provider, created_by_ai_agent, is_reminder_enabled, remind_before_minutes,
      customer_name, customer_email, customer_email_key, customer_phone, external_calendars, notify_on_cancel, sequence,
      created_at, updated_at, customer_notes, description)
    SELECT ${sqlOf.hex} || '-0000-7000-8000-000000000000', 1, ${agentId}, 'meeting', 'scheduled', ${start},
      ${sqlOf.instant(`${millis} + 1800000`)}, 5, 'Demo', FALSE, '', '', TRUE, FALSE, 30, 'Jo', 'jo@example.com',
      'jo@example.com', '', '{}', TRUE, 0, ${start}, ${start}, '', 'A demonstration of what there is to show'
    FROM ${from}`)
  yield* sql.unsafe(`${before}INSERT INTO call
    (account_id, agent_id, call_id, status, type, phone_number, submission, billing_status, initial_charge, final_charge,
      price_per_minute, reconcile_count, created_at, updated_at, variables)
    SELECT 1, ${agentId}, 'call_' || ${sqlOf.hex}, 'completed', 'outbound', '+12025550100', 'accepted', 'charged', 0, 0,
      0, 0, ${start}, ${start}, '{}' FROM ${from}`)
})

/**
 * Writes the rows in PostgreSQL without triggers. With them, the row of a count would have a million dead versions in
 * one transaction, and each change would read all of them.
 */
const postgresRows = Effect.fnUntraced(function* (agentId: number, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe("SET LOCAL session_replication_role = replica")
      yield* rows(postgres, agentId, count)
      yield* sql.unsafe(`INSERT INTO row_count (kind, account_id, team_id, status, type, total) VALUES
        ('calendar_event', 1, 0, 'scheduled', 'meeting', ${count}), ('call', 1, 0, 'completed', 'outbound', ${count})`)
    })
  )
  yield* sql.unsafe("VACUUM ANALYZE")
})

/** Creates an account with `count` calendar events, twenty in each week, and `count` calls. */
export const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* AccountStore
  const agents = yield* AgentStore
  yield* accounts.insert({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings,
    createdAt: first
  })
  const agent = yield* agents.insert({
    accountId,
    assistantId: "asst_1",
    name: "Ada",
    role: "outbound agent",
    phoneNumber: null,
    model: "",
    voiceId: "",
    teamId: null,
    allowedTools: null,
    createdAt: first
  })
  yield* sql.onDialectOrElse({
    pg: () => postgresRows(agent.id, count),
    orElse: () => rows(sqlite, agent.id, count)
  })
})

import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { type DialectSql, dialectOf } from "../storage/Fill.ts"

/** How many rows of each kind the account has. */
export interface Size {
  readonly contacts: number
  readonly calls: number
  /** Ten on each day, half of them in the past. */
  readonly events: number
  readonly deliveries: number
  readonly auditEntries: number
}

/** A day in milliseconds. */
const day = 86_400_000

const transcript = Array.from({ length: 20 }, (_, line) =>
  line % 2 === 0 ? "agent: When could we come for the check-up?" : "customer: On Tuesday at ten, if that is free."
).join("\n")

const payload = JSON.stringify({ event: "call.ended", summary: "A visit was booked.", notes: "word ".repeat(100) })

/**
 * Returns the statements that fill the first account. Its calls are spread over the last year, and its deliveries over the last
 * twenty days. Every third contact has calls, and every call a tool call and two movements of the balance.
 */
const statements = (size: Size, agents: number, now: number, { bytes, hex, instant, numbers }: DialectSql) => {
  const midnight = now - (now % day)
  /** Returns the time of row `n`, when `count` rows are spread over some days until now. */
  const spread = (count: number, days: number) => `${now - days * day} + n * ${Math.floor((days * day) / count)}`
  const insert = (count: number, target: string, values: string): string => {
    const [before, from] = numbers(count)
    return `${before}INSERT INTO ${target} SELECT ${values} FROM ${from}`
  }
  const callTime = spread(size.calls, 365)
  const auditTime = instant(spread(size.auditEntries, 300))
  const eventTime = `${midnight - Math.floor(size.events / 20) * day} + n / 10 * ${day} + ${9 * 3_600_000} + n % 10 * 2400000`
  const eventAt = instant(spread(size.deliveries, 20))
  const created = instant(String(now - 365 * day))
  return [
    insert(
      size.contacts,
      `contact (account_id, status, stage, search_text, first_name, last_name, email, company, created_at, updated_at,
        custom_context, industry_context)`,
      `1, CASE n % 3 WHEN 0 THEN 'new' ELSE 'open' END, 'lead', 'jo miller ' || n || '\u001Fjo' || n || '@example.com\u001F', 'Jo',
        'Miller ' || n, 'jo' || n || '@example.com', 'Miller & Sons', ${created}, ${created}, '{"plan":"gold"}', '{}'`
    ),
    `INSERT INTO contact_number (contact_id, account_id, position, phone_number, phone_type, is_primary, do_not_call)
      SELECT id, 1, 0, '+1202' || (5000000 + id), 'mobile', TRUE, FALSE FROM contact`,
    `INSERT INTO contact_tag (contact_id, position, account_id, tag) SELECT id, 0, 1, 'tag ' || (id % 100) FROM contact`,
    insert(
      size.calls,
      `call (account_id, agent_id, contact_id, call_id, provider_call_id, status, type, phone_number, submission, billing_status,
        initial_charge, final_charge, price_per_minute, reconcile_count, started_at, ended_at, created_at, updated_at,
        variables, transcript, summary)`,
      `1, 1 + n % ${agents}, 1 + n % ${Math.max(1, Math.floor(size.contacts / 3))} * 3, 'call_' || ${hex}, 'provider_' || ${hex},
        CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'completed' END, CASE n % 5 WHEN 0 THEN 'inbound' ELSE 'outbound' END,
        '+12025000001', 'accepted', 'charged', 100000, 200000, 100000, 0, ${instant(callTime)},
        ${instant(`${callTime} + 150000`)}, ${instant(callTime)}, ${instant(callTime)}, '{"topic":"a check-up"}',
        '${transcript}', 'A visit was booked.'`
    ),
    `INSERT INTO tool_call (account_id, call_id, conversation, tool, digest, arguments, answer, duration_millis, at)
      SELECT 1, id, 'call:' || id, 'find_slots', call_id, '{"duration":30}', '{"slots":[]}', 5, created_at FROM call`,
    ...["reservation", "settlement"].map(
      (kind, index) => `INSERT INTO fund_movement (account_id, kind, amount, balance_after, call_id, at)
        SELECT 1, '${kind}', -${100_000 * (index + 1)}, 1000000, call_id, created_at FROM call`
    ),
    insert(
      size.events,
      `calendar_event (uuid, account_id, ai_agent_id, event_type, status, start_time, end_time, busy_class, title,
        has_video_conference, video_conference_url, video_conference_provider, created_by_ai_agent, is_reminder_enabled,
        remind_before_minutes, customer_name, customer_email, customer_email_key, customer_phone, contact_id,
        external_calendars, notify_on_cancel, sequence, created_at, updated_at, customer_notes, description)`,
      `${hex} || '-0000-7000-8000-000000000000', 1, 1, 'appointment', 'scheduled', ${instant(eventTime)},
        ${instant(`${eventTime} + 1800000`)}, 5, 'Visit ' || n, FALSE, '', '', TRUE, FALSE, 30, 'Jo Miller', 'jo@example.com',
        'jo@example.com', '+12025000001', 1 + n % ${size.contacts}, '{}', TRUE, 0, ${created}, ${created}, '', 'A check-up'`
    ),
    `INSERT INTO webhook (account_id, name, url, subscribed_events, status, secret, created_at, updated_at, consecutive_failures)
      VALUES (1, 'CRM', 'https://crm.example.com/hooks', '["call.ended"]', 'active', 'x', ${created}, ${created}, 0)`,
    insert(
      size.deliveries,
      "webhook_event (account_id, name, created_at, body)",
      `1, 'call.ended', ${eventAt}, ${bytes(`'${payload}'`)}`
    ),
    `INSERT INTO webhook_delivery (account_id, delivery_id, event_id, webhook_id, subject, state, kind, results, claims, attempts,
        in_line)
      SELECT 1, '00000000-0000-7000-8000-' || (100000000000 + id), id, 1, 'call:' || id,
        CASE id % 49 WHEN 0 THEN 'failed' ELSE 'delivered' END, 'automatic', 1, 1, 1, FALSE FROM webhook_event`,
    `INSERT INTO webhook_attempt (account_id, delivery_id, number, kind, started_at, duration_ms, status_code, response_body)
      SELECT 1, webhook_delivery.id, 1, 'automatic', created_at, 20, CASE state WHEN 'failed' THEN 500 ELSE 200 END, 'ok'
      FROM webhook_delivery JOIN webhook_event ON webhook_event.id = event_id`,
    insert(
      size.auditEntries,
      `audit_entry (account_id, at, actor_type, actor_ref, request_ref, operation, entity_type, entity_ref, changes,
        unlisted_changes)`,
      `1, ${auditTime}, 'api_key', '1', 'r' || n, 'contacts.patch', 'contact', CAST(1 + n % ${size.contacts} AS text),
        '[{"field":"status","before":"new","after":"open"},{"field":"stage","before":"lead","after":"customer"}]', 0`
    )
  ]
}

/** Fills the first account of a database, which has nothing but agents with the ids from 1 on. */
export const fill = (databaseUrl: string, size: Size, agents: number): Promise<void> => {
  const client = databaseUrl.startsWith("sqlite:")
    ? SqliteStorage.layerClient({ filename: databaseUrl.slice("sqlite:".length), synchronous: "NORMAL" })
    : PostgresStorage.layerClient({ url: Redacted.make(databaseUrl), maxConnections: 1 })
  return Effect.gen(function* () {
    const sql = yield* SqlClient
    const now = yield* Clock.currentTimeMillis
    for (const statement of statements(size, agents, now, dialectOf(sql))) yield* sql.unsafe(statement)
  }).pipe(Effect.provide(client), Effect.runPromise)
}

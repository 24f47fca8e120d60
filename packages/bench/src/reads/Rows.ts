import { DatabaseSync } from "node:sqlite"

/** How many rows of each kind the large account has. */
export interface Rows {
  readonly deliveries: number
  readonly contacts: number
  readonly calls: number
  readonly events: number
}

const numbers = (count: number): string =>
  `WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ${count - 1})`

/** The start of the first calendar event: 2031-01-01T00:00:00Z in epoch milliseconds. */
const start = Date.UTC(2031, 0, 1)

/** 62 days in milliseconds. The calendar events of the large account begin within them. */
const range = 62 * 86_400_000

// Every 49th delivery has failed. One call of a thousand is inbound, and one has the status `busy`.
const statements = (account: number, rows: Rows): ReadonlyArray<string> => [
  `INSERT INTO agent (account_id, assistant_id, name, role, model, voice_id, created_at)
    VALUES (${account}, 'large', 'Ada', 'outbound agent', '', '', ${start})`,
  `INSERT INTO webhook (account_id, name, url, subscribed_events, status, secret, created_at, updated_at,
      consecutive_failures)
    VALUES (${account}, 'large', 'https://example.com', '["call.ended"]', 'disabled', 'x', ${start}, ${start}, 0)`,
  `INSERT INTO webhook_event (account_id, name, created_at, body) VALUES (${account}, 'call.ended', ${start}, x'7b7d')`,
  `${numbers(rows.deliveries)}
    INSERT INTO webhook_delivery (delivery_id, event_id, webhook_id, subject, state, kind, results, claims, attempts,
      in_line)
    SELECT printf('00000000-0000-7000-8000-%012x', n), (SELECT max(id) FROM webhook_event),
      (SELECT max(id) FROM webhook), 'call:1', iif(n % 49 = 0, 'failed', 'delivered'), 'automatic', 1, 0, 0, 0
    FROM number`,
  `${numbers(rows.contacts)}
    INSERT INTO contact (account_id, status, stage, search_text, first_name, last_name, email, created_at, updated_at,
      custom_context, industry_context)
    SELECT ${account}, 'new', 'lead', printf('jo %d' || char(31) || 'jo%d@example.com' || char(31), n, n), 'Jo',
      n, printf('jo%d@example.com', n), ${start}, ${start}, '{}', '{}' FROM number`,
  `${numbers(rows.calls)}
    INSERT INTO call (account_id, agent_id, call_id, status, type, phone_number, submission, billing_status,
      initial_charge, final_charge, price_per_minute, reconcile_count, created_at, updated_at, variables)
    SELECT ${account}, (SELECT max(id) FROM agent), printf('large_%d', n), iif(n % 1000 = 1, 'busy', 'completed'),
      iif(n % 1000 = 0, 'inbound', 'outbound'), '+12025550100', 'accepted', 'charged', 0, 0, 0, 0, ${start} + n,
      ${start} + n, '{}' FROM number`,
  `${numbers(rows.events)}
    INSERT INTO calendar_event (uuid, account_id, event_type, status, start_time, end_time, busy_class, title,
      has_video_conference, video_conference_url, video_conference_provider, created_by_ai_agent, is_reminder_enabled,
      remind_before_minutes, customer_name, customer_email, customer_email_key, customer_phone, external_calendars,
      notify_on_cancel, sequence, created_at, updated_at, customer_notes, description)
    SELECT printf('%08x-0000-7000-8000-000000000000', n), ${account}, 'meeting', 'scheduled',
      ${start} + CAST(n * ${range / rows.events} AS INTEGER), ${start} + CAST(n * ${range / rows.events} AS INTEGER) + 20000,
      0, 'Demo', 0, '', '', 1, 0, 30, 'Jo', 'jo@example.com', 'jo@example.com', '', '{}', 1, 0, ${start}, ${start}, '',
      'A demonstration of what there is to show' FROM number`
]

/** Fills a database of the server, for the account with this name. Returns the id of its webhook. */
export const fill = (filename: string, accountName: string, rows: Rows): number => {
  const database = new DatabaseSync(filename)
  try {
    const id = (text: string, ...params: ReadonlyArray<string>): number =>
      Number(Object.values(database.prepare(text).get(...params) ?? {})[0])
    const account = id("SELECT id FROM account WHERE name = ?", accountName)
    database.exec("PRAGMA synchronous = OFF; BEGIN IMMEDIATE")
    for (const statement of statements(account, rows)) database.exec(statement)
    database.exec("COMMIT")
    return id("SELECT max(id) FROM webhook")
  } finally {
    database.close()
  }
}

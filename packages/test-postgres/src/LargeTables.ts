import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The records to which the large tables refer. */
export interface Owner {
  /** The account that owns most rows. */
  readonly accountId: number
  /** A team of the account. Every tenth row belongs to it too. */
  readonly teamId: number
  /** An agent of the account. Every third row has it. */
  readonly agentId: number
}

/** The number of other accounts, and of the records that each of them has: teams, agents, keys and the like. */
const others = 10_000

// In the order that foreign keys require. `g` counts the rows. Texts have typical lengths.
const statements = ({ accountId, agentId, teamId }: Owner, rows: number): ReadonlyArray<string> => {
  const each = (count: number) => `generate_series(1, ${count}) AS g`
  const team = `CASE WHEN g % 10 = 0 THEN ${teamId} END`
  const past = `TIMESTAMPTZ '2024-01-01T00:00:00Z' + g * INTERVAL '30 minutes'`
  const someone = "(SELECT min(id) FROM account WHERE name = 'Other') + g - 1"
  return [
    `INSERT INTO account (name, role, created_at, settings) SELECT 'Other', 'standard', ${past},
      (SELECT settings FROM account WHERE id = ${accountId}) FROM ${each(others)}`,
    `INSERT INTO team (name) SELECT 'Team ' || g FROM ${each(others)}`,
    `INSERT INTO account_team (account_id, position, team_id) SELECT ${someone}, 0,
      (SELECT min(id) FROM team WHERE name = 'Team 1') + g - 1 FROM ${each(others)}`,
    `INSERT INTO api_key (account_id, name, permissions, prefix, created_at)
      SELECT ${someone}, 'large', '["can_read_calls"]', 'fd_live_', ${past} FROM ${each(others)}`,
    `INSERT INTO api_key_hash (hash, account_id, api_key_id, is_current)
      SELECT md5(id::text) || md5(id::text), account_id, id, TRUE FROM api_key WHERE name = 'large'`,
    `INSERT INTO member (account_id, email, mailbox, name, role, created_at)
      SELECT ${someone}, 'jo@example.com', 'jo' || g || '@example.com', 'Jo', 'viewer', ${past} FROM ${each(others)}`,
    `INSERT INTO member (account_id, email, mailbox, name, role, created_at)
      SELECT ${accountId}, 'max@example.com', 'max' || g || '@example.com', 'Max', 'viewer', ${past} FROM ${each(100)}`,
    ...(["sign_in_link", "session"] as const).flatMap((table) => {
      const further = table === "session" ? ", last_used_at, ends_at" : ""
      const times = table === "session" ? `, ${past}, ${past}` : ""
      const insert = `INSERT INTO ${table} (account_id, member_id, role, name, digest, created_at, expires_at${further})`
      return [
        `${insert} SELECT account_id, id, role, name, md5('${table}' || id) || md5(id::text), ${past},
          ${past} + INTERVAL '10 years'${times}
          FROM member CROSS JOIN ${each(1)}`,
        `${insert} SELECT ${someone}, NULL, 'viewer', 'Guest', md5('guest' || g) || md5(g::text), ${past}, ${past}${times}
          FROM ${each(others)}`
      ]
    }),
    `INSERT INTO agent (account_id, assistant_id, name, role, model, voice_id, created_at)
      SELECT ${someone}, 'large_' || g, 'Ada', 'outbound agent', 'gpt', 'v1', ${past} FROM ${each(others)}`,
    `INSERT INTO variable (account_id, context_type, name, display_name, variable_type, is_default)
      SELECT ${someone}, 'contact', 'large', 'Large', 'text', FALSE FROM ${each(others)}`,
    `INSERT INTO business_value (account_id, name, value) SELECT ${someone}, 'company_name', '"Acme"' FROM ${each(others)}`,
    `INSERT INTO provisioned_ref (kind, account_ref, ref, row_id) SELECT 'team', '', 'large_' || g, g FROM ${each(others)}`,
    `INSERT INTO idempotency_key (account_id, method, path, name, fingerprint, status, body, taken_at, expires_at)
      SELECT ${accountId}, 'POST', '/api/v1/calls', 'large_' || g, md5(g::text), 201, repeat('x', 500), ${past},
        ${past} + INTERVAL '1 day' FROM ${each(rows)}`,

    `INSERT INTO row_count (kind, account_id, team_id, status, type, total)
      SELECT kind, ${someone}, 0, 'new', 'lead', 0 FROM ${each(others)},
        unnest(ARRAY['contact', 'calendar_event']) AS kind`,

    `INSERT INTO contact (account_id, status, stage, search_text, first_name, created_at, updated_at, custom_context,
        industry_context)
      SELECT ${someone}, 'new', 'lead', 'other', 'Other', ${past}, ${past}, '{}', '{}' FROM ${each(others)}`,
    `INSERT INTO contact_tag (contact_id, position, account_id, tag)
      SELECT id, 0, account_id, 'tag ' || id % 1000 FROM contact WHERE first_name = 'Other'`,
    `INSERT INTO contact (account_id, team_id, status, stage, search_text, first_name, last_name, email, created_at,
        updated_at, custom_context, industry_context)
      SELECT ${accountId}, ${team}, (ARRAY['new', 'open', 'won'])[1 + g % 3], (ARRAY['lead', 'customer'])[1 + g % 2],
        'jo ' || g || E'\\x1fjo' || g || '@example.com' || E'\\x1f', 'Jo', g::text, 'jo' || g || '@example.com', ${past},
        ${past}, '{"plan":"gold"}', '{}' FROM ${each(rows)}`,
    `INSERT INTO contact_import (account_id, status, on_known, separator, dry_run, columns, parts, parts_read, lines, created,
        updated, skipped, refused, failure, cursor, due_at, created_at, updated_at)
      SELECT ${someone}, CASE WHEN g % 100 = 0 THEN 'running' ELSE 'finished' END, 'skip', ',', FALSE, NULL, 1, 0, 0, 0, 0, 0,
        0, NULL, '{"offset":0,"line":0,"fields":null,"header":null,"failures":0}', CASE WHEN g % 100 = 0 THEN ${past} END,
        ${past}, ${past} FROM ${each(others)}`,
    `INSERT INTO contact_import (account_id, status, on_known, separator, dry_run, columns, parts, parts_read, lines, created,
        updated, skipped, refused, failure, cursor, created_at, updated_at)
      SELECT ${accountId}, 'finished', 'skip', ',', FALSE, NULL, 1, 1, 0, 0, 0, 0, 0, NULL,
        '{"offset":0,"line":0,"fields":null,"header":null,"failures":0}', ${past}, ${past} FROM ${each(50)}`,
    `INSERT INTO contact_import_part (account_id, import_id, number, csv)
      SELECT account_id, id, 1, repeat('x', 200) FROM contact_import`,
    `INSERT INTO contact_import_refused (account_id, import_id, line, problems, cells)
      SELECT account_id, id, line, '[]', '{}' FROM contact_import, generate_series(2, 4) AS line`,
    `INSERT INTO contact_number (contact_id, account_id, position, phone_number, is_primary, do_not_call)
      SELECT id, account_id, 0, '+1202' || lpad(last_name, 7, '0'), TRUE, FALSE FROM contact WHERE first_name = 'Jo'
        AND email LIKE '%@example.com'`,
    `INSERT INTO do_not_call_number (account_id, phone_number)
      SELECT ${someone}, '+1303' || lpad(g::text, 7, '0') FROM ${each(others)}`,
    `INSERT INTO do_not_call_number (account_id, phone_number)
      SELECT account_id, phone_number FROM contact_number WHERE position = 0 AND contact_id % 5 = 0 ON CONFLICT DO NOTHING`,
    `INSERT INTO contact_tag (contact_id, position, account_id, team_id, tag)
      SELECT id, 0, account_id, team_id, 'tag ' || id % 1000 FROM contact WHERE first_name = 'Jo' AND email LIKE '%@example.com'`,

    `INSERT INTO call (account_id, agent_id, call_id, status, type, phone_number, submission, billing_status, initial_charge,
        final_charge, price_per_minute, reconcile_count, started_at, ended_at, created_at, updated_at, variables)
      SELECT ${someone}, ${agentId}, 'other_' || g, 'completed', 'outbound', '+1303' || lpad(g::text, 7, '0'), 'accepted',
        'charged', 0, 0, 0, 0, ${past}, ${past}, ${past}, ${past}, '{}' FROM ${each(others)}`,
    `INSERT INTO call (account_id, team_id, agent_id, contact_id, call_id, provider_call_id, status, type, phone_number,
        submission, billing_status, initial_charge, final_charge, price_per_minute, reconcile_count, started_at, ended_at,
        created_at, updated_at, variables, transcript)
      SELECT ${accountId}, ${team}, CASE WHEN g % 3 = 0 THEN ${agentId}
          ELSE (SELECT min(id) FROM agent WHERE assistant_id LIKE 'large%') + g % ${others} END,
        (SELECT max(id) FROM contact) - g % 1000, 'large_' || g, 'provider_' || g,
        CASE WHEN g % 20 = 0 THEN 'failed' ELSE 'completed' END, 'outbound', '+1202' || lpad((g % 1000)::text, 7, '0'),
        'accepted', 'charged', 0, 0, 0, 0, ${past}, ${past}, ${past}, ${past}, '{}', repeat('word ', 100)
      FROM ${each(rows)}`,

    `INSERT INTO fund_movement (account_id, kind, amount, balance_after, call_id, at)
      SELECT account_id, (ARRAY['reservation', 'settlement'])[1 + half.g], 2 * half.g - 1, half.g, call_id, created_at
      FROM call CROSS JOIN generate_series(0, 1) AS half (g) WHERE account_id = ${accountId} AND call_id LIKE 'large%'
      ORDER BY call.id, half.g`,
    `INSERT INTO fund_movement (account_id, kind, amount, balance_after, at)
      SELECT ${someone}, 'deposit', 1, g, ${past} FROM ${each(others)}`,
    `INSERT INTO statistic (account_id, day, agent_id, calls, answered)
      SELECT ${accountId}, to_char(DATE '2024-01-01' + CAST(g / 100 AS integer), 'YYYY-MM-DD'), ${agentId} + g % 100, g, g
      FROM ${each(rows)}`,
    `INSERT INTO statistic (account_id, day, agent_id, calls)
      SELECT ${someone}, '2024-01-01', 0, g FROM ${each(others)}`,
    `INSERT INTO statistic_part (account_id, second, agent_id, calls)
      SELECT ${accountId}, CAST(extract(epoch FROM ${past}) AS bigint), ${agentId}, 1 FROM ${each(rows)}`,
    `INSERT INTO statistic_part (account_id, second, agent_id, calls)
      SELECT ${someone}, CAST(extract(epoch FROM ${past}) AS bigint), 0, 1 FROM ${each(others)}`,
    `INSERT INTO audit_entry (account_id, at, actor_type, actor_ref, request_ref, operation, entity_type, entity_ref,
        changes, unlisted_changes)
      SELECT ${accountId}, ${past}, CASE WHEN g % 100 = 0 THEN 'worker' ELSE 'api_key' END, 'large ' || g % 100, 'r' || g,
        CASE WHEN g % 50 = 0 THEN 'agents.patch' ELSE 'contacts.patch' END,
        CASE WHEN g % 50 = 0 THEN 'agent' ELSE 'contact' END, (g % 1000)::text,
        '[{"field":"status","before":"new","after":"old"}]', 0
      FROM ${each(rows)}`,
    `INSERT INTO audit_entry (account_id, at, actor_type, operation, entity_type, changes, unlisted_changes)
      SELECT ${someone}, ${past}, 'program', 'contacts.patch', 'contact', '[]', 0 FROM ${each(others)}`,
    `INSERT INTO tool_call (account_id, call_id, conversation, tool, digest, arguments, answer, duration_millis, at)
      SELECT account_id, id, 'call:' || id, 'book', md5(id::text), '{}', '{}', 5, created_at
      FROM call WHERE account_id = ${accountId} AND call_id LIKE 'large%'`,
    `INSERT INTO tool_call (account_id, conversation, tool, digest, arguments, answer, duration_millis, at)
      SELECT ${someone}, 'key:' || g, 'book', md5(g::text), '{}', '{}', 5, ${past} FROM ${each(others)}`,
    `INSERT INTO slot_hold (account_id, holder, start_time, end_time, expires_at)
      SELECT ${someone}, 'call:' || g, ${past}, ${past} + INTERVAL '30 minutes', ${past} FROM ${each(others)}`,
    `INSERT INTO slot_hold (account_id, holder, start_time, end_time, expires_at)
      SELECT ${accountId}, 'call:' || g, ${past}, ${past} + INTERVAL '30 minutes', ${past} FROM ${each(rows)}`,

    `INSERT INTO calendar_event (uuid, account_id, team_id, ai_agent_id, event_type, status, start_time, end_time,
        busy_class, title, has_video_conference, video_conference_url, video_conference_provider, created_by_ai_agent,
        is_reminder_enabled, remind_before_minutes, customer_name, customer_email, customer_email_key, customer_phone,
        contact_id, external_calendars, notify_on_cancel, sequence, created_at, updated_at, customer_notes, description)
      SELECT gen_random_uuid()::text, ${accountId}, ${team}, CASE WHEN g % 3 = 0 THEN ${agentId} END,
        (ARRAY['meeting', 'voice_call'])[1 + g % 2], CASE WHEN g % 20 = 0 THEN 'cancelled' ELSE 'scheduled' END, ${past},
        ${past} + INTERVAL '25 minutes', CASE WHEN g % 20 <> 0 THEN 5 END, 'Demo ' || g, FALSE, '', '', TRUE, TRUE, 30, 'Jo',
        'Jo' || g % 1000 || '@example.com', 'jo' || g % 1000 || '@example.com',
        CASE WHEN g % 2 = 0 THEN '+1202' || lpad((g % 1000)::text, 7, '0') ELSE '' END,
        CASE WHEN g % 3 = 0 THEN (SELECT max(id) FROM contact) - g % 1000 END, '{}', TRUE, 0, ${past}, ${past}, '',
        repeat('word ', 20) FROM ${each(rows)}`,
    `INSERT INTO reminder (account_id, event_id, due_at, is_sent) SELECT account_id, id, start_time - INTERVAL '30 minutes', id % 100 <> 0
      FROM calendar_event WHERE title LIKE 'Demo _%'`,
    `INSERT INTO calendar_connection (account_id, provider, calendar, created_at, updated_at, credentials)
      SELECT ${someone}, 'google', 'primary', ${past}, ${past}, 'x' FROM ${each(others)}`,
    `INSERT INTO outbox_task (account_id, due_at, error, tag, event_id, work)
      SELECT ${someone}, ${past}, CASE WHEN g % 10 = 0 THEN 'it broke' END, 'SyncEvent', 1,
      '{"_tag":"SyncEvent","provider":"google","eventId":1}' FROM ${each(others)}`,

    `INSERT INTO webhook (account_id, name, url, subscribed_events, status, secret, created_at, updated_at,
        consecutive_failures)
      SELECT (SELECT min(id) FROM account WHERE name = 'Other') + g % ${others}, 'large', 'https://example.com', '["call.ended"]', 'active', 'x', ${past}, ${past}, 0
      FROM ${each(rows)}`,
    `INSERT INTO webhook (account_id, name, url, subscribed_events, status, secret, created_at, updated_at,
        consecutive_failures)
      SELECT ${accountId}, 'large', 'https://example.com', '["call.ended"]', 'active', 'x', ${past}, ${past}, 0
      FROM ${each(10)}`,
    // Of every 49 deliveries one is pending and one has failed. 49 and 10 have no common divisor, so each of the account's
    // 10 webhooks has deliveries in every state.
    `INSERT INTO webhook_event (account_id, name, created_at, body)
      SELECT ${accountId}, 'call.ended', ${past}, convert_to('large ' || g, 'UTF8') FROM ${each(rows)}`,
    `INSERT INTO webhook_delivery (account_id, delivery_id, event_id, webhook_id, subject, state, kind, due_at, results,
        claims, attempts, in_line)
      SELECT account_id, gen_random_uuid()::text, webhook_event.id, (SELECT max(id) FROM webhook) - webhook_event.id % 10, 'call:' || webhook_event.id,
        CASE webhook_event.id % 49 WHEN 0 THEN 'pending' WHEN 1 THEN 'failed' ELSE 'delivered' END, 'automatic',
        CASE webhook_event.id % 49 WHEN 0 THEN created_at END, 0, 0,
        CASE webhook_event.id % 49 WHEN 0 THEN 0 ELSE 1 END, webhook_event.id % 49 = 0
      FROM webhook_event WHERE account_id = ${accountId} AND convert_from(body, 'UTF8') LIKE 'large%'`,
    `INSERT INTO webhook_attempt (account_id, delivery_id, number, kind, started_at, duration_ms, status_code,
        response_body)
      SELECT account_id, id, 1, 'automatic', now(), 20, 200, 'ok' FROM webhook_delivery
      WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = ${accountId}) AND attempts = 1`
  ]
}

/** Stores the counts that the triggers, which are switched off meanwhile, would have stored. */
const counts = [
  "UPDATE row_count SET total = 0",
  ...(["call type", "contact stage", "calendar_event event_type"] as const).map((counted) => {
    const [table, type] = counted.split(" ")
    return `INSERT INTO row_count (kind, account_id, team_id, status, type, part, total)
      SELECT '${table}', account_id, coalesce(team_id, 0), status, ${type}, 0, count(*) FROM ${table}
      GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, kind, team_id, status, type, part) DO UPDATE SET total = excluded.total`
  })
]

/**
 * Fills the tables of an installation as years of use would. One account gets `rows` calendar events, calls, contacts,
 * deliveries and idempotency keys; other accounts get `rows` webhooks. Of most other records there are {@link others}.
 * The tables are then vacuumed and analysed.
 */
export const grow = (owner: Owner, rows: number): Effect.Effect<void, SqlError, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => {
    const counted = ["call", "contact", "calendar_event"]
    const toggle = (what: string) =>
      Effect.forEach(counted, (table) => sql.unsafe(`ALTER TABLE ${table} ${what} TRIGGER USER`), { discard: true })
    return Effect.gen(function* () {
      yield* toggle("DISABLE")
      yield* Effect.forEach([...statements(owner, rows), ...counts], (statement) => sql.unsafe(statement), {
        discard: true
      })
      yield* toggle("ENABLE")
      yield* sql.unsafe("VACUUM (ANALYZE)")
    })
  })

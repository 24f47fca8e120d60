import * as CanonicalJson from "@frontdesk/core/booking/CanonicalJson"
import * as Schema from "effect/Schema"
import type { WorldDatabase } from "./WorldDatabase.ts"

const NullableInt = Schema.NullOr(Schema.Int)

const Webhook = Schema.Struct({ id: Schema.Int, name: Schema.String, status: Schema.String })

const WebhookEvent = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  created_at: Schema.Int,
  body: Schema.Uint8Array
})

const Delivery = Schema.Struct({
  id: Schema.Int,
  delivery_id: Schema.String,
  event_id: Schema.Int,
  webhook_id: Schema.Int,
  subject: Schema.String,
  state: Schema.Literals(["pending", "leased", "delivered", "failed", "cancelled"]),
  results: Schema.Int,
  attempts: Schema.Int
})

const Attempt = Schema.Struct({
  delivery_id: Schema.Int,
  number: Schema.Int,
  kind: Schema.Literals(["automatic", "manual"]),
  started_at: Schema.Int,
  duration_ms: Schema.Int,
  status_code: NullableInt,
  error: Schema.NullOr(Schema.String)
})

const CalendarEvent = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  status: Schema.String,
  start_time: Schema.Int,
  end_time: Schema.Int
})

const ToolCall = Schema.Struct({ event_id: NullableInt, answer: Schema.fromJsonString(Schema.Json) })

const Reminder = Schema.Struct({ event_id: Schema.Int, due_at: Schema.Int, is_sent: Schema.Int })

const Call = Schema.Struct({
  id: Schema.Int,
  status: Schema.String,
  billing_status: Schema.String,
  initial_charge: Schema.Int,
  final_charge: Schema.Int,
  price_per_minute: Schema.Int,
  started_at: NullableInt,
  ended_at: NullableInt,
  ended_reason: Schema.NullOr(Schema.String)
})

const Secret = Schema.Struct({ secret: Schema.String })

const Task = Schema.Struct({
  attempts: Schema.Int,
  error: Schema.NullOr(Schema.String),
  work: Schema.fromJsonString(
    Schema.Struct({
      notification: Schema.Struct({
        kind: Schema.String,
        event: Schema.Struct({ id: Schema.Int })
      })
    })
  )
})

const Account = Schema.Struct({
  deposits: Schema.Int,
  charges: Schema.Int,
  holds: Schema.Int,
  /** The sum of all movements. */
  moved: Schema.Int
})

/** A stored attempt of a delivery. */
export type Attempt = typeof Attempt.Type

/** A stored delivery. */
export type Delivery = typeof Delivery.Type

/** A stored webhook event. */
export type WebhookEvent = typeof WebhookEvent.Type

/** All rows of a database that the invariants check. */
export interface Records {
  readonly webhooks: ReadonlyArray<typeof Webhook.Type>
  readonly webhookEvents: ReadonlyArray<WebhookEvent>
  readonly deliveries: ReadonlyArray<Delivery>
  readonly attempts: ReadonlyArray<Attempt>
  readonly calendarEvents: ReadonlyArray<typeof CalendarEvent.Type>
  /** The stored tool calls, with their answers as canonical JSON. */
  readonly toolCalls: ReadonlyArray<{ readonly event_id: number | null; readonly answer: string }>
  readonly reminders: ReadonlyArray<typeof Reminder.Type>
  readonly calls: ReadonlyArray<typeof Call.Type>
  readonly accounts: ReadonlyArray<typeof Account.Type>
  readonly tasks: ReadonlyArray<typeof Task.Type>
  /** The stored secrets of webhooks, including the previous ones of rotations. */
  readonly webhookSecrets: ReadonlyArray<string>
  /** The errors that the database finds in itself. */
  readonly damage: ReadonlyArray<string>
}

const rowsOf = async <A>(
  database: WorldDatabase,
  row: Schema.Codec<A, unknown>,
  statement: string
): Promise<ReadonlyArray<A>> => Schema.decodeUnknownSync(Schema.Array(row))(await database.rows(statement))

const Count = Schema.Struct({ count: Schema.Int })

/**
 * Returns how much work a running server still has; 0 when all work is finished. A task without a claim counts before it is
 * due: the server has postponed it, because it was sending another mail of the event. A task that a killed process has
 * claimed counts when its lease has ended.
 */
export const unsettled = async (database: WorldDatabase): Promise<number> => {
  const now = database.time(Date.now())
  const counts = await rowsOf(
    database,
    Count,
    `SELECT (SELECT count(*) FROM webhook_delivery WHERE state IN ('pending', 'leased'))
      + (SELECT count(*) FROM webhook WHERE deleted_at IS NOT NULL)
      + (SELECT count(*) FROM outbox_task WHERE error IS NULL AND (attempts = 0 OR due_at <= ${now}))
      + (SELECT count(*) FROM reminder WHERE NOT is_sent AND due_at <= ${now})
      + (SELECT count(*) FROM call WHERE ended_at IS NULL OR (status = 'completed' AND summary IS NULL)) AS count`
  )
  return counts[0]?.count ?? 0
}

/** Returns the number of cancelled deliveries. */
export const cancelled = async (database: WorldDatabase): Promise<number> => {
  const counts = await rowsOf(
    database,
    Count,
    "SELECT count(*) AS count FROM webhook_delivery WHERE state = 'cancelled'"
  )
  return counts[0]?.count ?? 0
}

const Begun = Schema.Struct({ name: Schema.String })

/** Returns the names of deliveries and tasks that killed servers had claimed and not finished. */
export const begun = async (database: WorldDatabase): Promise<ReadonlySet<string>> => {
  const found = await rowsOf(
    database,
    Begun,
    `SELECT 'delivery ' || id || ' ' || lease_id AS name FROM webhook_delivery WHERE state = 'leased'
      UNION ALL SELECT 'task ' || id || ' ' || attempts FROM outbox_task WHERE attempts > 0 AND error IS NULL`
  )
  return new Set(found.map(({ name }) => name))
}

/** Reads all rows of a database. No server may use it at that time. */
export const read = async (database: WorldDatabase): Promise<Records> => {
  const rows = <A>(row: Schema.Codec<A, unknown>, statement: string) => rowsOf(database, row, statement)
  const secrets = await rows(
    Secret,
    `SELECT secret FROM webhook
      UNION ALL SELECT previous_secret FROM webhook WHERE previous_secret IS NOT NULL`
  )
  const toolCalls = await rows(ToolCall, "SELECT event_id, CAST(answer AS text) AS answer FROM tool_call ORDER BY id")
  return {
    webhooks: await rows(Webhook, "SELECT id, name, status FROM webhook ORDER BY id"),
    webhookEvents: await rows(WebhookEvent, "SELECT id, name, created_at, body FROM webhook_event ORDER BY id"),
    deliveries: await rows(
      Delivery,
      `SELECT id, delivery_id, event_id, webhook_id, subject, state, results, attempts
        FROM webhook_delivery ORDER BY id`
    ),
    attempts: await rows(
      Attempt,
      `SELECT delivery_id, number, kind, started_at, duration_ms, status_code, error
        FROM webhook_attempt ORDER BY delivery_id, number`
    ),
    calendarEvents: await rows(
      CalendarEvent,
      "SELECT id, title, status, start_time, end_time FROM calendar_event ORDER BY id"
    ),
    toolCalls: toolCalls.map(({ answer, event_id }) => ({ event_id, answer: CanonicalJson.stringify(answer) })),
    reminders: await rows(Reminder, "SELECT event_id, due_at, is_sent FROM reminder ORDER BY event_id, due_at"),
    calls: await rows(
      Call,
      `SELECT id, status, billing_status, initial_charge, final_charge, price_per_minute, started_at, ended_at,
        ended_reason FROM call ORDER BY id`
    ),
    accounts: await rows(
      Account,
      `SELECT deposits, charges, holds, CAST((SELECT coalesce(sum(amount), 0) FROM fund_movement
        WHERE account_id = account.id) AS bigint) AS moved FROM account`
    ),
    tasks: await rows(Task, "SELECT attempts, error, work FROM outbox_task ORDER BY id"),
    webhookSecrets: secrets.map(({ secret }) => secret),
    damage: await database.damage()
  }
}

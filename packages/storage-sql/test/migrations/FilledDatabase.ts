import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as OldSchema from "./OldSchema.ts"

/** More deliveries and attempts than one step of the migration fills. */
export const deliveries = 1_300

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Returns the account of a row of the old schema by its id. */
export const accountOf = (id: number): number => 1 + (id % 3)

const deliveryId = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`

const sync = (eventId: number) => ({
  tag: "SyncEvent",
  event_id: eventId,
  work: JSON.stringify({ _tag: "SyncEvent", provider: "google", eventId })
})

/** Returns rows of each child table as a server of the version before inserts them, numbered from `first`. */
const childRows = Effect.fnUntraced(function* (first: number, count: number) {
  const dialect = ClientDialect.of(yield* SqlClient)
  const [now, flag] = [dialect.time(Samples.now), (value: boolean) => (dialect.isConcurrent ? value : value ? 1 : 0)]
  const numbers = range(count).map((number) => first + number - 1)
  return [
    [
      "api_key_hash",
      numbers.slice(0, 3).map((id) => ({ hash: `hash ${id}`, api_key_id: 1 + (id % 3), is_current: flag(true) }))
    ],
    [
      "reminder",
      numbers
        .slice(0, 3)
        .map((id) => ({ event_id: 1 + (id % 3), due_at: dialect.time(Samples.later(id)), is_sent: flag(false) }))
    ],
    ["outbox_task", numbers.slice(0, 3).map((id) => ({ due_at: now, ...sync(1 + (id % 3)) }))],
    [
      "webhook_delivery",
      numbers.map((id) => ({
        id,
        delivery_id: deliveryId(id),
        event_id: 1 + (id % 3),
        webhook_id: 1 + (id % 3),
        subject: `call:${id}`,
        state: "pending",
        kind: "automatic",
        due_at: now,
        results: 1,
        claims: 0,
        attempts: 1
      }))
    ],
    [
      "webhook_attempt",
      numbers.map((id) => ({
        delivery_id: id,
        number: 1,
        kind: "automatic",
        started_at: now,
        duration_ms: 5,
        status_code: 503,
        response_body: "busy"
      }))
    ]
  ] as const
})

/** Inserts rows of each child table as a server of the version before does, numbered from `first`. */
export const insertChildren = Effect.fnUntraced(function* (first: number, count: number) {
  for (const [table, rows] of yield* childRows(first, count)) yield* OldSchema.insertAll(table, rows)
})

/**
 * Inserts rows of the schema of the version before. Row 1, 2 and 3 of each parent are of account 1, 2 and 3. Each call has
 * the agent and the contact of another account.
 */
export const fill = Effect.gen(function* () {
  const dialect = ClientDialect.of(yield* SqlClient)
  const times = yield* OldSchema.times
  const flag = (value: boolean) => (dialect.isConcurrent ? value : value ? 1 : 0)
  yield* OldSchema.insertAccounts
  for (const id of [1, 2, 3]) {
    const own = { id, account_id: id }
    yield* OldSchema.insertAll("api_key", [
      { ...own, name: "Key", permissions: "[]", prefix: "fd_live_", created_at: times.created_at }
    ])
    yield* OldSchema.insertAll("contact", [yield* OldSchema.contactRow(own)])
    yield* OldSchema.insertAll("contact_number", [
      {
        ...own,
        contact_id: id,
        position: 0,
        phone_number: `+1202555011${id}`,
        is_primary: flag(true),
        do_not_call: flag(false)
      }
    ])
    yield* OldSchema.insertAll("contact_tag", [{ contact_id: id, position: 0, account_id: id, tag: "new" }])
    yield* OldSchema.insertAll("agent", [
      {
        ...own,
        assistant_id: `asst_${id}`,
        name: "Ada",
        role: "outbound agent",
        model: "m",
        voice_id: "v",
        created_at: times.created_at
      }
    ])
    yield* OldSchema.insertAll("calendar_event", [
      {
        ...own,
        ...times,
        uuid: deliveryId(id),
        event_type: "meeting",
        status: "scheduled",
        start_time: dialect.time(Samples.now),
        end_time: dialect.time(Samples.later(30)),
        title: "Demo",
        has_video_conference: flag(false),
        video_conference_url: "",
        video_conference_provider: "",
        created_by_ai_agent: flag(false),
        is_reminder_enabled: flag(false),
        remind_before_minutes: 30,
        customer_name: "",
        customer_email: "",
        customer_phone: "",
        external_calendars: "{}",
        notify_on_cancel: flag(false),
        sequence: 0,
        customer_notes: "",
        description: ""
      }
    ])
    yield* OldSchema.insertAll("webhook", [
      {
        ...own,
        ...times,
        name: "Calls",
        url: "https://example.com",
        subscribed_events: '["call.ended"]',
        status: "active",
        secret: "plain:whsec_test",
        consecutive_failures: 0
      }
    ])
    yield* OldSchema.insertAll("webhook_event", [
      { ...own, name: "call.ended", created_at: times.created_at, body: new TextEncoder().encode("{}") }
    ])
  }
  for (const id of [1, 2, 3]) {
    const other = 1 + (id % 3)
    yield* OldSchema.insertAll("call", [
      {
        ...times,
        id,
        account_id: id,
        agent_id: other,
        contact_id: other,
        call_id: `call_${id}`,
        status: "completed",
        type: "outbound",
        phone_number: "+12025550111",
        submission: "accepted",
        billing_status: "charged",
        initial_charge: 0,
        final_charge: 0,
        price_per_minute: 0,
        reconcile_count: 0,
        variables: "{}"
      }
    ])
  }
  yield* insertChildren(1, deliveries)
  yield* OldSchema.insertAll("outbox_task", [{ due_at: times.created_at, ...sync(999) }])
})

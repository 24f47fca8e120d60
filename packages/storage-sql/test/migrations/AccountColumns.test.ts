import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import * as ClientDialect from "@frontdesk/storage-sql/dialect/ClientDialect"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

/** More deliveries and attempts than one step of the migration fills. */
const deliveries = 1_300

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Returns the account of a row of the old schema by its id. */
const accountOf = (id: number): number => 1 + (id % 3)

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

const insertChildren = Effect.fnUntraced(function* (first: number, count: number) {
  for (const [table, rows] of yield* childRows(first, count)) yield* OldSchema.insertAll(table, rows)
})

/** Inserts rows of the schema of the version before. Row 1, 2 and 3 of each parent are of account 1, 2 and 3. */
const fill = Effect.gen(function* () {
  const dialect = ClientDialect.of(yield* SqlClient)
  const times = yield* OldSchema.times
  const flag = (value: boolean) => (dialect.isConcurrent ? value : value ? 1 : 0)
  yield* OldSchema.insertAccounts
  for (const id of [1, 2, 3]) {
    const own = { id, account_id: id }
    yield* OldSchema.insertAll("api_key", [
      { ...own, name: "Key", permissions: "[]", prefix: "fd_live_", created_at: times.created_at }
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
  yield* insertChildren(1, deliveries)
  yield* OldSchema.insertAll("outbox_task", [{ due_at: times.created_at, ...sync(999) }])
})

/** Returns the number of rows of each child table, and how many have another account than their parent, or none. */
const wrongAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const counts: Record<string, ReadonlyArray<number>> = {}
  for (const [table, parent, key] of [
    ["api_key_hash", "api_key", "api_key_id"],
    ["reminder", "calendar_event", "event_id"],
    ["outbox_task", "calendar_event", "event_id"],
    ["webhook_delivery", "webhook", "webhook_id"],
    ["webhook_attempt", "webhook_delivery", "delivery_id"]
  ] as const) {
    const [found] = yield* sql.unsafe<{ all: unknown; right: unknown }>(
      `SELECT count(*) AS "all", count(CASE WHEN child.account_id = parent.account_id THEN 1 END) AS "right"
        FROM ${table} AS child LEFT JOIN ${parent} AS parent ON parent.id = child.${key}`
    )
    counts[table] = [Number(found?.all), Number(found?.all) - Number(found?.right)]
  }
  return counts
})

const counts = (few: number, many: number) => ({
  api_key_hash: [few, 0],
  reminder: [few, 0],
  outbox_task: [few, 0],
  webhook_delivery: [many, 0],
  webhook_attempt: [many, 0]
})

describe.each(emptyDatabases)(
  "the migration to accounts of all rows of a filled database, on %s",
  (name, emptyDatabase) => {
    it.live("gives every row the account of its parent, also rows that an older server inserts later (D-STO-15)", () =>
      Effect.gen(function* () {
        const { client, storage } = yield* emptyDatabase
        yield* Effect.gen(function* () {
          yield* Effect.andThen(OldSchema.migrateTo(20), fill)
          yield* SqlMigrations.migrate
          expect(yield* wrongAccounts).toEqual(counts(3, deliveries))
          yield* insertChildren(deliveries + 1, 6)
          expect(yield* wrongAccounts).toEqual(counts(6, deliveries + 6))
        }).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const tasks = yield* (yield* OutboxStore).claim(Samples.now, Samples.later(1), 10)
          expect(tasks.map(({ accountId }) => accountId)).toEqual([2, 3, 1, 3, 1, 2].map((id) => AccountId.make(id)))
          const claimed = yield* Deliveries.claim(1, { limit: 100, perWebhook: 100 })
          expect(claimed).toHaveLength(100)
          expect(claimed.every(({ accountId, key }) => accountId === accountOf(key))).toBe(true)
        }).pipe(Effect.provide(storage))
      }).pipe(Effect.scoped)
    )

    it.live.skipIf(name === "SQLite")("makes the account required, and leaves no check behind", () =>
      Effect.gen(function* () {
        const { client } = yield* emptyDatabase
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* Effect.andThen(OldSchema.migrateTo(20), fill)
          yield* SqlMigrations.migrate
          expect(
            yield* sql`SELECT table_name, is_nullable FROM information_schema.columns
            WHERE column_name = 'account_id' AND table_schema = current_schema() AND is_nullable = 'YES'`
          ).toEqual([])
          expect(yield* sql`SELECT conname FROM pg_constraint WHERE contype = 'c' AND NOT convalidated`).toEqual([])
          const update = sql`UPDATE webhook_attempt SET account_id = NULL WHERE delivery_id = 1`
          expect((yield* Effect.flip(update)).reason._tag).toBe("ConstraintError")
        }).pipe(Effect.provide(client))
      }).pipe(Effect.scoped)
    )
  }
)

import { describe, expect, it } from "@effect/vitest"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { FrontLength } from "@frontdesk/storage-sql/claim/Claim"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** How many deliveries and how many tasks are added: more than one step cancels. */
const rows = 1_500

/** Adds due deliveries of three webhook events to one webhook, and due tasks of the outbox. */
const addWork = Effect.gen(function* () {
  const sql = yield* SqlClient
  const account = yield* Samples.makeAccount()
  const webhook = yield* Samples.makeWebhook(account.id)
  const due = "2026-01-01T00:00:00Z"
  yield* sql`WITH event AS (
      INSERT INTO webhook_event (account_id, name, created_at, body)
      SELECT ${account.id}, 'call.ended', ${due}, '{}' FROM generate_series(1, 3) RETURNING id
    )
    INSERT INTO webhook_delivery (delivery_id, event_id, webhook_id, subject, state, kind, due_at, results, claims, attempts)
    SELECT CAST(gen_random_uuid() AS text), event.id, ${webhook.id}, 'call:' || n, 'pending', 'automatic', ${due}, 0, 0, 0
    FROM event, generate_series(1, CAST(${rows / 3} AS integer)) AS n`
  yield* sql`INSERT INTO outbox_task (account_id, due_at, tag, event_id, work)
    SELECT CAST(${account.id} AS bigint), ${due}, 'SyncEvent', n, json_build_object('_tag', 'SyncEvent', 'provider', 'google', 'eventId', n)
    FROM generate_series(1, CAST(${rows} AS integer)) AS n`
  return webhook
})

/** A storage whose statistics were gathered when all work was done and deleted. */
const storage = Layer.unwrap(
  Effect.map(TestDatabase.make, (url) => PostgresStorage.layer({ url: Redacted.make(url) }))
).pipe(
  Layer.tap((context) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const table of ["webhook_delivery", "outbox_task"]) {
        yield* sql.unsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
      }
      yield* addWork
      for (const table of ["webhook_delivery", "webhook_event", "outbox_task"])
        yield* sql.unsafe(`DELETE FROM ${table}`)
      yield* sql`ANALYZE`
    }).pipe(Effect.provide(context))
  )
)

// A wrong plan runs a subquery for each row, which takes minutes. The storage ends a statement after ten seconds.
describe("with statistics from a time when all work was done", () => {
  it.live(
    "1,500 deliveries are cancelled in steps and those of one webhook event are swept, each within a timeout",
    () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const webhook = yield* addWork
        yield* store.cancelOpen(webhook.id)
        // A step cancels 200 deliveries, whatever its limit is (D-PG-21).
        for (let left = rows - 200; left > 0; left -= 200) {
          expect(yield* store.backlog(webhook.id)).toBe(left)
          yield* store.purge(Samples.rowLimit(1_000))
        }
        expect(yield* store.backlog(webhook.id)).toBe(0)
        // A step sweeps a single webhook event when several have more than 1,000 deliveries together.
        const before = Samples.at("2026-06-01T00:00:00Z")
        expect((yield* store.sweep({ before, after: null, limit: Samples.rowLimit(1_000) })).count).toBe(1)
      }).pipe(Effect.provide(storage))
  )

  it.live.each([
    // The only account has at most three quarters of the 500 places (D-DEL-31).
    ["from the front of the queue", 2_000, 375],
    // A walk examines at most 256 deliveries of the only webhook.
    ["on a walk", 2, 256]
  ] as const)("deliveries are claimed %s and released within the statement timeout", ([, frontLength, count]) =>
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      yield* addWork
      const now = Samples.at("2026-06-01T00:00:00Z")
      const claimed = yield* queue.claim({
        now,
        leaseUntil: Samples.at("2026-06-01T00:01:00Z"),
        leaseId: "lease",
        owner: "owner",
        limit: 500,
        perWebhook: 500,
        takenPlaces: new Map(),
        takenByAccount: new Map()
      })
      expect(claimed).toHaveLength(count)
      expect(yield* queue.release("owner", now)).toBe(count)
    }).pipe(Effect.provide(Layer.provide(storage, Layer.succeed(FrontLength, frontLength))))
  )

  it.live("tasks of the outbox are claimed and released within the statement timeout", () =>
    Effect.gen(function* () {
      const outbox = yield* OutboxStore
      yield* addWork
      const now = Samples.at("2026-06-01T00:00:00Z")
      const claimed = yield* outbox.claim(now, Samples.at("2026-06-01T00:01:00Z"), 1_000, "owner")
      // The only account has at most three quarters of the places (D-OUT-10).
      expect(claimed).toHaveLength(750)
      expect(yield* outbox.release("owner", now)).toBe(750)
    }).pipe(Effect.provide(storage))
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryRetentionWorker } from "@frontdesk/core/worker/DeliveryRetentionWorker"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { databases } from "./databases.ts"

describe.each(databases)("the retention, in %s", (_, storage) => {
  it.live("deletes 600 old webhook events in steps of at most 50, and deliveries continue between the steps", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const log: Array<"swept" | "delivered"> = []
      const account = yield* Samples.makeAccount()
      const webhook = yield* Samples.makeWebhook(account.id)
      const transaction = yield* Transaction
      const subjects = Array.from({ length: 600 }, (_, event) => `call:${event}`)
      yield* transaction.run(
        Effect.forEach(subjects, (subject) => Deliveries.add(webhook, subject, { createdAt: longAgo }), {
          discard: true
        })
      )
      yield* deliver

      const watched = DeliveryStore.of({
        ...store,
        sweep: (which) =>
          Effect.tap(store.sweep(which), ({ count }) => {
            expect(count).toBeLessThanOrEqual(50)
            log.push("swept")
            return Effect.void
          })
      })
      const sweep = Effect.flatMap(DeliveryRetentionWorker, (retention) => retention.sweep).pipe(
        Effect.provide(Layer.provide(DeliveryRetentionWorker.layer, Layer.succeed(DeliveryStore, watched)))
      )
      const sweeping = yield* Effect.forkScoped(sweep)
      // In the future, so that these webhook events are not swept.
      const createdAt = Samples.at("2200-01-01T00:00:00.000Z")
      let added = 0
      while (sweeping.pollUnsafe() === undefined) {
        yield* Deliveries.add(webhook, `call:${added}`, { createdAt })
        yield* deliver
        added += 1
        log.push("delivered")
        yield* Effect.yieldNow
      }
      expect(yield* Fiber.join(sweeping)).toBe(600)
      // 12 steps delete 50 webhook events each, and the last step finds no more.
      expect(log.filter((entry) => entry === "swept")).toHaveLength(13)
      expect(log.slice(log.indexOf("swept"), log.lastIndexOf("swept"))).toContain("delivered")
      const left = yield* store.list(account.id, webhook.id, Option.some("delivered"), { page: 1, limit: 1 })
      expect(left.count).toBe(added)

      const sql = yield* SqlClient.SqlClient
      for (const table of ["webhook_event", "webhook_delivery", "webhook_attempt"]) {
        expect(yield* sql.unsafe(`SELECT CAST(count(*) AS integer) AS count FROM ${table}`)).toEqual([{ count: added }])
      }
    }).pipe(Effect.scoped, Effect.provide(storage))
  )
})

describe.each(databases)("a deleted webhook, in %s", (_, storage) => {
  it.effect("loses its secret and personal values at once, its deliveries in steps, and its own row last", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* DeliveryStore
      const account = yield* Samples.makeAccount()
      const [webhook, other] = [yield* Samples.makeWebhook(account.id), yield* Samples.makeWebhook(account.id)]
      yield* (yield* WebhookStore).rotateSecret(webhook.id, Samples.stored("second"), Samples.later(60))
      for (let event = 0; event < 7; event++) yield* Deliveries.add(webhook, `call:${event}`, { createdAt: longAgo })
      yield* deliver
      yield* Deliveries.add(webhook, "call:7", {
        deliveries: [webhook, other].map(({ id }) => ({ id: Deliveries.newId(), webhookId: id }))
      })
      const counts = Effect.gen(function* () {
        const found: Array<unknown> = []
        for (const table of ["webhook", "webhook_event", "webhook_delivery", "webhook_attempt"]) {
          const [row] = yield* sql.unsafe<{ count: number }>(`SELECT CAST(count(*) AS integer) AS count FROM ${table}`)
          found.push(row?.count)
        }
        return found
      })

      expect(yield* store.purge(Samples.rowLimit(3))).toBe(false)
      const webhooks = yield* WebhookStore
      yield* webhooks.delete(account.id, webhook.id)
      yield* webhooks.update(webhook)
      yield* webhooks.rotateSecret(webhook.id, Samples.stored("third"), Samples.later(60))
      expect(
        yield* sql`SELECT name, url, secret, previous_secret, previous_secret_expires_at FROM webhook
        WHERE id = ${webhook.id}`
      ).toEqual([{ name: "", url: "", secret: "", previous_secret: null, previous_secret_expires_at: null }])
      expect(yield* counts).toEqual([2, 8, 9, 7])
      expect(yield* store.purge(Samples.rowLimit(3))).toBe(true)
      expect(yield* counts).toEqual([2, 5, 6, 4])
      expect(yield* store.purge(Samples.rowLimit(3))).toBe(true)
      expect(yield* counts).toEqual([2, 2, 3, 1])
      expect(yield* store.purge(Samples.rowLimit(3))).toBe(true)
      expect(yield* counts).toEqual([1, 1, 1, 0])
      expect(yield* store.purge(Samples.rowLimit(3))).toBe(false)
      expect(yield* Deliveries.claim(0)).toMatchObject([{ webhookId: other.id }])
    }).pipe(Effect.provide(storage))
  )
})

const longAgo = Samples.at("2000-01-01T00:00:00.000Z")

/** Claims all due deliveries and records them as delivered. */
const deliver = Effect.gen(function* () {
  const queue = yield* DeliveryQueue
  const now = Samples.at("2200-01-01T00:00:00.000Z")
  const claimed = yield* Deliveries.claim(0, { now, leaseUntil: now, limit: 2_000, perWebhook: 2_000 })
  yield* queue.record(
    claimed.map((one) => Deliveries.result(one, null)),
    now
  )
})

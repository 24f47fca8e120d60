import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliveryRetention } from "@frontdesk/core/webhook/DeliveryRetention"
import { DeliveryQueue } from "@frontdesk/core/webhook/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as Path from "node:path"
import * as SqliteStorage from "../src/SqliteStorage.ts"
import { folder } from "./SqlClientSuite.ts"

describe("the retention", () => {
  it.live("deletes many events a few at a time, and deliveries go on in between", () =>
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
      const sweep = Effect.flatMap(DeliveryRetention, (retention) => retention.sweep).pipe(
        Effect.provide(Layer.provide(DeliveryRetention.layer, Layer.succeed(DeliveryStore, watched)))
      )
      const sweeping = yield* Effect.forkScoped(sweep)
      // Of today, so that they are not swept.
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
      expect(log.filter((entry) => entry === "swept")).toHaveLength(13)
      expect(log.slice(log.indexOf("swept"), log.lastIndexOf("swept"))).toContain("delivered")
      const left = yield* store.list(account.id, webhook.id, Option.some("delivered"), { page: 1, limit: 1 })
      expect(left.count).toBe(added)

      const sql = yield* SqlClient.SqlClient
      for (const table of ["webhook_event", "webhook_delivery", "webhook_attempt"]) {
        expect(yield* sql.unsafe(`SELECT count(*) AS count FROM ${table}`)).toEqual([{ count: added }])
      }
    }).pipe(Effect.scoped, Effect.provide(inFile))
  )
})

const longAgo = Samples.at("2000-01-01T00:00:00.000Z")

const inFile = Layer.unwrap(
  Effect.map(folder, (path) => SqliteStorage.layer({ filename: Path.join(path, "frontdesk.db") }))
)

/** Delivers whatever is due. */
const deliver = Effect.gen(function* () {
  const queue = yield* DeliveryQueue
  const now = Samples.at("2200-01-01T00:00:00.000Z")
  const claimed = yield* Deliveries.claim(0, { now, leaseUntil: now, limit: 2_000, perWebhook: 2_000 })
  yield* queue.record(
    claimed.map((one) => Deliveries.result(one, null)),
    now
  )
})

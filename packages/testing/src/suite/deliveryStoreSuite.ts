import { type Delivery, type DeliveryStatus, maxAttempts, maxListed } from "@frontdesk/core/delivery/Delivery"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies how a `DeliveryStore` lists, redelivers and cancels deliveries. */
export const deliveryStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryStore`, (it) => {
    it.effect(
      "redeliver makes a finished delivery due for one manual attempt outside the retry plan, and leaves an open one unchanged",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const store = yield* DeliveryStore
          const webhook = yield* Deliveries.newWebhook
          const id = yield* Deliveries.add(webhook, "call:1")
          const redeliver = (minutes: number) =>
            store.redeliver(webhook.accountId, webhook.id, id, Samples.later(minutes))
          const first = yield* Deliveries.claimOne(0)
          yield* queue.record([Deliveries.finalFailure(first, "failed")], Samples.later(1))
          expect(Option.getOrThrow(yield* Deliveries.find(webhook, id)).status).toBe("failed")

          yield* redeliver(2)
          expect(Option.getOrThrow(yield* Deliveries.find(webhook, id))).toMatchObject({
            status: "pending",
            nextAttemptAt: Samples.later(2)
          })
          yield* redeliver(3)
          const manual = yield* Deliveries.claimOne(2)
          expect(manual).toMatchObject({ id, kind: "manual", results: 1, claims: 1 })
          yield* redeliver(4)
          yield* queue.record([Deliveries.finalFailure(manual, null)], Samples.later(5))

          yield* redeliver(6)
          const again = yield* Deliveries.claimOne(6)
          expect(again).toMatchObject({ kind: "manual", results: 1, claims: 1 })
          yield* queue.record([Deliveries.result(again, null)], Samples.later(7))
          const found = Option.getOrThrow(yield* Deliveries.find(webhook, id))
          expect(found.status).toBe("delivered")
          expect(found.attempts.map(({ number, kind }) => [number, kind])).toEqual([
            [1, "automatic"],
            [2, "manual"],
            [3, "manual"]
          ])
        })
    )

    it.effect("the attempts that follow a redelivery are automatic", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        yield* queue.record([Deliveries.finalFailure(yield* Deliveries.claimOne(0), null)], Samples.later(1))
        yield* store.redeliver(webhook.accountId, webhook.id, id, Samples.later(2))
        yield* queue.record([Deliveries.result(yield* Deliveries.claimOne(2), 5)], Samples.later(3))
        expect(yield* Deliveries.claimOne(5)).toMatchObject({ id, kind: "automatic", results: 1 })
      })
    )

    it.effect(
      "find and list return the newest attempts up to the maximum, and redeliverFailed skips a delivery that has reached it (D-DEL-10)",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const store = yield* DeliveryStore
          const webhook = yield* Deliveries.newWebhook
          const [id, fresh] = [yield* Deliveries.add(webhook, "call:1"), yield* Deliveries.add(webhook, "call:2")]
          const failAll = (minutes: number) =>
            Effect.flatMap(Deliveries.claim(minutes), (claimed) =>
              queue.record(
                claimed.map((one) => Deliveries.finalFailure(one, null)),
                Samples.later(minutes)
              )
            )
          yield* failAll(0)
          // `redeliver` does not check the maximum, and a database of an earlier version may have more attempts.
          for (let attempt = 2; attempt <= maxAttempts + 2; attempt++) {
            yield* store.redeliver(webhook.accountId, webhook.id, id, Samples.later(attempt))
            yield* failAll(attempt)
          }
          const newest = Array.from({ length: maxAttempts }, (_, index) => index + 3)
          const numbers = (found: Delivery) => found.attempts.map(({ number }) => number)
          expect(numbers(Option.getOrThrow(yield* Deliveries.find(webhook, id)))).toEqual(newest)
          const listed = yield* store.list(webhook.accountId, webhook.id, Option.none(), page(1))
          expect(listed.items.map(numbers)).toEqual([[1], newest])

          const which = { accountId: webhook.accountId, webhookId: webhook.id, since: Samples.now, until: Samples.now }
          const now = Samples.later(100)
          expect(
            yield* Deliveries.takeAllSteps((after) => store.redeliverFailed({ ...which, after, limit: 10 }, now))
          ).toEqual([1])
          expect((yield* Deliveries.claim(100)).map((one) => one.id)).toEqual([fresh])
        })
    )

    it.effect(
      "redeliver also applies to delivered and cancelled deliveries, but only to those of the account and webhook",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const store = yield* DeliveryStore
          const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
          const delivered = yield* Deliveries.add(webhook, "call:1")
          yield* queue.record([Deliveries.result(yield* Deliveries.claimOne(0), null)], Samples.now)
          const cancelled = yield* Deliveries.add(webhook, "call:2")
          yield* store.cancelOpen(webhook.id)
          for (const id of [delivered, cancelled]) {
            yield* store.redeliver(other.accountId, webhook.id, id, Samples.later(1))
            yield* store.redeliver(webhook.accountId, other.id, id, Samples.later(1))
          }
          expect(yield* Deliveries.claim(9)).toEqual([])
          for (const id of [delivered, cancelled]) {
            yield* store.redeliver(webhook.accountId, webhook.id, id, Samples.later(1))
          }
          expect((yield* Deliveries.claim(9)).map(({ id, kind }) => [id, kind])).toEqual([
            [delivered, "manual"],
            [cancelled, "manual"]
          ])
        })
    )

    it.effect("cancelOpen cancels what is pending or in flight for one webhook, and nothing that has finished", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        const done = yield* Deliveries.add(webhook, "call:1")
        yield* queue.record([Deliveries.result(yield* Deliveries.claimOne(0), null)], Samples.now)
        const inFlight = yield* Deliveries.add(webhook, "call:2")
        const leased = yield* Deliveries.claimOne(0)
        const pending = yield* Deliveries.add(webhook, "call:3")
        const elsewhere = yield* Deliveries.add(other, "call:3")
        yield* store.cancelOpen(webhook.id)

        const statuses = yield* Effect.forEach([done, inFlight, pending], (id) =>
          Effect.map(Deliveries.find(webhook, id), (found) => Option.getOrThrow(found))
        )
        expect(statuses.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual([
          ["delivered", null],
          ["cancelled", null],
          ["cancelled", null]
        ])
        expect((yield* queue.record([Deliveries.result(leased, 5)], Samples.now)).recorded).toEqual([])
        expect((yield* Deliveries.claim(60)).map(({ id }) => id)).toEqual([elsewhere])
      })
    )

    it.effect(
      "cancelOpen cancels a first attempt, a retry, a redelivery and a webhook.test, due or not, but nothing of another webhook of the account",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const store = yield* DeliveryStore
          const webhook = yield* Deliveries.newWebhook
          const other = yield* Samples.makeWebhook(webhook.accountId)
          const redelivered = yield* Deliveries.add(webhook, "call:1")
          yield* queue.record([Deliveries.result(yield* Deliveries.claimOne(0), null)], Samples.now)
          yield* store.redeliver(webhook.accountId, webhook.id, redelivered, Samples.later(5))
          const failed = yield* Deliveries.add(webhook, "call:2")
          yield* queue.record([Deliveries.finalFailure(yield* Deliveries.claimOne(0), null)], Samples.now)
          const retried = yield* Deliveries.add(webhook, "call:3")
          yield* queue.record([Deliveries.result(yield* Deliveries.claimOne(0), 5)], Samples.now)
          const first = yield* Deliveries.add(webhook, "call:4")
          const test = yield* Deliveries.add(webhook, "test:1", { name: "webhook.test" })
          const later = yield* Deliveries.add(webhook, "call:5", { createdAt: Samples.later(5) })
          const elsewhere = yield* Deliveries.add(other, "call:4")
          yield* store.cancelOpen(webhook.id)

          const statuses = yield* Effect.forEach([redelivered, failed, retried, first, test, later], (id) =>
            Effect.map(Deliveries.find(webhook, id), (found) => Option.getOrThrow(found).status)
          )
          expect(statuses).toEqual(["cancelled", "failed", "cancelled", "cancelled", "cancelled", "cancelled"])
          expect(yield* store.backlog(webhook.id)).toBe(0)
          expect((yield* Deliveries.claim(60)).map(({ id }) => id)).toEqual([elsewhere])
        })
    )

    it.effect("the pages of a list contain every delivery once with all its attempts, newest first", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const ids = yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6], (minutes) =>
          Deliveries.add(webhook, `call:${minutes}`, { createdAt: Samples.later(minutes) })
        )
        for (const minutes of [10, 20, 30]) {
          const results = (yield* Deliveries.claim(minutes)).map((one) => Deliveries.result(one, minutes + 10))
          yield* queue.record(results, Samples.later(minutes))
        }
        const list = (request: { readonly page: number; readonly limit: number }) =>
          store.list(webhook.accountId, webhook.id, Option.none(), request)
        for (const limit of [1, 3, 7, 100]) {
          const all = yield* readAll(list, limit)
          expect(all.map(({ id }) => id)).toEqual(ids.toReversed())
          for (const delivery of all) expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3])
        }
        expect(yield* list(page(4, 3))).toEqual({ items: [], count: 7, isCapped: false, page: 4, limit: 3 })
      })
    )

    it.effect("list filters by status, where a delivery in flight is pending", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const cancelled = yield* Deliveries.add(webhook, "call:0")
        yield* store.cancelOpen(webhook.id)
        const delivered = yield* Deliveries.add(webhook, "call:1")
        yield* queue.record([Deliveries.result(yield* Deliveries.claimOne(0), null)], Samples.now)
        const failed = yield* Deliveries.add(webhook, "call:2")
        yield* queue.record([Deliveries.finalFailure(yield* Deliveries.claimOne(0), null)], Samples.now)
        const inFlight = yield* Deliveries.add(webhook, "call:3")
        yield* Deliveries.claimOne(0)
        const pending = yield* Deliveries.add(webhook, "call:4")
        const ids = (status: DeliveryStatus) =>
          Effect.map(store.list(webhook.accountId, webhook.id, Option.some(status), page(1)), ({ items, count }) => [
            count,
            ...items.map(({ id }) => id)
          ])
        expect(yield* ids("pending")).toEqual([2, pending, inFlight])
        expect(yield* ids("failed")).toEqual([1, failed])
        expect(yield* ids("delivered")).toEqual([1, delivered])
        expect(yield* ids("cancelled")).toEqual([1, cancelled])
      })
    )

    it.effect("a list has at most the newest `maxListed` deliveries, and says when there are more (D-DEL-28)", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const add = (count: number) => {
          const ids = Array.from({ length: count }, Deliveries.newId)
          const deliveries = ids.map((id) => ({ id, webhookId: webhook.id }))
          return Effect.as(Deliveries.add(webhook, "call:1", { deliveries }), ids)
        }
        const [oldest, second] = yield* add(maxListed)
        const list = (status: Option.Option<DeliveryStatus>, request: ReturnType<typeof page>) =>
          Effect.map(store.list(webhook.accountId, webhook.id, status, request), ({ items, ...fields }) => ({
            ...fields,
            ids: items.map(({ id }) => id)
          }))
        const last = page(334, 30)
        for (const status of [Option.none(), Option.some("pending" as const)]) {
          const all = yield* list(status, last)
          expect(all).toMatchObject({ count: maxListed, isCapped: false })
          expect([all.ids.length, all.ids.at(-1)]).toEqual([10, oldest])
        }
        const [newest] = yield* add(1)
        for (const status of [Option.none(), Option.some("pending" as const)]) {
          const capped = yield* list(status, last)
          expect(capped).toMatchObject({ count: maxListed, isCapped: true, page: 334, limit: 30 })
          expect([capped.ids.length, capped.ids.at(-1)]).toEqual([10, second])
          expect(yield* list(status, page(335, 30))).toMatchObject({ count: maxListed, ids: [] })
          expect((yield* list(status, page(1, 1))).ids).toEqual([newest])
        }
        expect(yield* list(Option.some("failed"), last)).toMatchObject({ count: 0, isCapped: false, ids: [] })
        yield* store.cancelOpen(webhook.id)
        yield* Deliveries.purge
      })
    )

    it.effect("find and list return only deliveries of the given account and webhook", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        const id = yield* Deliveries.add(webhook, "call:1")
        for (const [accountId, webhookId] of [
          [other.accountId, webhook.id],
          [webhook.accountId, other.id],
          [other.accountId, other.id]
        ] as const) {
          expect(yield* store.find(accountId, webhookId, id)).toEqual(Option.none())
          expect((yield* store.list(accountId, webhookId, Option.none(), page(1))).items).toEqual([])
        }
        expect(yield* Deliveries.find(webhook, Deliveries.newId())).toEqual(Option.none())
      })
    )

    it.effect(
      "listAbout returns the deliveries of one subject to every webhook of the account, newest first (D-DEL-34)",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const store = yield* DeliveryStore
          const webhook = yield* Deliveries.newWebhook
          const [second, deleted] = [
            yield* Samples.makeWebhook(webhook.accountId),
            yield* Samples.makeWebhook(webhook.accountId)
          ]
          const elsewhere = yield* Deliveries.newWebhook
          const about = (request = page(1)) => store.listAbout(webhook.accountId, "call:1", request)
          const sent = yield* Deliveries.add(webhook, "call:1")
          yield* queue.record([Deliveries.result(yield* Deliveries.claimOne(0), null)], Samples.now)
          const inFlight = yield* Deliveries.add(second, "call:1", { createdAt: Samples.later(1) })
          yield* Deliveries.claimOne(1)
          const pending = yield* Deliveries.add(webhook, "call:1", { createdAt: Samples.later(2) })
          for (const [hook, subject] of [
            [webhook, "call:11"],
            [webhook, "event:1"],
            [elsewhere, "call:1"],
            [deleted, "call:1"]
          ] as const)
            yield* Deliveries.add(hook, subject)
          yield* (yield* WebhookStore).delete(deleted.accountId, deleted.id)
          const shown = (yield* about()).items.map((one) => [one.id, one.webhookId, one.status, one.attempts.length])
          expect(shown).toEqual([
            [pending, webhook.id, "pending", 0],
            [inFlight, second.id, "pending", 0],
            [sent, webhook.id, "delivered", 1]
          ])
          const all = yield* readAll(about, 2)
          expect(all.map(({ id }) => id)).toEqual([pending, inFlight, sent])
          expect(yield* about(page(3, 2))).toEqual({ items: [], count: 3, isCapped: false, page: 3, limit: 2 })
          expect(yield* store.listAbout(elsewhere.accountId, "call:1", page(1))).toMatchObject({ count: 1 })
        })
    )

    it.effect("listAbout has at most the newest `maxListed` deliveries, and says when there are more (D-DEL-34)", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const ids = Array.from({ length: maxListed + 1 }, Deliveries.newId)
        const deliveries = ids.map((id) => ({ id, webhookId: webhook.id }))
        yield* Deliveries.add(webhook, "call:1", { deliveries })
        const last = yield* store.listAbout(webhook.accountId, "call:1", page(100, 100))
        expect(last).toMatchObject({ count: maxListed, isCapped: true })
        expect(last.items.map(({ id }) => id)).toEqual(ids.slice(1, 101).toReversed())
        yield* store.cancelOpen(webhook.id)
        yield* Deliveries.purge
      })
    )
  })
}

import type { DeliveryStatus } from "@frontdesk/core/webhook/Delivery"
import { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** What every `DeliveryStore` promises of results, lists, redelivery and cancelling. */
export const deliveryStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryStore`, (it) => {
    it.effect("a delivery is shown from pending over each try to delivered", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        const pending = {
          id,
          webhookId: webhook.id,
          eventType: "call.ended",
          status: "pending",
          createdAt: Samples.now,
          nextAttemptAt: Samples.now,
          attempts: []
        }
        expect(yield* find(webhook, id)).toEqual(Option.some(pending))

        const first = yield* claimOne(0)
        expect(yield* find(webhook, id)).toEqual(Option.some({ ...pending, nextAttemptAt: null }))

        expect(yield* deliveries.record([Deliveries.result(first, 5)], Samples.later(2))).toEqual([first.key])
        const failure = { number: 1, kind: "automatic", ...Deliveries.result(first, 5).attempt }
        expect(yield* find(webhook, id)).toEqual(
          Option.some({ ...pending, nextAttemptAt: Samples.later(5), attempts: [failure] })
        )

        expect(yield* Deliveries.claim(4.99)).toEqual([])
        const second = yield* claimOne(5)
        expect(second).toMatchObject({ id, results: 1, claims: 1 })
        yield* deliveries.record([Deliveries.result(second, null)], Samples.later(6))
        const success = { number: 2, kind: "automatic", ...Deliveries.result(second, null).attempt }
        expect(yield* find(webhook, id)).toEqual(
          Option.some({ ...pending, status: "delivered", nextAttemptAt: null, attempts: [failure, success] })
        )
        expect(yield* Deliveries.claim(10_000)).toEqual([])
      })
    )

    it.effect("the webhook shows what came of its deliveries", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        for (const subject of ["call:1", "call:2", "call:3"]) yield* Deliveries.add(webhook, subject)
        const [a, b, c] = yield* Deliveries.claim(0)
        if (a === undefined || b === undefined || c === undefined) return yield* Effect.die("three were due")

        yield* deliveries.record([Deliveries.result(a, 5)], Samples.later(1))
        const failedOnce = {
          ...webhook,
          lastDeliveryAt: Samples.later(1),
          lastFailureAt: Samples.later(1),
          lastFailureStatus: 503,
          consecutiveFailures: 1
        }
        expect(yield* findWebhook(webhook)).toEqual(Option.some(failedOnce))

        const noAnswer = Deliveries.giveUp(b, "failed")
        yield* deliveries.record(
          [{ ...noAnswer, attempt: { ...noAnswer.attempt, statusCode: null, error: "no answer in 10 s" } }],
          Samples.later(2)
        )
        const failedTwice = {
          ...failedOnce,
          status: "failed",
          lastDeliveryAt: Samples.later(2),
          lastFailureAt: Samples.later(2),
          lastFailureStatus: null,
          consecutiveFailures: 2
        }
        expect(yield* findWebhook(webhook)).toEqual(Option.some(failedTwice))

        yield* deliveries.record([Deliveries.result(c, null)], Samples.later(3))
        expect(yield* findWebhook(webhook)).toEqual(
          Option.some({
            ...failedTwice,
            status: "active",
            lastDeliveryAt: Samples.later(3),
            lastSuccessAt: Samples.later(3),
            consecutiveFailures: 0
          })
        )
      })
    )

    it.effect("results of one webhook in one batch count one after the other", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        for (let index = 0; index < 50; index++) yield* Deliveries.add(webhook, `call:${index}`)
        const claimed = yield* Deliveries.claim(0)
        const results = claimed.map((one) => Deliveries.result(one, 5))
        const recorded = yield* deliveries.record(results, Samples.later(1))
        expect(recorded.toSorted((a, b) => a - b)).toEqual(claimed.map(({ key }) => key).toSorted((a, b) => a - b))
        expect(Option.getOrThrow(yield* findWebhook(webhook)).consecutiveFailures).toBe(50)
        expect(yield* deliveries.record([], Samples.later(1))).toEqual([])
      })
    )

    it.effect("a result whose lease is lost changes nothing; of two, the holder's counts", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        const frozen = yield* claimOne(0)
        const holder = yield* claimOne(1)
        expect(yield* deliveries.record([Deliveries.giveUp(frozen, "disabled")], Samples.later(1))).toEqual([])
        expect(yield* findWebhook(webhook)).toEqual(Option.some(webhook))
        expect(yield* deliveries.record([Deliveries.result(holder, null)], Samples.later(1))).toEqual([holder.key])
        // The same result twice is recorded once.
        expect(yield* deliveries.record([Deliveries.result(holder, null)], Samples.later(1))).toEqual([])
        const found = Option.getOrThrow(yield* find(webhook, id))
        expect(found).toMatchObject({ status: "delivered", attempts: [{ number: 1 }] })
        expect(found.attempts).toHaveLength(1)
      })
    )

    it.effect("a lease that is over but that nobody has taken since is still held", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        yield* Deliveries.add(webhook, "call:1")
        const slow = yield* claimOne(0)
        expect(yield* deliveries.record([Deliveries.result(slow, null)], Samples.later(9))).toEqual([slow.key])
      })
    )

    it.effect("a disabled webhook stays disabled, whatever comes of its deliveries", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        yield* Deliveries.add(webhook, "call:1")
        const held = yield* claimOne(0)
        yield* (yield* WebhookStore).update({ ...webhook, status: "disabled" })
        yield* deliveries.record([Deliveries.result(held, null)], Samples.later(1))
        expect(Option.getOrThrow(yield* findWebhook(webhook))).toMatchObject({
          status: "disabled",
          lastSuccessAt: Samples.later(1)
        })
      })
    )

    it.effect("a redelivery is one manual try that counts in no retry plan", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        const redeliver = (minutes: number) =>
          deliveries.redeliver(webhook.accountId, webhook.id, id, Samples.later(minutes))
        const first = yield* claimOne(0)
        yield* deliveries.record([Deliveries.giveUp(first, "failed")], Samples.later(1))
        expect(Option.getOrThrow(yield* find(webhook, id)).status).toBe("failed")

        yield* redeliver(2)
        expect(Option.getOrThrow(yield* find(webhook, id))).toMatchObject({
          status: "pending",
          nextAttemptAt: Samples.later(2)
        })
        yield* redeliver(3)
        const manual = yield* claimOne(2)
        expect(manual).toMatchObject({ id, kind: "manual", results: 1, claims: 1 })
        yield* redeliver(4)
        yield* deliveries.record([Deliveries.giveUp(manual, null)], Samples.later(5))

        yield* redeliver(6)
        const again = yield* claimOne(6)
        expect(again).toMatchObject({ kind: "manual", results: 1, claims: 1 })
        yield* deliveries.record([Deliveries.result(again, null)], Samples.later(7))
        const found = Option.getOrThrow(yield* find(webhook, id))
        expect(found.status).toBe("delivered")
        expect(found.attempts.map(({ number, kind }) => [number, kind])).toEqual([
          [1, "automatic"],
          [2, "manual"],
          [3, "manual"]
        ])
      })
    )

    it.effect("a redelivery is manual for one try: what follows it is automatic", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        yield* deliveries.record([Deliveries.giveUp(yield* claimOne(0), null)], Samples.later(1))
        yield* deliveries.redeliver(webhook.accountId, webhook.id, id, Samples.later(2))
        yield* deliveries.record([Deliveries.result(yield* claimOne(2), 5)], Samples.later(3))
        expect(yield* claimOne(5)).toMatchObject({ id, kind: "automatic", results: 1 })
      })
    )

    it.effect("what was delivered or cancelled can be redelivered, another tenant's cannot", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const [webhook, other] = [yield* newWebhook, yield* newWebhook]
        const delivered = yield* Deliveries.add(webhook, "call:1")
        yield* deliveries.record([Deliveries.result(yield* claimOne(0), null)], Samples.now)
        const cancelled = yield* Deliveries.add(webhook, "call:2")
        yield* deliveries.cancelPending(webhook.id)
        for (const id of [delivered, cancelled]) {
          yield* deliveries.redeliver(other.accountId, webhook.id, id, Samples.later(1))
          yield* deliveries.redeliver(webhook.accountId, other.id, id, Samples.later(1))
        }
        expect(yield* Deliveries.claim(9)).toEqual([])
        for (const id of [delivered, cancelled]) {
          yield* deliveries.redeliver(webhook.accountId, webhook.id, id, Samples.later(1))
        }
        expect((yield* Deliveries.claim(9)).map(({ id, kind }) => [id, kind])).toEqual([
          [delivered, "manual"],
          [cancelled, "manual"]
        ])
      })
    )

    it.effect("cancelling takes what is pending and in flight, of this webhook, and leaves what is done", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const [webhook, other] = [yield* newWebhook, yield* newWebhook]
        const done = yield* Deliveries.add(webhook, "call:1")
        yield* deliveries.record([Deliveries.result(yield* claimOne(0), null)], Samples.now)
        const inFlight = yield* Deliveries.add(webhook, "call:2")
        const held = yield* claimOne(0)
        const pending = yield* Deliveries.add(webhook, "call:3")
        const elsewhere = yield* Deliveries.add(other, "call:3")
        yield* deliveries.cancelPending(webhook.id)

        const statuses = yield* Effect.forEach([done, inFlight, pending], (id) =>
          Effect.map(find(webhook, id), (found) => Option.getOrThrow(found))
        )
        expect(statuses.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual([
          ["delivered", null],
          ["cancelled", null],
          ["cancelled", null]
        ])
        expect(yield* deliveries.record([Deliveries.result(held, 5)], Samples.now)).toEqual([])
        expect((yield* Deliveries.claim(60)).map(({ id }) => id)).toEqual([elsewhere])
      })
    )

    it.effect("the pages of a list are the list, newest first, each delivery once with all its tries", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const ids = yield* Effect.forEach([0, 1, 2, 3, 4, 5, 6], (minutes) =>
          Deliveries.add(webhook, `call:${minutes}`, { createdAt: Samples.later(minutes) })
        )
        for (const minutes of [10, 20, 30]) {
          const results = (yield* Deliveries.claim(minutes)).map((one) => Deliveries.result(one, minutes + 10))
          yield* deliveries.record(results, Samples.later(minutes))
        }
        const list = (request: { readonly page: number; readonly limit: number }) =>
          deliveries.list(webhook.accountId, webhook.id, Option.none(), request)
        for (const limit of [1, 3, 7, 100]) {
          const all = yield* readAll(list, limit)
          expect(all.map(({ id }) => id)).toEqual(ids.toReversed())
          for (const delivery of all) expect(delivery.attempts.map(({ number }) => number)).toEqual([1, 2, 3])
        }
        expect(yield* list(page(4, 3))).toEqual({ items: [], count: 7, page: 4, limit: 3 })
      })
    )

    it.effect("a list can be narrowed to a status; what is in flight is pending", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const cancelled = yield* Deliveries.add(webhook, "call:0")
        yield* deliveries.cancelPending(webhook.id)
        const delivered = yield* Deliveries.add(webhook, "call:1")
        yield* deliveries.record([Deliveries.result(yield* claimOne(0), null)], Samples.now)
        const failed = yield* Deliveries.add(webhook, "call:2")
        yield* deliveries.record([Deliveries.giveUp(yield* claimOne(0), null)], Samples.now)
        const inFlight = yield* Deliveries.add(webhook, "call:3")
        yield* claimOne(0)
        const pending = yield* Deliveries.add(webhook, "call:4")
        const ids = (status: DeliveryStatus) =>
          Effect.map(
            deliveries.list(webhook.accountId, webhook.id, Option.some(status), page(1)),
            ({ items, count }) => [count, ...items.map(({ id }) => id)]
          )
        expect(yield* ids("pending")).toEqual([2, pending, inFlight])
        expect(yield* ids("failed")).toEqual([1, failed])
        expect(yield* ids("delivered")).toEqual([1, delivered])
        expect(yield* ids("cancelled")).toEqual([1, cancelled])
      })
    )

    it.effect("deliveries are their account's and webhook's alone", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries.empty
        const [webhook, other] = [yield* newWebhook, yield* newWebhook]
        const id = yield* Deliveries.add(webhook, "call:1")
        for (const [accountId, webhookId] of [
          [other.accountId, webhook.id],
          [webhook.accountId, other.id],
          [other.accountId, other.id]
        ] as const) {
          expect(yield* deliveries.find(accountId, webhookId, id)).toEqual(Option.none())
          expect((yield* deliveries.list(accountId, webhookId, Option.none(), page(1))).items).toEqual([])
        }
        expect(yield* find(webhook, Deliveries.newId())).toEqual(Option.none())
      })
    )
  })
}

const newWebhook = Effect.suspend(() => Effect.flatMap(Samples.makeAccount(), ({ id }) => Samples.makeWebhook(id)))

const find = (webhook: Deliveries.Target, id: ReturnType<typeof Deliveries.newId>) =>
  Effect.flatMap(DeliveryStore, (deliveries) => deliveries.find(webhook.accountId, webhook.id, id))

const findWebhook = (webhook: Deliveries.Target) =>
  Effect.flatMap(WebhookStore, (webhooks) => webhooks.find(webhook.accountId, webhook.id))

/** Claims the one delivery that is due. */
const claimOne = (minutes: number) =>
  Effect.gen(function* () {
    const [claimed, ...rest] = yield* Deliveries.claim(minutes)
    if (claimed === undefined || rest.length > 0) return yield* Effect.die("not exactly one delivery was due")
    return claimed
  })

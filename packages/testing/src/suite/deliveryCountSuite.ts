import type { ClaimedDelivery } from "@frontdesk/core/delivery/Delivery"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect, fail } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies the counts and times that `DeliveryQueue.record` returns, and those that it stores. */
export const deliveryCountSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryQueue, counts`, (it) => {
    it.effect("record returns each recorded key once, in one of its lists only, and a stale key in neither", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* addCalls(webhook, 2)
        const stale = yield* Deliveries.claim(0)
        const claimed = yield* Deliveries.claim(1)
        const results = [...stale, ...claimed].map((one) => Deliveries.result(one, 5))
        const { deferred, recorded } = yield* queue.record(results, Samples.later(1))
        expect([recorded.toSorted(byNumber), deferred]).toEqual([claimed.map(({ key }) => key).toSorted(byNumber), []])
        expect(yield* failures(webhook)).toBe(2)
        expect(yield* queue.record(results, Samples.later(1))).toEqual({ recorded: [], deferred: [] })
        expect(yield* failures(webhook)).toBe(2)
      })
    )

    it.effect("record records one of two results of the same claim in a batch", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* addCalls(webhook, 1)
        const results = (yield* Deliveries.claim(0)).map((one) => Deliveries.result(one, 5))
        const { recorded } = yield* queue.record([...results, ...results], Samples.later(1))
        expect(recorded).toEqual(results.map(({ key }) => key))
        expect(yield* failures(webhook)).toBe(1)
        expect(yield* Deliveries.claim(5)).toMatchObject([{ results: 1 }])
      })
    )

    it.effect("record keeps the last failure through a success, and the last success through a failure", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* addCalls(webhook, 3)
        const [first, second, third] = yield* Deliveries.claim(0)
        if (first === undefined || second === undefined || third === undefined) return fail("unreachable")
        yield* queue.record([Deliveries.result(first, 5)], Samples.later(1))
        yield* queue.record([Deliveries.result(second, null)], Samples.later(2))
        const afterSuccess = {
          lastDeliveryAt: Samples.later(2),
          lastSuccessAt: Samples.later(2),
          lastFailureAt: Samples.later(1),
          lastFailureStatus: 503,
          consecutiveFailures: 0
        }
        expect(yield* findWebhook(webhook)).toMatchObject(afterSuccess)
        yield* queue.record([Deliveries.result(third, 5)], Samples.later(3))
        expect(yield* findWebhook(webhook)).toMatchObject({
          ...afterSuccess,
          lastDeliveryAt: Samples.later(3),
          lastFailureAt: Samples.later(3),
          consecutiveFailures: 1
        })
      })
    )

    it.effect("record applies the results of a batch in order: only failures after the last success count", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* addCalls(webhook, 7)
        const [before, ...batch] = yield* Deliveries.claim(0)
        if (before === undefined) return fail("unreachable")
        yield* queue.record([Deliveries.result(before, 5)], Samples.later(1))
        const retryAt = [5, null, 5, null, 5, 5]
        const results = batch.map((one, index) => Deliveries.result(one, retryAt[index] ?? null))
        yield* queue.record(results, Samples.later(2))
        expect(yield* findWebhook(webhook)).toMatchObject({
          lastSuccessAt: Samples.later(2),
          lastFailureAt: Samples.later(2),
          consecutiveFailures: 2
        })
      })
    )

    it.effect("record numbers automatic and manual attempts together, and counts the failures of both", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        const record = (make: (claimed: ClaimedDelivery) => ReturnType<typeof Deliveries.result>, minutes: number) =>
          Effect.gen(function* () {
            yield* queue.record((yield* Deliveries.claim(minutes)).map(make), Samples.later(minutes))
          })
        yield* record((one) => Deliveries.finalFailure(one, null), 0)
        yield* store.redeliver(webhook.accountId, webhook.id, id, Samples.later(1))
        yield* record((one) => Deliveries.result(one, 2), 1)
        expect(yield* failures(webhook)).toBe(2)
        yield* record((one) => Deliveries.finalFailure(one, null), 2)
        const found = Option.getOrThrow(yield* store.find(webhook.accountId, webhook.id, id))
        expect(found.attempts.map(({ kind, number }) => [number, kind])).toEqual([
          [1, "automatic"],
          [2, "manual"],
          [3, "automatic"]
        ])
        expect(yield* failures(webhook)).toBe(3)
      })
    )

    it.effect("the count of claims begins again after a recorded result and after a redelivery", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const id = yield* Deliveries.add(webhook, "call:1")
        const claims = (minutes: number) =>
          Effect.map(Deliveries.claim(minutes), (all) => all.map(({ claims }) => claims))
        expect([yield* claims(0), yield* claims(1)]).toEqual([[1], [2]])
        const third = yield* Deliveries.claim(2)
        yield* queue.record(
          third.map((one) => Deliveries.result(one, 3)),
          Samples.later(2)
        )
        expect([yield* claims(3), yield* claims(4)]).toEqual([[1], [2]])
        yield* store.cancelOpen(webhook.id)
        yield* store.redeliver(webhook.accountId, webhook.id, id, Samples.later(5))
        expect([yield* claims(5), yield* claims(6)]).toEqual([[1], [2]])
      })
    )
  })
}

/** Adds so many deliveries to a webhook, each of another call. */
const addCalls = (webhook: Deliveries.Target, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) => Deliveries.add(webhook, `call:${index}`),
    { discard: true }
  )

const findWebhook = (webhook: Deliveries.Target) => Effect.map(Deliveries.findWebhook(webhook), Option.getOrThrow)

const failures = (webhook: Deliveries.Target) =>
  Effect.map(findWebhook(webhook), ({ consecutiveFailures }) => consecutiveFailures)

const byNumber = (a: number, b: number) => a - b

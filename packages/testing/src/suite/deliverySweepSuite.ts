import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore, type Step } from "@frontdesk/core/delivery/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies how a `DeliveryStore` deletes old webhook events. */
export const deliverySweepSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryStore, sweep`, (it) => {
    it.effect(
      "sweep deletes webhook events older than the given time, with their deliveries and attempts, and keeps one of exactly that time",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const webhook = yield* Deliveries.newWebhook
          const ids = yield* Effect.forEach([0, 1, 2], (minutes) => Deliveries.addAt(webhook, minutes))
          yield* deliver(9)
          expect(yield* store.sweep({ before: Samples.later(1), after: null, limit: Samples.rowLimit(10) })).toEqual({
            count: 1,
            after: null
          })
          expect(yield* idsOf(webhook)).toEqual([ids[2], ids[1]])
          expect(yield* store.find(webhook.accountId, webhook.id, ids[0] ?? Deliveries.newId())).toEqual(Option.none())
          expect(yield* store.locate(ids[0] ?? Deliveries.newId())).toEqual(Option.none())
        })
    )

    it.effect("sweep deletes failed and cancelled deliveries as well as delivered ones", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const webhook = yield* Deliveries.newWebhook
        const queue = yield* Deliveries.emptyQueue
        yield* Deliveries.addAt(webhook, 0)
        yield* deliver(1)
        yield* Deliveries.addAt(webhook, 0)
        yield* queue.record(
          (yield* Deliveries.claim(1)).map((one) => Deliveries.finalFailure(one, "failed")),
          Samples.later(1)
        )
        yield* Deliveries.addAt(webhook, 0)
        yield* store.cancelOpen(webhook.id)
        expect((yield* store.sweep({ before: Samples.later(1), after: null, limit: Samples.rowLimit(10) })).count).toBe(
          3
        )
        expect(yield* idsOf(webhook)).toEqual([])
      })
    )

    it.effect("sweep deletes all old webhook events in steps when they have more deliveries than one step reads", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const webhook = yield* Deliveries.newWebhook
        for (const minutes of [0, 1, 2]) {
          const deliveries = Array.from({ length: 400 }, () => ({ id: Deliveries.newId(), webhookId: webhook.id }))
          const createdAt = Samples.later(minutes)
          yield* Deliveries.add(webhook, `call:${minutes}`, { createdAt, deliveries })
        }
        const young = yield* Deliveries.addAt(webhook, 8)
        // A storage may cancel some of the deliveries and leave the others to purge.
        yield* store.cancelOpen(webhook.id)
        yield* Deliveries.purge
        let [after, count, steps]: [number | null, number, number] = [null, 0, 0]
        do {
          const step: Step = yield* store.sweep({ before: Samples.later(5), after, limit: Samples.rowLimit(100) })
          after = step.after
          count += step.count
          steps += 1
          // The bound on the steps ends the test of a storage whose sweep never ends.
        } while (after !== null && steps < 100)
        expect([count, after]).toEqual([3, null])
        expect(yield* idsOf(webhook)).toEqual([young])
      })
    )

    it.effect(
      "sweep keeps a webhook event of any age while one of its deliveries is pending or in flight (D-EVT-5)",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const queue = yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const other = yield* Samples.makeWebhook(webhook.accountId)
          const pending = yield* Deliveries.addAt(webhook, 0)
          yield* queue.record(
            (yield* Deliveries.claim(1)).map((one) => Deliveries.result(one, 500)),
            Samples.later(1)
          )
          // One delivery of this webhook event is delivered, the other is in flight.
          const ofOneEvent = [Deliveries.newId(), Deliveries.newId()]
          yield* Deliveries.add(webhook, "call:9", {
            deliveries: ofOneEvent.map((id, index) => ({ id, webhookId: index === 0 ? webhook.id : other.id }))
          })
          yield* deliver(2, 1)
          const leased = yield* Deliveries.claim(2)
          expect(leased).toHaveLength(1)
          const delivered = yield* Deliveries.addAt(other, 0)
          yield* deliver(2)

          const sweep = store.sweep({ before: Samples.later(600), after: null, limit: Samples.rowLimit(10) })
          expect((yield* sweep).count).toBe(1)
          expect(yield* store.locate(delivered)).toEqual(Option.none())
          for (const id of [pending, ...ofOneEvent]) expect(yield* store.locate(id)).not.toEqual(Option.none())
          yield* queue.record(
            leased.map((one) => Deliveries.result(one, null)),
            Samples.later(3)
          )
          expect((yield* sweep).count).toBe(1)
          expect(yield* Deliveries.claim(500)).toMatchObject([{ id: pending }])
        })
    )

    it.effect(
      "the steps of a sweep go from the oldest webhook event to newer ones, each up to its limit, and skip those that stay",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const webhook = yield* Deliveries.newWebhook
          for (let minutes = 0; minutes < 7; minutes++) yield* Deliveries.addAt(webhook, minutes)
          yield* deliver(1)
          const steps = Deliveries.takeAllSteps((after) =>
            store.sweep({ before: Samples.later(6), after, limit: Samples.rowLimit(2) })
          )
          // The first two are delivered. Those of minutes 2 to 5 are pending, and that of minute 6 is too young.
          expect(yield* steps).toEqual([2, 0, 0, 0])
          yield* deliver(9)
          expect(yield* steps).toEqual([2, 2, 0])
          expect(yield* idsOf(webhook)).toHaveLength(1)
        })
    )

    it.effect("a step of a sweep reads webhook events up to its limit of bytes, but at least one", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const webhook = yield* Deliveries.newWebhook
        for (let minutes = 0; minutes < 3; minutes++) yield* Deliveries.addAt(webhook, minutes)
        yield* deliver(9)
        const limit = { rows: 10, bytes: 1 }
        const steps = Deliveries.takeAllSteps((after) => store.sweep({ before: Samples.later(6), after, limit }))
        expect(yield* steps).toEqual([1, 1, 1])
      })
    )

    it.effect(
      "a step of a sweep deletes deliveries up to its limit of rows, and a webhook event with its last delivery",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const webhook = yield* Deliveries.newWebhook
          const others = yield* Effect.forEach([1, 2, 3, 4], () => Samples.makeWebhook(webhook.accountId))
          const deliveries = [webhook, ...others].map(({ id }) => ({ id: Deliveries.newId(), webhookId: id }))
          yield* Deliveries.add(webhook, "call:fan-out", { createdAt: Samples.later(0), deliveries })
          yield* Deliveries.addAt(webhook, 1)
          yield* deliver(9)
          const sweep = (after: number | null) =>
            store.sweep({ before: Samples.later(6), after, limit: Samples.rowLimit(2) })
          const left = Effect.map(
            Effect.forEach(deliveries, ({ id }) => store.locate(id)),
            (found) => found.filter(Option.isSome).length
          )
          const first = yield* sweep(null)
          expect([first.count, yield* left]).toEqual([0, 3])
          const second = yield* sweep(first.after)
          expect([second.count, yield* left]).toEqual([0, 1])
          expect(yield* Deliveries.takeAllSteps(sweep)).toEqual([2, 0])
          expect([yield* left, yield* idsOf(webhook)]).toEqual([0, []])
        })
    )

    it.effect(
      "sweep deletes old webhook events although a webhook event with a future time was inserted before them",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const webhook = yield* Deliveries.newWebhook
          const ahead = yield* Deliveries.addAt(webhook, 9_000)
          for (const minutes of [0, 1, 2, 3, 5]) yield* Deliveries.addAt(webhook, minutes)
          yield* deliver(9_000)
          const steps = Deliveries.takeAllSteps((after) =>
            store.sweep({ before: Samples.later(4), after, limit: Samples.rowLimit(2) })
          )
          // The first and the third step each read a webhook event that is too young. The fourth finds none.
          expect(yield* steps).toEqual([1, 2, 1, 0])
          expect(yield* idsOf(webhook)).toHaveLength(2)
          expect(yield* idsOf(webhook)).toContain(ahead)
        })
    )

    it.effect("the steps of a sweep end with one that reads no webhook event that is old enough", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.emptyStore
        const webhook = yield* Deliveries.newWebhook
        for (const minutes of [0, 1, 8, 9, 2]) yield* Deliveries.addAt(webhook, minutes)
        yield* deliver(9)
        const steps = Deliveries.takeAllSteps((after) =>
          store.sweep({ before: Samples.later(4), after, limit: Samples.rowLimit(2) })
        )
        expect(yield* steps).toEqual([2, 0])
        expect(yield* idsOf(webhook)).toHaveLength(3)
      })
    )

    it.effect(
      "redeliver and record ignore a delivery that was swept, and leave a delivery that was added later unchanged",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.emptyStore
          const queue = yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const id = yield* Deliveries.addAt(webhook, 0)
          const leased = yield* Deliveries.claim(0)
          yield* store.cancelOpen(webhook.id)
          yield* store.sweep({ before: Samples.later(1), after: null, limit: Samples.rowLimit(10) })
          const fresh = yield* Deliveries.addAt(webhook, 2)
          yield* store.redeliver(webhook.accountId, webhook.id, id, Samples.later(2))
          const late = leased.map((one) => Deliveries.result(one, null))
          expect((yield* queue.record(late, Samples.later(2))).recorded).toEqual([])
          expect(yield* Deliveries.claim(2)).toMatchObject([{ id: fresh, kind: "automatic", claims: 1 }])
        })
    )
  })
}

/** Claims what is due some minutes after `Samples.now` and records it as delivered. */
const deliver = (minutes: number, limit = 1_000) =>
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const results = (yield* Deliveries.claim(minutes, { limit })).map((one) => Deliveries.result(one, null))
    yield* queue.record(results, Samples.later(minutes))
  })

const idsOf = (webhook: Deliveries.Target) =>
  Effect.gen(function* () {
    const store = yield* DeliveryStore
    const { items } = yield* store.list(webhook.accountId, webhook.id, Option.none(), page(1))
    return items.map(({ id }) => id)
  })

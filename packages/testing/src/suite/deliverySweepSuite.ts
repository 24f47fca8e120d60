import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore, type Step } from "@frontdesk/core/delivery/DeliveryStore"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** What every `DeliveryStore` promises of forgetting old events. */
export const deliverySweepSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryStore, sweep`, (it) => {
    it.effect(
      "an event older than the time goes with its deliveries and tries; one that happened at the time stays",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.swept
          const webhook = yield* newWebhook
          const ids = yield* Effect.forEach([0, 1, 2], (minutes) => addAt(webhook, minutes))
          yield* deliver(9)
          expect(yield* store.sweep({ before: Samples.later(1), after: null, limit: Samples.rows(10) })).toEqual({
            count: 1,
            after: null
          })
          expect(yield* idsOf(webhook)).toEqual([ids[2], ids[1]])
          expect(yield* store.find(webhook.accountId, webhook.id, ids[0] ?? Deliveries.newId())).toEqual(Option.none())
          expect(yield* store.locate(ids[0] ?? Deliveries.newId())).toEqual(Option.none())
        })
    )

    it.effect("what failed or was cancelled is swept as what was delivered", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.swept
        const webhook = yield* newWebhook
        const queue = yield* Deliveries.empty
        yield* addAt(webhook, 0)
        yield* deliver(1)
        yield* addAt(webhook, 0)
        yield* queue.record(
          (yield* Deliveries.claim(1)).map((one) => Deliveries.giveUp(one, "failed")),
          Samples.later(1)
        )
        yield* addAt(webhook, 0)
        yield* store.cancelPending(webhook.id)
        expect((yield* store.sweep({ before: Samples.later(1), after: null, limit: Samples.rows(10) })).count).toBe(3)
        expect(yield* idsOf(webhook)).toEqual([])
      })
    )

    it.effect(
      "events with more deliveries together than a step looks at are swept one after the other, and all of them go",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.swept
          const webhook = yield* newWebhook
          for (const minutes of [0, 1, 2]) {
            const deliveries = Array.from({ length: 400 }, () => ({ id: Deliveries.newId(), webhookId: webhook.id }))
            const createdAt = Samples.later(minutes)
            yield* Deliveries.add(webhook, `call:${minutes}`, { createdAt, deliveries })
          }
          const young = yield* addAt(webhook, 8)
          // A step cancels a thousand; the second one the rest.
          yield* store.cancelPending(webhook.id)
          yield* store.purge(Samples.rows(1_000))
          yield* store.cancelPending(webhook.id)
          let [after, count, steps]: [number | null, number, number] = [null, 0, 0]
          do {
            const step: Step = yield* store.sweep({ before: Samples.later(5), after, limit: Samples.rows(100) })
            after = step.after
            count += step.count
            steps += 1
          } while (after !== null && steps < 100)
          expect([count, after]).toEqual([3, null])
          expect(yield* idsOf(webhook)).toEqual([young])
        })
    )

    it.effect(
      "an event stays whole while one of its deliveries is pending or in flight, however old it is (D-EVT-5)",
      () =>
        Effect.gen(function* () {
          const store = yield* Deliveries.swept
          const queue = yield* Deliveries.empty
          const [webhook, other] = [yield* newWebhook, yield* newWebhook]
          const pending = yield* addAt(webhook, 0)
          yield* queue.record(
            (yield* Deliveries.claim(1)).map((one) => Deliveries.result(one, 500)),
            Samples.later(1)
          )
          const inFlight = [Deliveries.newId(), Deliveries.newId()]
          yield* Deliveries.add(webhook, "call:9", {
            deliveries: inFlight.map((id, index) => ({ id, webhookId: index === 0 ? webhook.id : other.id }))
          })
          yield* deliver(2, 1)
          const held = yield* Deliveries.claim(2)
          expect(held).toHaveLength(1)
          const over = yield* addAt(other, 0)
          yield* deliver(2)

          const sweep = store.sweep({ before: Samples.later(600), after: null, limit: Samples.rows(10) })
          expect((yield* sweep).count).toBe(1)
          expect(yield* store.locate(over)).toEqual(Option.none())
          for (const id of [pending, ...inFlight]) expect(yield* store.locate(id)).not.toEqual(Option.none())
          yield* queue.record(
            held.map((one) => Deliveries.result(one, null)),
            Samples.later(3)
          )
          expect((yield* sweep).count).toBe(1)
          expect(yield* Deliveries.claim(500)).toMatchObject([{ id: pending }])
        })
    )

    it.effect("steps go from the oldest event up, each no further than its limit, past what stays", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.swept
        const webhook = yield* newWebhook
        for (let minutes = 0; minutes < 7; minutes++) yield* addAt(webhook, minutes)
        yield* deliver(1)
        const steps = Deliveries.walk((after) =>
          store.sweep({ before: Samples.later(6), after, limit: Samples.rows(2) })
        )
        // The first two were delivered; those of minutes 2 to 5 are pending, that of minute 6 is too young.
        expect(yield* steps).toEqual([2, 0, 0, 0])
        yield* deliver(9)
        expect(yield* steps).toEqual([2, 2, 0])
        expect(yield* idsOf(webhook)).toHaveLength(1)
      })
    )

    it.effect("a step looks at no more bytes than its limit, and at one event in any case", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.swept
        const webhook = yield* newWebhook
        for (let minutes = 0; minutes < 3; minutes++) yield* addAt(webhook, minutes)
        yield* deliver(9)
        const limit = { rows: 10, bytes: 1 }
        const steps = Deliveries.walk((after) => store.sweep({ before: Samples.later(6), after, limit }))
        expect(yield* steps).toEqual([1, 1, 1])
      })
    )

    it.effect("a step deletes no more deliveries than its limit, and an event with the last of its deliveries", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.swept
        const webhook = yield* newWebhook
        const others = yield* Effect.forEach([1, 2, 3, 4], () => newWebhook)
        const deliveries = [webhook, ...others].map(({ id }) => ({ id: Deliveries.newId(), webhookId: id }))
        yield* Deliveries.add(webhook, "call:fan-out", { createdAt: Samples.later(0), deliveries })
        yield* addAt(webhook, 1)
        yield* deliver(9)
        const sweep = (after: number | null) => store.sweep({ before: Samples.later(6), after, limit: Samples.rows(2) })
        const left = Effect.map(
          Effect.forEach(deliveries, ({ id }) => store.locate(id)),
          (found) => found.filter(Option.isSome).length
        )
        const first = yield* sweep(null)
        expect([first.count, yield* left]).toEqual([0, 3])
        const second = yield* sweep(first.after)
        expect([second.count, yield* left]).toEqual([0, 1])
        expect(yield* Deliveries.walk(sweep)).toEqual([2, 0])
        expect([yield* left, yield* idsOf(webhook)]).toEqual([0, []])
      })
    )

    it.effect("what a clock that was ahead has stamped keeps nothing behind it from being swept", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.swept
        const webhook = yield* newWebhook
        const ahead = yield* addAt(webhook, 9_000)
        for (const minutes of [0, 1, 2, 3, 5]) yield* addAt(webhook, minutes)
        yield* deliver(9_000)
        const steps = Deliveries.walk((after) =>
          store.sweep({ before: Samples.later(4), after, limit: Samples.rows(2) })
        )
        // One is too young in the first step, another in the last.
        expect(yield* steps).toEqual([1, 2, 1, 0])
        expect(yield* idsOf(webhook)).toHaveLength(2)
        expect(yield* idsOf(webhook)).toContain(ahead)
      })
    )

    it.effect("a step that meets nothing old enough is the last", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.swept
        const webhook = yield* newWebhook
        for (const minutes of [0, 1, 8, 9, 2]) yield* addAt(webhook, minutes)
        yield* deliver(9)
        const steps = Deliveries.walk((after) =>
          store.sweep({ before: Samples.later(4), after, limit: Samples.rows(2) })
        )
        expect(yield* steps).toEqual([2, 0])
        expect(yield* idsOf(webhook)).toHaveLength(3)
      })
    )

    it.effect("what was swept can be neither redelivered nor recorded, and nothing new is mistaken for it", () =>
      Effect.gen(function* () {
        const store = yield* Deliveries.swept
        const queue = yield* Deliveries.empty
        const webhook = yield* newWebhook
        const id = yield* addAt(webhook, 0)
        const held = yield* Deliveries.claim(0)
        yield* store.cancelPending(webhook.id)
        yield* store.sweep({ before: Samples.later(1), after: null, limit: Samples.rows(10) })
        const fresh = yield* addAt(webhook, 2)
        yield* store.redeliver(webhook.accountId, webhook.id, id, Samples.later(2))
        const late = held.map((one) => Deliveries.result(one, null))
        expect((yield* queue.record(late, Samples.later(2))).recorded).toEqual([])
        expect(yield* Deliveries.claim(2)).toMatchObject([{ id: fresh, kind: "automatic", claims: 1 }])
      })
    )
  })
}

const newWebhook = Effect.suspend(() => Effect.flatMap(Samples.makeAccount(), ({ id }) => Samples.makeWebhook(id)))

const addAt = (webhook: Deliveries.Target, minutes: number) =>
  Deliveries.add(webhook, `call:${minutes}`, { createdAt: Samples.later(minutes) })

/** Delivers what is due after so many minutes. */
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

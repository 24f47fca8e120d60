import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies the order in which a `DeliveryQueue` claims deliveries of several webhooks, and that it reaches all of them. */
export const deliveryClaimSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryQueue, order of a claim`, (it) => {
    it.effect(
      "claim orders first attempts, retries, manual attempts and ended leases of all accounts by due time (D-DEL-26)",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const { redeliver } = yield* DeliveryStore
          const [own, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
          const beside = yield* Samples.makeWebhook(other.accountId)
          const manual = yield* Deliveries.add(other, "call:1")
          const failed = yield* Deliveries.claim(0)
          yield* queue.record(
            failed.map((one) => Deliveries.finalFailure(one, null)),
            Samples.now
          )
          const retry = yield* Deliveries.add(own, "call:1")
          const retried = yield* Deliveries.claim(0)
          yield* queue.record(
            retried.map((one) => Deliveries.result(one, 2)),
            Samples.now
          )
          const leased = yield* Deliveries.add(beside, "call:1")
          yield* Deliveries.claim(0, { leaseUntil: Samples.later(3) })
          yield* redeliver(other.accountId, other.id, manual, Samples.later(4))
          const last = yield* Deliveries.add(own, "call:2", { createdAt: Samples.later(5) })
          const first = yield* Deliveries.add(other, "call:2", { createdAt: Samples.later(1) })
          expect((yield* Deliveries.claim(9)).map(({ dueAt, id }) => [id, dueAt])).toEqual([
            [first, Samples.later(1)],
            [retry, Samples.later(2)],
            [leased, Samples.later(3)],
            [manual, Samples.later(4)],
            [last, Samples.later(5)]
          ])
        })
    )

    it.effect("a retry does not wait for an earlier delivery of its subject that is in flight for the first time", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const earlier = yield* Deliveries.add(webhook, "call:1")
        yield* store.cancelOpen(webhook.id)
        const retry = yield* Deliveries.add(webhook, "call:1")
        const claimed = yield* Deliveries.claim(0)
        yield* queue.record(
          claimed.map((one) => Deliveries.result(one, 5)),
          Samples.now
        )
        yield* store.redeliver(webhook.accountId, webhook.id, earlier, Samples.later(4.8))
        const ids = (minutes: number) => Effect.map(Deliveries.claim(minutes), (all) => all.map(({ id }) => id))
        expect(yield* ids(4.8)).toEqual([earlier])
        expect(yield* ids(5)).toEqual([retry])
      })
    )

    it.effect("claim returns the deliveries of a webhook with the status failed", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* (yield* WebhookStore).update({ ...webhook, status: "failed" })
        const id = yield* Deliveries.add(webhook, "call:1")
        expect(yield* Deliveries.claim(0)).toMatchObject([{ id }])
      })
    )

    it.effect("claims that follow each other reach the last of 140 webhooks when the others have no free place", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const { id: accountId } = yield* Samples.makeAccount()
        const full = yield* Effect.forEach(Array.from({ length: 140 }), () => Samples.makeWebhook(accountId))
        const last = yield* Samples.makeWebhook(accountId)
        const deliveries = full.map(({ id }) => ({ id: Deliveries.newId(), webhookId: id }))
        yield* Deliveries.add({ id: last.id, accountId }, "call:1", { deliveries })
        const wanted = yield* Deliveries.add(last, "call:2", { createdAt: Samples.later(1) })
        const takenPlaces = new Map(full.map(({ id }) => [id, 8]))
        const claims = Effect.forEach(Array.from({ length: 8 }), () =>
          Deliveries.claim(1, { limit: 1, perWebhook: 8, takenPlaces, leaseUntil: Samples.later(9) })
        )
        expect((yield* claims).flat().map(({ id }) => id)).toEqual([wanted])
      })
    )
  })
}

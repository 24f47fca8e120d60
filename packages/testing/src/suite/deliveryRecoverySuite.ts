import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore, type FailedDeliveries, type StoredRequest } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies how a `DeliveryStore` shows failed deliveries to an operator and makes them due again. */
export const deliveryRecoverySuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: DeliveryStore, redelivery of failures`, (it) => {
    it.effect(
      "redeliverFailed makes the failed deliveries of webhook events from since to until, both included, due for one manual attempt",
      () =>
        Effect.gen(function* () {
          yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const ids = yield* Effect.forEach([0, 1, 2, 3], (minutes) => Deliveries.addAt(webhook, minutes))
          yield* fail(4)
          expect(yield* redeliver(webhook, { since: Samples.later(1), until: Samples.later(2) }, 9)).toEqual({
            count: 2,
            after: null
          })
          expect(yield* Deliveries.claim(8)).toEqual([])
          expect(yield* Deliveries.claim(9)).toMatchObject([
            { id: ids[1], kind: "manual", results: 1, claims: 1 },
            { id: ids[2], kind: "manual", results: 1, claims: 1 }
          ])
        })
    )

    it.effect("a step of redeliverFailed examines no more than its limit, whenever the webhook events happened", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const webhook = yield* Deliveries.newWebhook
        yield* Effect.forEach([0, 1, 2, 3, 4], (minutes) => Deliveries.addAt(webhook, minutes))
        yield* fail(5)
        const counts = yield* Deliveries.takeAllSteps((after) =>
          redeliver(webhook, { since: Samples.later(3), after, limit: 2 })
        )
        expect(counts).toEqual([0, 1, 1])
      })
    )

    it.effect("redeliverFailed changes no delivery that is delivered, cancelled, pending or in flight (D-DEL-23)", () =>
      Effect.gen(function* () {
        const queue = yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        yield* Deliveries.addAt(webhook, 0)
        yield* store.cancelOpen(webhook.id)
        yield* Deliveries.addAt(webhook, 0)
        const delivered = yield* Deliveries.claim(0)
        yield* queue.record(
          delivered.map((one) => Deliveries.result(one, null)),
          Samples.now
        )
        yield* Deliveries.addAt(webhook, 0)
        expect(yield* Deliveries.claim(0)).toHaveLength(1)
        yield* Deliveries.addAt(webhook, 0)
        expect((yield* redeliver(webhook)).count).toBe(0)
      })
    )

    it.effect("redeliverFailed changes only deliveries of the given webhook and account", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        yield* Deliveries.addAt(webhook, 0)
        yield* fail(1)
        expect((yield* redeliver(other)).count).toBe(0)
        expect((yield* redeliver(webhook, { accountId: other.accountId })).count).toBe(0)
        expect((yield* redeliver(webhook)).count).toBe(1)
      })
    )

    it.effect(
      "the steps of redeliverFailed redeliver each delivery once, in the order of insertion, even one that fails again meanwhile",
      () =>
        Effect.gen(function* () {
          yield* Deliveries.emptyQueue
          const webhook = yield* Deliveries.newWebhook
          const ids = yield* Effect.forEach([0, 1, 2, 3, 4], (minutes) => Deliveries.addAt(webhook, minutes))
          yield* fail(5)
          const sent: Array<string> = []
          const counts = yield* Deliveries.takeAllSteps((after) =>
            Effect.gen(function* () {
              const step = yield* redeliver(webhook, { after, limit: 2 })
              sent.push(...(yield* fail(9)).map(({ id }) => id))
              return step
            })
          )
          expect(counts).toEqual([2, 2, 1])
          expect(sent).toEqual(ids)
          expect((yield* redeliver(webhook)).count).toBe(5)
          expect((yield* redeliver(webhook)).count).toBe(0)
        })
    )

    it.effect("backlog counts the deliveries of a webhook that are pending or in flight", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        yield* Deliveries.addAt(webhook, 0)
        yield* fail(0)
        yield* Deliveries.addAt(webhook, 1)
        yield* Deliveries.claim(1)
        yield* Deliveries.addAt(webhook, 2)
        expect(yield* store.backlog(webhook.id)).toBe(2)
        expect(yield* store.backlog(other.id)).toBe(0)
      })
    )

    it.effect("countOpen counts the deliveries of all webhooks that are pending or in flight, up to the maximum", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        yield* Deliveries.addAt(webhook, 0)
        yield* fail(0)
        yield* Deliveries.addAt(webhook, 1)
        yield* Deliveries.claim(1)
        yield* Deliveries.addAt(webhook, 2)
        yield* Deliveries.addAt(other, 3)
        expect(yield* store.countOpen(9)).toBe(3)
        expect(yield* store.countOpen(2)).toBe(2)
      })
    )

    it.effect("locate returns account and webhook of a delivery of any account, and none for an unknown id", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyQueue
        const store = yield* DeliveryStore
        const webhook = yield* Deliveries.newWebhook
        const id = yield* Deliveries.addAt(webhook, 0)
        expect(yield* store.locate(id)).toEqual(Option.some({ accountId: webhook.accountId, webhookId: webhook.id }))
        expect(yield* store.locate(Deliveries.newId())).toEqual(Option.none())
      })
    )

    it.effect("request returns the body with the present secrets, to the account and the webhook only", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore
        const store = yield* DeliveryStore
        const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
        const body = new TextEncoder().encode('{"name":"ü"}')
        const id = yield* Deliveries.add(webhook, "call:1", { body })
        const request = Effect.map(store.request(webhook.accountId, webhook.id, id), Option.map(readable))
        expect(yield* request).toEqual(Option.some({ body, current: "whsec_sample", previous: null }))
        yield* webhooks.rotateSecret(webhook.id, Samples.stored("whsec_next"), Samples.later(60))
        expect(yield* request).toEqual(
          Option.some({ body, current: "whsec_next", previous: ["whsec_sample", Samples.later(60)] })
        )
        expect(yield* store.request(other.accountId, webhook.id, id)).toEqual(Option.none())
        expect(yield* store.request(other.accountId, other.id, id)).toEqual(Option.none())
        expect(yield* store.request(webhook.accountId, webhook.id, Deliveries.newId())).toEqual(Option.none())
        yield* webhooks.delete(webhook.accountId, webhook.id)
        expect(yield* request).toEqual(Option.none())
      })
    )

    it.effect(
      "lastAnswers returns the answer to the last attempt of each delivery of the account and webhook that had an attempt",
      () =>
        Effect.gen(function* () {
          const queue = yield* Deliveries.emptyQueue
          const store = yield* DeliveryStore
          const [webhook, other] = [yield* Deliveries.newWebhook, yield* Deliveries.newWebhook]
          const id = yield* Deliveries.addAt(webhook, 0)
          const answers = (target: Deliveries.Target) => store.lastAnswers(target.accountId, target.id, [id])
          expect(yield* answers(webhook)).toEqual(new Map())
          for (const [minutes, responseBody] of [
            [0, "first"],
            [5, "<h1>ü\n</h1>"],
            [10, ""]
          ] as const) {
            const results = (yield* Deliveries.claim(minutes)).map((one) => Deliveries.result(one, minutes + 5))
            yield* queue.record(
              results.map((result) => ({ ...result, responseBody })),
              Samples.later(minutes)
            )
            expect(yield* answers(webhook)).toEqual(new Map([[id, responseBody]]))
          }
          expect(yield* answers(other)).toEqual(new Map())
          expect(yield* store.lastAnswers(other.accountId, webhook.id, [id])).toEqual(new Map())
          expect(yield* store.lastAnswers(webhook.accountId, webhook.id, [])).toEqual(new Map())
        })
    )
  })
}

const readable = ({ body, secrets: { current, previous } }: StoredRequest) => ({
  body: new Uint8Array(body),
  current: Redacted.value(current),
  previous: previous === null ? null : [Redacted.value(previous.secret), previous.expiresAt]
})

/** Claims what is due some minutes after `Samples.now` and records it as failed. Returns the claimed deliveries. */
const fail = (minutes: number) =>
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const claimed = yield* Deliveries.claim(minutes)
    yield* queue.record(
      claimed.map((one) => Deliveries.finalFailure(one, null)),
      Samples.later(minutes)
    )
    return claimed
  })

/** Takes one step of `redeliverFailed`, by default over all failed deliveries of the webhook. */
const redeliver = (webhook: Deliveries.Target, which: Partial<FailedDeliveries> = {}, minutes = 9) =>
  Effect.flatMap(DeliveryStore, (store) =>
    store.redeliverFailed(
      {
        accountId: webhook.accountId,
        webhookId: webhook.id,
        since: Samples.now,
        until: Samples.later(60),
        after: null,
        limit: 1_000,
        ...which
      },
      Samples.later(minutes)
    )
  )

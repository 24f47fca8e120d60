import { describe, expect, it } from "@effect/vitest"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookOperations } from "@frontdesk/core/webhook/WebhookOperations"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { drain, publishEnded } from "./delivering.ts"
import { accountId } from "./samples.ts"
import { as, services } from "./services.ts"

describe("WebhookOperations", () => {
  it.effect("list and get return the webhooks of every account, with their backlog", () =>
    Effect.gen(function* () {
      const operations = yield* WebhookOperations
      const accounts = yield* Accounts
      const other = yield* accounts.create(account("Other"))
      const mine = yield* subscribe
      const theirs = yield* as(other.id)(subscribe)
      yield* publishEnded(1)
      expect(yield* operations.list(accountId)).toEqual([{ webhook: mine, backlog: 1 }])
      expect(yield* operations.list(other.id)).toEqual([{ webhook: theirs, backlog: 0 }])
      expect(yield* operations.get(theirs.id)).toEqual(theirs)
      expect(yield* Effect.flip(operations.get(WebhookId.make(99)))).toMatchObject({ _tag: "WebhookNotFound" })
    }).pipe(Effect.provide(operatorServices()))
  )

  it.effect("deliveries have their last answer, and redeliver sends a failed one again", () =>
    Effect.gen(function* () {
      const operations = yield* WebhookOperations
      const fake = yield* FakeWebhookSender
      const { id } = yield* subscribe
      yield* fake.answerWith(() => ({ ...answered(500), body: "down for lunch" }))
      yield* publishEnded(1)
      yield* drain
      yield* publishEnded(2)
      const page = yield* operations.deliveries(id)
      expect(page.items.map(({ lastAnswer }) => lastAnswer)).toEqual([null, "down for lunch"])
      const [pending, failed] = page.items
      if (pending === undefined || failed === undefined) return yield* Effect.die("two deliveries were made")
      expect(yield* operations.delivery(failed.id)).toEqual(failed)
      expect(yield* operations.deliveries(id, { status: "pending", limit: 1 })).toMatchObject({ count: 1 })

      yield* fake.answerWith(() => answered(204))
      yield* drain
      expect(yield* operations.redeliver(failed.id)).toMatchObject({ id: failed.id, status: "pending" })
      yield* drain
      const after = yield* operations.delivery(failed.id)
      expect(after).toMatchObject({ status: "delivered", lastAnswer: "", attempts: [{}, { kind: "manual" }] })
      const unknown = DeliveryId.make("0198c0de-0000-7000-8000-000000000009")
      for (const operation of [operations.redeliver(unknown), operations.delivery(unknown)]) {
        expect(yield* Effect.flip<unknown, { readonly _tag: string }, never>(operation)).toMatchObject({
          _tag: "DeliveryNotFound"
        })
      }
    }).pipe(Effect.provide(operatorServices({ retryDelays: [] })))
  )

  it.effect(
    "redeliverFailed sends what failed since a time, the oldest first, each once though it fails again (D-DEL-23)",
    () =>
      Effect.gen(function* () {
        const operations = yield* WebhookOperations
        const worker = yield* DeliveryWorker
        const fake = yield* FakeWebhookSender
        const { id } = yield* subscribe
        yield* fake.answerWith(() => answered(500))
        yield* publishEnded(1)
        yield* TestClock.adjust("1 minute")
        const since = yield* DateTime.now
        // 1,100 deliveries that fail since then. The first step also examines the one before, and the last one is smaller.
        for (let event = 2; event <= 1_101; event++) yield* publishEnded(event)
        yield* drain
        const before = (yield* fake.requests).length
        yield* TestClock.adjust("1 minute")

        const progress: Array<number> = []
        // Between two steps all due deliveries are sent and fail again.
        const count = yield* operations.redeliverFailed(id, since, (count) =>
          Effect.andThen(
            Effect.sync(() => progress.push(count)),
            Effect.asVoid(Effect.orDie(worker.drain))
          )
        )
        expect({ count, progress }).toEqual({ count: 1_100, progress: [499, 999, 1_100] })
        const sent = (yield* fake.requests).map(({ headers }) => headers["X-Service-Delivery-ID"])
        expect(sent.slice(before)).toEqual(sent.slice(1, 1_101))
        expect(yield* operations.redeliverFailed(id, yield* DateTime.now)).toBe(0)
      }).pipe(Effect.provide(operatorServices({ retryDelays: [] })))
  )

  it.effect("test and redeliverFailed notify the worker, for a webhook of any account", () =>
    Effect.gen(function* () {
      const operations = yield* WebhookOperations
      const fake = yield* FakeWebhookSender
      const accounts = yield* Accounts
      const other = yield* accounts.create(account("Other"))
      const theirs = yield* as(other.id)(subscribe)
      yield* Effect.forkScoped(Effect.flatMap(DeliveryWorker, (worker) => worker.run))
      yield* TestClock.adjust("1 millis")
      yield* fake.answerWith(() => answered(500))
      const id = yield* operations.test(theirs.id)
      yield* TestClock.adjust("100 millis")
      expect(yield* operations.delivery(id)).toMatchObject({ eventType: "webhook.test", status: "failed" })
      expect(yield* operations.redeliverFailed(theirs.id, DateTime.makeUnsafe(0))).toBe(1)
      yield* TestClock.adjust("100 millis")
      expect(yield* fake.requests).toHaveLength(2)
    }).pipe(Effect.scoped, Effect.provide(operatorServices({ retryDelays: [] })))
  )
})

/** The services of an operator and of an account, with that account. */
const operatorServices = (settings: Parameters<typeof services>[0] = {}) =>
  WebhookOperations.layer.pipe(Layer.provideMerge(Accounts.layer), Layer.provideMerge(services(settings)), (layer) =>
    Layer.provideMerge(
      Layer.effectDiscard(Effect.flatMap(Accounts, (accounts) => accounts.create(account("Acme")))),
      layer
    )
  )

const account = (name: string) => ({
  name,
  role: "standard" as const,
  partnerId: null,
  teamIds: [],
  settings: defaultSettings
})

const subscribe = Effect.gen(function* () {
  const input = { name: "n", url: "https://a.example", subscribedEvents: ["call.ended"] }
  return (yield* (yield* Webhooks).create(input)).webhook
})

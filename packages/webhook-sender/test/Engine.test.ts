import * as DeliveryPublisher from "@frontdesk/core/webhook/DeliveryPublisher"
import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { call, madeAt } from "@frontdesk/testing/arbitrary/call"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Flood from "@frontdesk/testing/receiver/Flood"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { countingReceiver, insecure, receiver, until } from "./sending.ts"

const minute = 60_000

describe("DeliveryWorker with UndiciWebhookSender", () => {
  it.effect("each receiver gets its own delivery and has its own result, whatever the others do", () => {
    let ended = 0
    const counting = Layer.effect(
      WebhookSender,
      Effect.map(WebhookSender, (sender) => ({
        ...sender,
        send: (request) => Effect.tap(sender.send(request), () => Effect.sync(() => (ended += 1)))
      }))
    ).pipe(Layer.provide(insecure))
    return Effect.gen(function* () {
      const delivered = [
        Behaviour.answer(204),
        Behaviour.answer(200, { afterMillis: 20 }),
        Behaviour.reset("after the head"),
        Behaviour.answerEarly(),
        Behaviour.answerTwice(Behaviour.answerText(500), "at once"),
        Flood.endless,
        Flood.bomb("gzip"),
        Flood.dripBody(1)
      ]
      const failed = [
        Behaviour.answer(500),
        Behaviour.redirect(307, "/elsewhere"),
        Behaviour.hang,
        Behaviour.hangUp,
        Behaviour.reset("mid-request"),
        Behaviour.reset("before the head"),
        Behaviour.garbage,
        Flood.hugeHead(1_000_000),
        Flood.informational(103),
        Flood.dripHead(1)
      ]
      const subscribed = yield* Effect.forEach([...delivered, ...failed], (behaviour) =>
        Effect.gen(function* () {
          const { requests, sent, url } = yield* countingReceiver(behaviour)
          return { name: behaviour.name, webhookId: yield* subscribe(`${url}/hook`), requests, sent }
        })
      )
      const { runOnce } = yield* DeliveryWorker
      yield* publishEnded
      const running = yield* Effect.forkChild(runOnce)
      // The requests to three receivers end only with their timeout.
      yield* until(() => ended === subscribed.length - 3)
      yield* until(() =>
        subscribed.every(({ name, sent }) => sent() >= (name.endsWith("one byte at a time") ? 100 : 0))
      )
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(running)).toBe(subscribed.length)
      const seen = yield* Effect.forEach(subscribed, ({ name, requests, webhookId }) =>
        Effect.map(deliveryOf(webhookId), ({ attempts, nextAttemptAt, status }) => {
          const [attempt] = attempts
          const end = attempt && DateTime.toEpochMillis(attempt.startedAt) + attempt.durationMs
          const wait = nextAttemptAt && end !== undefined && DateTime.toEpochMillis(nextAttemptAt) - end
          return [name, status, attempts.length, wait, requests.map(({ path }) => path)]
        })
      )
      expect(seen).toEqual([
        ...delivered.map(({ name }) => [name, "delivered", 1, null, ["/hook"]]),
        ...failed.map(({ name }) => [name, "pending", 1, minute, ["/hook"]])
      ])
    }).pipe(Effect.provide(services({ maxInFlight: 100 }, counting)))
  })

  it.effect(
    "a retry has the same id, the same bytes and the same signature, 1, 5 and 30 minutes later (D-DEL-1, D-DEL-2)",
    () =>
      Effect.gen(function* () {
        const faults = [Behaviour.reset(), Behaviour.garbage, Behaviour.answer(503), Behaviour.answer(200)]
        const { requests, url } = yield* receiver({ plan: (_request, times) => faults[times - 1] ?? Behaviour.hang })
        const webhookId = yield* subscribe(url)
        const { runOnce } = yield* DeliveryWorker
        yield* publishEnded
        expect(yield* runOnce).toBe(1)
        for (const minutes of [1, 5, 30]) {
          yield* TestClock.adjust(minutes * minute - 1)
          expect(yield* runOnce).toBe(0)
          yield* TestClock.adjust(1)
          expect(yield* runOnce).toBe(1)
        }
        expect(requests).toHaveLength(4)
        expect(new Set(requests.map(({ body }) => body.toString("hex"))).size).toBe(1)
        for (const header of ["x-service-delivery-id", "x-service-signature", "webhook-id"]) {
          expect(requests[0]?.headers[header]).toBeDefined()
          expect(new Set(requests.map(({ headers }) => headers[header])).size).toBe(1)
        }
        const { attempts, status } = yield* deliveryOf(webhookId)
        expect([status, attempts.map(({ statusCode }) => statusCode)]).toEqual(["delivered", [null, null, 503, 200]])
      }).pipe(Effect.provide(services()))
  )

  it.effect("a request that is repeated after its connection was closed is one attempt with one delivery id", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver({ plan: Behaviour.closeReused("reset") })
      const webhookId = yield* subscribe(url)
      const { drain } = yield* DeliveryWorker
      const ids = () => requests.map(({ headers }) => headers["x-service-delivery-id"])
      // A request is repeated only if it finds an idle connection. This goes on until that happens.
      while (new Set(ids()).size === ids().length) {
        yield* publishEnded
        yield* drain
        expect(yield* deliveryOf(webhookId)).toMatchObject({ status: "delivered", attempts: [{ statusCode: 200 }] })
      }
      expect(ids().at(-1)).toBe(ids().at(-2))
      expect(requests.at(-1)?.body).toEqual(requests.at(-2)?.body)
    }).pipe(Effect.provide(services()))
  )
})

const principal = Principal.of({
  account: {
    id: AccountId.make(1),
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings,
    createdAt: madeAt
  },
  apiKeyId: null,
  permissions: new Set()
})

const links = CalendarLinks.of({ icsUrl: () => Effect.succeed(""), readerOf: () => Effect.succeedNone })

/** The webhook services on the memory storage, with a real sender. The caller is account 1. */
const services = (settings: ConstructorParameters<typeof DeliverySettings>[0] = {}, sender = insecure) =>
  Layer.mergeAll(Webhooks.layer, DeliveryPublisher.layer, DeliveryWorker.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, sender, Crypto.layerWebCrypto)),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(CalendarLinks, links),
        Layer.succeed(Principal, principal),
        Layer.succeed(CurrentDeliverySettings, new DeliverySettings(settings)),
        Layer.succeed(References.MinimumLogLevel, "None")
      )
    )
  )

const subscribe = Effect.fnUntraced(function* (url: string) {
  const { webhook } = yield* (yield* Webhooks).create({ name: "n", url, subscribedEvents: ["call.ended"] })
  return webhook.id
})

/** Publishes `call.ended` of a random call. */
const publishEnded = Effect.gen(function* () {
  const [ended] = fc.sample(call(), 1)
  if (ended !== undefined) yield* (yield* WebhookEventPublisher).publish(CallWebhookEvent.make("call.ended", ended))
})

/** Returns the newest delivery of a webhook. */
const deliveryOf = Effect.fnUntraced(function* (webhookId: WebhookId) {
  const [delivery] = (yield* (yield* Webhooks).deliveries(webhookId)).items
  return yield* Effect.fromNullishOr(delivery)
})

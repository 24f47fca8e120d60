import { describe, expect, it } from "@effect/vitest"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { deliveries, publishEndedAndNotify, subscribe, subscribeTo } from "../webhook/delivering.ts"
import { services } from "../webhook/services.ts"

const url = "https://a.example"

/** The URL of each request that was sent. */
const sentTo = Effect.flatMap(FakeWebhookSender, ({ requests }) =>
  Effect.map(requests, (all) => all.map((request) => request.url))
)

/** Sends one delivery with a worker that is paused after its first claim, and runs `meanwhile` during the pause. */
const pausedAfterClaim = <E, R>(meanwhile: (webhookId: WebhookId) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const webhookId = yield* subscribe(url)
    const context = yield* Effect.context<R>()
    let isFirst = true
    const pausing = DeliveryQueue.of({
      ...queue,
      claim: (request) =>
        Effect.tap(queue.claim(request), (claimed) => {
          if (!isFirst || claimed.length === 0) return Effect.void
          isFirst = false
          return Effect.orDie(Effect.provide(meanwhile(webhookId), context))
        })
    })
    yield* publishEndedAndNotify(1)
    const { drain } = yield* DeliveryWorker.pipe(
      Effect.provide(Layer.fresh(DeliveryWorker.layer)),
      Effect.provideService(DeliveryQueue, pausing)
    )
    // A delivery that is postponed in the first round is due at once.
    yield* drain
    yield* drain
    return { webhookId, urls: yield* sentTo, deliveries: yield* deliveries(webhookId) }
  })

const updateUrl = (webhookId: WebhookId) =>
  Effect.flatMap(Webhooks, (webhooks) => webhooks.patch(webhookId, { url: "https://b.example" }))

describe("a DeliveryWorker that was paused between its claim and the request", () => {
  it.effect("does not send when the lease has too little time left, but claims again and sends once (D-DEL-14)", () =>
    Effect.gen(function* () {
      const { deliveries, urls } = yield* pausedAfterClaim(() => TestClock.adjust(Duration.millis(20_001)))
      expect(urls).toEqual([url])
      expect(deliveries[0]).toMatchObject({ status: "delivered", attempts: [{ number: 1 }] })
    }).pipe(Effect.provide(services()))
  )

  it.effect("sends to the new URL of a webhook that was changed meanwhile (D-DEL-14)", () =>
    Effect.gen(function* () {
      const { urls } = yield* pausedAfterClaim((id) => Effect.andThen(updateUrl(id), TestClock.adjust("2 seconds")))
      expect(urls).toEqual(["https://b.example"])
    }).pipe(Effect.provide(services()))
  )

  it.effect("sends nothing to a webhook that was deleted meanwhile, after a short and after a long pause", () =>
    Effect.gen(function* () {
      for (const pause of [Duration.seconds(2), Duration.hours(1)]) {
        const remove = (id: WebhookId) => Effect.flatMap(Webhooks, (webhooks) => webhooks.delete(id))
        const paused = pausedAfterClaim((id) => Effect.andThen(remove(id), TestClock.adjust(pause)))
        yield* Effect.exit(paused)
        expect(yield* sentTo).toEqual([])
      }
    }).pipe(Effect.provide(services()))
  )

  it.effect("sends nothing to a webhook that was turned off meanwhile", () =>
    Effect.gen(function* () {
      const off = (id: WebhookId) => Effect.flatMap(Webhooks, (webhooks) => webhooks.patch(id, { isActive: false }))
      const { deliveries, urls } = yield* pausedAfterClaim((id) =>
        Effect.andThen(off(id), TestClock.adjust("2 seconds"))
      )
      expect(urls).toEqual([])
      expect(deliveries[0]).toMatchObject({ status: "cancelled", attempts: [] })
    }).pipe(Effect.provide(services()))
  )

  it.effect("measures the age of its claim with the monotonic clock too, because the wall clock can be set back", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let passed = 0n
      const { urls, deliveries } = yield* pausedAfterClaim(() =>
        Effect.sync(() => {
          passed += 60_000_000_000n
        })
      ).pipe(
        Effect.provideService(Clock.Clock, {
          currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
          currentTimeMillis: clock.currentTimeMillis,
          currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
          currentTimeNanos: clock.currentTimeNanos,
          monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + passed,
          monotonicTimeNanos: Effect.sync(() => clock.monotonicTimeNanosUnsafe() + passed),
          sleep: (duration) => clock.sleep(duration)
        })
      )
      expect(urls).toEqual([url])
      expect(deliveries[0]).toMatchObject({ status: "delivered", attempts: [{ number: 1 }] })
    }).pipe(Effect.provide(services()))
  )
})

describe("a DeliveryWorker that is not paused", () => {
  it.effect("does not ask the store about a claim that is new", () =>
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      let checks = 0
      const counting = DeliveryQueue.of({
        ...queue,
        isCurrent: (claimed) =>
          Effect.suspend(() => {
            checks += 1
            return queue.isCurrent(claimed)
          })
      })
      yield* subscribeTo(url, ["call.ended"])
      yield* publishEndedAndNotify(1)
      const { drain } = yield* DeliveryWorker.pipe(
        Effect.provide(Layer.fresh(DeliveryWorker.layer)),
        Effect.provideService(DeliveryQueue, counting)
      )
      expect([yield* drain, checks]).toEqual([1, 0])
    }).pipe(Effect.provide(services()))
  )
})

describe("a DeliveryWorker that is paused while the sender connects", () => {
  it.effect("postpones a delivery that the sender has not written, and the claim does not count", () =>
    Effect.gen(function* () {
      const sender = yield* WebhookSender
      let isFirst = true
      const connecting = WebhookSender.of({
        ...sender,
        send: (request) => {
          const isSlow = isFirst
          isFirst = false
          return Effect.andThen(isSlow ? Effect.sleep("12 seconds") : Effect.void, sender.send(request))
        }
      })
      const webhookId = yield* subscribe(url)
      yield* publishEndedAndNotify(1)
      yield* Effect.gen(function* () {
        yield* Effect.forkScoped((yield* DeliveryWorker).run)
        yield* TestClock.adjust("1 milli")
        // The process is paused: all timers of this hour end at once.
        yield* TestClock.adjust("1 hour")
        yield* TestClock.adjust("10 seconds")
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.fresh(DeliveryWorker.layer)),
        Effect.provideService(WebhookSender, connecting)
      )
      expect(yield* sentTo).toEqual([url])
      expect((yield* deliveries(webhookId))[0]).toMatchObject({ status: "delivered", attempts: [{ number: 1 }] })
    }).pipe(Effect.provide(services()))
  )
})

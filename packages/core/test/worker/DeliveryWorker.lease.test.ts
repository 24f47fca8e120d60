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
import { deliveries, endedAndTold, subscribe, subscribeTo } from "../webhook/delivering.ts"
import { world } from "../webhook/world.ts"

const url = "https://a.example"

/** The URLs that were sent something. */
const sentTo = Effect.flatMap(FakeWebhookSender, ({ requests }) =>
  Effect.map(requests, (all) => all.map((request) => request.url))
)

/** A worker that stands still between its first claim and what follows from it, while something happens. */
const standingStill = <E, R>(meanwhile: (webhookId: WebhookId) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const webhookId = yield* subscribe(url)
    const context = yield* Effect.context<R>()
    let isFirst = true
    const frozen = DeliveryQueue.of({
      ...queue,
      claim: (request) =>
        Effect.tap(queue.claim(request), (claimed) => {
          if (!isFirst || claimed.length === 0) return Effect.void
          isFirst = false
          return Effect.orDie(Effect.provide(meanwhile(webhookId), context))
        })
    })
    yield* endedAndTold(1)
    const { drain } = yield* DeliveryWorker.pipe(
      Effect.provide(Layer.fresh(DeliveryWorker.layer)),
      Effect.provideService(DeliveryQueue, frozen)
    )
    // What is put back in the first round is due at once.
    yield* drain
    yield* drain
    return { webhookId, urls: yield* sentTo, deliveries: yield* deliveries(webhookId) }
  })

const updateUrl = (webhookId: WebhookId) =>
  Effect.flatMap(Webhooks, (webhooks) => webhooks.patch(webhookId, { url: "https://b.example" }))

describe("a worker that stood still between its claim and the request", () => {
  it.effect(
    "sends nothing under a lease that leaves no time for an attempt: it claims again, and sends once (D-DEL-14)",
    () =>
      Effect.gen(function* () {
        const { deliveries, urls } = yield* standingStill(() => TestClock.adjust(Duration.millis(20_001)))
        expect(urls).toEqual([url])
        expect(deliveries[0]).toMatchObject({ status: "delivered", attempts: [{ number: 1 }] })
      }).pipe(Effect.provide(world()))
  )

  it.effect("sends to no URL that its webhook no longer has (D-DEL-14)", () =>
    Effect.gen(function* () {
      const { urls } = yield* standingStill((id) => Effect.andThen(updateUrl(id), TestClock.adjust("2 seconds")))
      expect(urls).toEqual(["https://b.example"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("sends nothing to a webhook that was deleted, however long it stood still", () =>
    Effect.gen(function* () {
      for (const pause of [Duration.seconds(2), Duration.hours(1)]) {
        const remove = (id: WebhookId) => Effect.flatMap(Webhooks, (webhooks) => webhooks.delete(id))
        const frozen = standingStill((id) => Effect.andThen(remove(id), TestClock.adjust(pause)))
        yield* Effect.exit(frozen)
        expect(yield* sentTo).toEqual([])
      }
    }).pipe(Effect.provide(world()))
  )

  it.effect("sends nothing to a webhook that was turned off", () =>
    Effect.gen(function* () {
      const off = (id: WebhookId) => Effect.flatMap(Webhooks, (webhooks) => webhooks.patch(id, { isActive: false }))
      const { deliveries, urls } = yield* standingStill((id) => Effect.andThen(off(id), TestClock.adjust("2 seconds")))
      expect(urls).toEqual([])
      expect(deliveries[0]).toMatchObject({ status: "cancelled", attempts: [] })
    }).pipe(Effect.provide(world()))
  )

  it.effect("goes by the monotonic clock too, when the clock of the leases was set back", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let passed = 0n
      const { urls, deliveries } = yield* standingStill(() =>
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
    }).pipe(Effect.provide(world()))
  )

  it.effect("records nothing, and asks nothing of the store, of a claim that is new", () =>
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      let asked = 0
      const counting = DeliveryQueue.of({
        ...queue,
        isCurrent: (claimed) =>
          Effect.suspend(() => {
            asked += 1
            return queue.isCurrent(claimed)
          })
      })
      yield* subscribeTo(url, ["call.ended"])
      yield* endedAndTold(1)
      const { drain } = yield* DeliveryWorker.pipe(
        Effect.provide(Layer.fresh(DeliveryWorker.layer)),
        Effect.provideService(DeliveryQueue, counting)
      )
      expect([yield* drain, asked]).toEqual([1, 0])
    }).pipe(Effect.provide(world()))
  )
})

describe("a worker that stands still while the sender connects", () => {
  it.effect("puts the delivery back when the sender has not written it, and the claim does not count", () =>
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
      yield* endedAndTold(1)
      yield* Effect.gen(function* () {
        yield* Effect.forkScoped((yield* DeliveryWorker).run)
        yield* TestClock.adjust("1 milli")
        // The process stands still: all that is due by then happens at one moment.
        yield* TestClock.adjust("1 hour")
        yield* TestClock.adjust("10 seconds")
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.fresh(DeliveryWorker.layer)),
        Effect.provideService(WebhookSender, connecting)
      )
      expect(yield* sentTo).toEqual([url])
      expect((yield* deliveries(webhookId))[0]).toMatchObject({ status: "delivered", attempts: [{ number: 1 }] })
    }).pipe(Effect.provide(world()))
  )
})

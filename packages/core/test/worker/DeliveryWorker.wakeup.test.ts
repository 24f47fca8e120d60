import { describe, expect, it } from "@effect/vitest"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { publishEndedAndNotify, subscribe, timesOf } from "../webhook/delivering.ts"
import { services } from "../webhook/services.ts"

describe("DeliveryWorker.run between two polls", () => {
  it.effect("a retry is sent on time while an older delivery waits for free capacity", () =>
    Effect.gen(function* () {
      const fake = yield* FakeWebhookSender
      yield* fake.answerWith(({ url }) =>
        url === hanging ? Effect.as(Effect.sleep("50 minutes"), answered(200)) : answered(500)
      )
      yield* Effect.forkScoped((yield* DeliveryWorker).run)
      yield* subscribe(hanging)
      yield* publishEndedAndNotify(1)
      yield* publishEndedAndNotify(2)
      yield* TestClock.adjust("333 millis")
      const start = yield* now
      yield* subscribe(failing)
      yield* publishEndedAndNotify(3)
      for (let second = 0; second < 40 * 60; second++) yield* TestClock.adjust("1 second")
      const [retried, blocked] = [yield* timesOf(failing), yield* timesOf(hanging)]
      // A worker that stops waits for the attempts in flight.
      yield* fake.answerWith(() => answered(200))
      yield* TestClock.adjust("10 minutes")
      expect(retried.map((time) => time - start)).toEqual([0, 60_000, 360_000, 2_160_000])
      expect(blocked).toHaveLength(1)
      expect(yield* timesOf(hanging)).toHaveLength(3)
    }).pipe(
      Effect.scoped,
      Effect.provide(services({ maxInFlightPerWebhook: 1, timeout: Duration.hours(1), lease: Duration.hours(2) }))
    )
  )

  it.effect("a delivery that becomes due during a claim is sent at once after it", () =>
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      let delay = 0
      let slowClaimAt = 0
      const slow = DeliveryQueue.of({
        ...queue,
        claim: (request) =>
          Effect.tap(queue.claim(request), () => {
            if (delay > 0) slowClaimAt = DateTime.toEpochMillis(request.now)
            const sleep = Effect.sleep(delay)
            delay = 0
            return sleep
          })
      })
      yield* (yield* FakeWebhookSender).answerWith(() => answered(500))
      yield* Effect.gen(function* () {
        yield* subscribe(failing)
        yield* publishEndedAndNotify(1)
        yield* Effect.forkScoped((yield* DeliveryWorker).run)
        yield* TestClock.adjust("1 second")
        const [first] = yield* timesOf(failing)
        if (first === undefined) return expect.fail()
        const due = first + 60_000
        yield* TestClock.setTime(due - 999)
        delay = 1_000
        yield* TestClock.setTime(due + 500)
        expect(slowClaimAt).toBeLessThan(due)
        expect(yield* timesOf(failing)).toEqual([first, slowClaimAt + 1_000])
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.fresh(DeliveryWorker.layer)),
        Effect.provideService(DeliveryQueue, slow)
      )
    }).pipe(Effect.provide(services()))
  )
})

const [hanging, failing] = ["https://hangs.example", "https://fails.example"]

const now = Effect.map(DateTime.now, DateTime.toEpochMillis)

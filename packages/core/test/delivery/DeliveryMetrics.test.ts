import { describe, expect, it } from "@effect/vitest"
import * as DeliveryMetrics from "@frontdesk/core/delivery/DeliveryMetrics"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { drain, publishEnded, subscribe } from "../webhook/delivering.ts"
import { world } from "../webhook/world.ts"

describe("DeliveryMetrics", () => {
  it.effect("an attempt is counted by its result and class of answer, and its lag is measured", () =>
    Effect.gen(function* () {
      yield* subscribe("https://a.example")
      yield* publishEnded(1)
      yield* drain
      const counter = Metric.withAttributes(DeliveryMetrics.attempts, { result: "delivered", answer: "2xx" })
      expect((yield* Metric.value(counter)).count).toBe(1)
      expect((yield* Metric.value(DeliveryMetrics.lag)).count).toBe(1)
    }).pipe(Effect.provide(Layer.fresh(world())), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect(
    "the worker measures how long the oldest delivery has been due, and shows the deliveries in flight by webhook",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeWebhookSender
        const worker = yield* DeliveryWorker
        yield* fake.answerWith(() => Effect.as(Effect.sleep("9 seconds"), answered(200)))
        const webhookId = yield* subscribe("https://a.example")
        for (let id = 1; id <= 2; id++) yield* publishEnded(id)
        yield* TestClock.adjust("1 second")
        yield* Effect.forkScoped(worker.run)
        yield* TestClock.adjust("5 seconds")
        expect(yield* worker.inFlight).toEqual(new Map([[webhookId, 1]]))
        expect((yield* Metric.value(DeliveryMetrics.oldestDue)).value).toBe(6_000)
        yield* TestClock.adjust("20 seconds")
        expect(yield* worker.inFlight).toEqual(new Map())
        expect((yield* Metric.value(DeliveryMetrics.oldestDue)).value).toBe(0)
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.fresh(world({ maxInFlightPerWebhook: 1 }))),
        Effect.provideService(Metric.MetricRegistry, new Map())
      )
  )
})

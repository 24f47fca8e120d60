import { describe, expect, it } from "@effect/vitest"
import * as DeliveryMetrics from "@frontdesk/core/delivery/DeliveryMetrics"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { answered, FakeWebhookSender, noAnswer } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { drain, publishEnded, subscribe } from "../webhook/delivering.ts"
import { services } from "../webhook/services.ts"

describe("DeliveryMetrics", () => {
  it.effect("an attempt is counted by its result and class of answer, and its lag is measured", () =>
    Effect.gen(function* () {
      yield* subscribe("https://a.example")
      yield* publishEnded(1)
      yield* drain
      const counter = Metric.withAttributes(DeliveryMetrics.attempts, { result: "delivered", answer: "2xx" })
      expect((yield* Metric.value(counter)).count).toBe(1)
      expect((yield* Metric.value(DeliveryMetrics.lag)).count).toBe(1)
    }).pipe(Effect.provide(Layer.fresh(services())), Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect(
    "the worker measures how long the oldest delivery has been due, and shows how many it is sending by webhook",
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
        expect(yield* worker.sending).toEqual(new Map([[webhookId, 1]]))
        expect((yield* Metric.value(DeliveryMetrics.oldestDue)).value).toBe(6_000)
        yield* TestClock.adjust("20 seconds")
        expect(yield* worker.sending).toEqual(new Map())
        expect((yield* Metric.value(DeliveryMetrics.oldestDue)).value).toBe(0)
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.fresh(services({ maxInFlightPerWebhook: 1 }))),
        Effect.provideService(Metric.MetricRegistry, new Map())
      )
  )

  it("outcomeOf returns disabled for a 410, and else the next state", () => {
    const next = { state: "pending", dueAt: DateTime.makeUnsafe(0) } as const
    const outcomes = [
      DeliveryMetrics.outcomeOf({ next: { state: "delivered" }, webhookStatus: "active" }),
      DeliveryMetrics.outcomeOf({ next, webhookStatus: null }),
      DeliveryMetrics.outcomeOf({ next: { state: "failed" }, webhookStatus: "failed" }),
      DeliveryMetrics.outcomeOf({ next: { state: "failed" }, webhookStatus: "disabled" })
    ]
    expect(outcomes).toEqual(["delivered", "retry", "failed", "disabled"])
  })

  it.effect("attempted counts by outcome and class of answer, and records the duration and the lag", () =>
    Effect.gen(function* () {
      const attempt = { startedAt: DateTime.makeUnsafe(7_000), durationMs: 30, statusCode: null, error: null }
      for (const response of [answered(299), answered(503), answered(599), noAnswer]) {
        const delivery = { dueAt: DateTime.makeUnsafe(5_000) }
        yield* DeliveryMetrics.attempted(delivery, { attempt }, "retry", response)
      }
      const count = (answer: string) =>
        Effect.map(
          Metric.value(Metric.withAttributes(DeliveryMetrics.attempts, { result: "retry", answer })),
          (state) => state.count
        )
      expect([yield* count("2xx"), yield* count("5xx"), yield* count("none"), yield* count("6xx")]).toEqual([
        1, 2, 1, 0
      ])
      expect(yield* Metric.value(DeliveryMetrics.durations)).toMatchObject({ count: 4, min: 30, max: 30 })
      expect(yield* Metric.value(DeliveryMetrics.lag)).toMatchObject({ count: 4, min: 2_000, max: 2_000 })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it("the names of the metrics do not change, because operators use them (docs/running.md)", () => {
    const names = Object.values(DeliveryMetrics).flatMap((member) => (Metric.isMetric(member) ? [member.id] : []))
    expect(names.toSorted()).toEqual([
      "frontdesk_webhook_attempt_duration_ms",
      "frontdesk_webhook_attempts",
      "frontdesk_webhook_in_flight",
      "frontdesk_webhook_lag_ms",
      "frontdesk_webhook_lost_leases",
      "frontdesk_webhook_oldest_due_ms",
      "frontdesk_webhook_unreadable_secrets"
    ])
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as Supervisor from "@frontdesk/core/worker/Supervisor"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as TestClock from "effect/testing/TestClock"

describe("Supervisor", () => {
  it.effect("a worker that fails, dies or ends restarts after pauses that grow to 30 seconds", () =>
    Effect.gen(function* () {
      let starts = 0
      const worker = Effect.suspend((): Effect.Effect<void, string> => {
        starts += 1
        return starts % 3 === 0 ? Effect.void : starts % 3 === 1 ? Effect.fail("no") : Effect.die("broken")
      })
      yield* Effect.forkChild(Supervisor.make("test", worker).run)
      yield* TestClock.adjust("199 millis")
      expect(starts).toBe(1)
      yield* TestClock.adjust("1 millis")
      expect(starts).toBe(2)
      yield* TestClock.adjust("400 millis")
      expect(starts).toBe(3)
      yield* TestClock.adjust("10 minutes")
      const later = starts
      yield* TestClock.adjust("5 minutes")
      expect(starts - later).toBe(10)
    })
  )

  it.effect("a worker that ran for a minute restarts after the shortest pause", () =>
    Effect.gen(function* () {
      let starts = 0
      const worker = Effect.suspend(() => {
        starts += 1
        return starts <= 10 ? Effect.fail("no") : Effect.sleep("1 minute")
      })
      yield* Effect.forkChild(Supervisor.make("test", worker).run)
      yield* Effect.repeat(TestClock.adjust("1 second"), { until: () => starts === 11 })
      yield* TestClock.adjust("1 minute")
      yield* TestClock.adjust("200 millis")
      expect(starts).toBe(12)
    })
  )

  it.effect("an interruption ends a supervised worker", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Supervisor.make("test", Effect.never).run)
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect(
    "a worker is restarting after a failure and running after its restart, in its state and in the metrics",
    () =>
      Effect.gen(function* () {
        let starts = 0
        const { run, state } = Supervisor.make(
          "shown",
          Effect.suspend(() => (++starts === 1 ? Effect.fail("no") : Effect.never))
        )
        expect((yield* state).status).toBe("stopped")
        const fiber = yield* Effect.forkChild(run)
        yield* TestClock.adjust("199 millis")
        expect(yield* state).toMatchObject({ status: "restarting", restarts: 1 })
        expect(yield* PrometheusMetrics.format()).toContain('frontdesk_worker_running{worker="shown"} 0')
        yield* TestClock.adjust("1 millis")
        expect(yield* state).toMatchObject({ status: "running", restarts: 1 })
        const metrics = yield* PrometheusMetrics.format()
        expect(metrics).toContain('frontdesk_worker_running{worker="shown"} 1')
        expect(metrics).toContain('frontdesk_worker_restarts{worker="shown"} 1')
        yield* Fiber.interrupt(fiber)
        expect((yield* state).status).toBe("stopped")
      })
  )
})

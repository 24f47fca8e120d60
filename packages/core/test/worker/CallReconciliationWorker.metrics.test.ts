import { describe, expect, it } from "@effect/vitest"
import type { CallSnapshot } from "@frontdesk/core/call/CallProvider"
import { reconciled, CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, services } from "../call/caller.ts"

const ended: CallSnapshot = {
  _tag: "Known",
  providerCallId: "provider",
  reports: [
    { _tag: "Ended", status: "no_answer", answeredAt: null, endedAt: DateTime.makeUnsafe(0), reason: "no_answer" }
  ]
}

describe("metrics of the CallReconciliationWorker", () => {
  it.effect("reconciled calls are counted by result", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const reconciler = yield* CallReconciliationWorker
      const answers: ReadonlyArray<CallSnapshot | null> = [
        { _tag: "Known", providerCallId: "provider", reports: [] },
        { _tag: "NotFound" },
        { _tag: "Unreachable", cause: "no route" },
        null
      ]
      for (const answer of answers) {
        yield* fake.fetchWith(() => {
          if (answer === null) throw new Error("a bug of the adapter")
          return answer
        })
        yield* caller.start()
        yield* TestClock.adjust("15 seconds")
        yield* reconciler.runOnce
        yield* TestClock.adjust("2 hours")
        yield* fake.fetchWith(() => ended)
        yield* reconciler.runOnce
      }
      const count = (result: string) =>
        Effect.map(Metric.value(Metric.withAttributes(reconciled, { result })), ({ count }) => count)
      expect([yield* count("not_found"), yield* count("unreachable"), yield* count("failed")]).toEqual([1, 1, 1])
      // After its answer the worker asked about each call once more, and then knew that it had ended.
      expect(yield* count("known")).toBe(1 + answers.length)
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()), Effect.provide(services))
  )
})

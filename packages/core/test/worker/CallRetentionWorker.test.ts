import { describe, expect, it } from "@effect/vitest"
import { CallRetentionWorker, CurrentCallRetention } from "@frontdesk/core/worker/CallRetentionWorker"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"

/**
 * Runs the worker with these retentions. Returns what is stored of a call and its tool call 9, 11, 20 and 22 hours after its
 * end: the transcript, the arguments and the answer, or `deleted`.
 */
const run = (calls: Duration.Duration | null, transcripts: Duration.Duration | null) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
    const store = yield* CallStore
    const account = yield* Samples.makeAccount()
    const agent = yield* Samples.makeAgent(account.id)
    const spoken = { status: "completed", transcript: "hello", endedAt: Samples.now, reconcileAt: null } as const
    const { id } = yield* Samples.makeCall(account.id, agent, spoken)
    const tools = yield* ToolCallStore
    const contents = { arguments: { name: "Jo" }, answer: { say: "Booked." } }
    yield* tools.insert(Samples.newToolCall(account.id, { ...contents, callId: id, at: Samples.now }), "digest")
    const shown = Effect.gen(function* () {
      const call = yield* store.find(Samples.scopeOf(account), { id })
      const [toolCall] = yield* tools.ofCall(account.id, id, 10)
      if (Option.isNone(call)) return toolCall === undefined ? "deleted" : "only its tool call is left"
      return [call.value.transcript, toolCall?.arguments, toolCall?.answer, toolCall?.tool]
    })
    const { run } = yield* CallRetentionWorker
    yield* Effect.forkChild(run)
    const states: Array<unknown> = []
    for (const hours of [9, 2, 9, 2]) {
      yield* TestClock.adjust(Duration.hours(hours))
      // The sweep of that hour rests between its steps.
      yield* TestClock.adjust(Duration.seconds(1))
      states.push(yield* shown)
    }
    return states
  }).pipe(
    Effect.provide(
      CallRetentionWorker.layer.pipe(
        Layer.provideMerge(Layer.fresh(MemoryStorage.layer)),
        Layer.provide(Layer.succeed(CurrentCallRetention, { calls, transcripts }))
      )
    )
  )

describe("CallRetentionWorker", () => {
  const whole = ["hello", { name: "Jo" }, { say: "Booked." }, "book"]
  const cleared = [null, null, null, "book"]

  it.effect(
    "transcripts and the contents of tool calls are deleted after one retention, and calls with their tool calls after another (D-STO-10)",
    () =>
      Effect.gen(function* () {
        const states = yield* run(Duration.hours(21), Duration.hours(10))
        expect(states).toEqual([whole, cleared, cleared, "deleted"])
      })
  )

  it.effect("without a retention no call, transcript and tool call is deleted", () =>
    Effect.gen(function* () {
      expect(yield* run(null, null)).toEqual([whole, whole, whole, whole])
    })
  )
})

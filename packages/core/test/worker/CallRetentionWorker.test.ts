import { describe, expect, it } from "@effect/vitest"
import { CallRetentionWorker, CurrentCallRetention } from "@frontdesk/core/worker/CallRetentionWorker"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"

/**
 * Runs the worker with these retentions. Returns what is stored of a call 9, 11, 20 and 22 hours after its end: its transcript,
 * `no transcript` or `deleted`.
 */
const run = (calls: Duration.Duration | null, transcripts: Duration.Duration | null) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
    const store = yield* CallStore
    const account = yield* Samples.makeAccount()
    const agent = yield* Samples.makeAgent(account.id)
    const spoken = { status: "completed", transcript: "hello", endedAt: Samples.now, reconcileAt: null } as const
    const { id } = yield* Samples.makeCall(account.id, agent, spoken)
    const shown = Effect.map(store.find(Samples.scopeOf(account), { id }), (call) =>
      Option.match(call, { onNone: () => "deleted", onSome: ({ transcript }) => transcript ?? "no transcript" })
    )
    const { run } = yield* CallRetentionWorker
    yield* Effect.forkChild(run)
    const states: Array<string> = []
    for (const hours of [9, 2, 9, 2]) {
      yield* TestClock.adjust(Duration.hours(hours))
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
  it.effect("transcripts and calls are deleted after their own retention (D-STO-10)", () =>
    Effect.gen(function* () {
      const states = yield* run(Duration.hours(21), Duration.hours(10))
      expect(states).toEqual(["hello", "no transcript", "no transcript", "deleted"])
    })
  )

  it.effect("without a retention no call and no transcript is deleted", () =>
    Effect.gen(function* () {
      expect(yield* run(null, null)).toEqual(["hello", "hello", "hello", "hello"])
    })
  )
})

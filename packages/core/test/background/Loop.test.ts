import { describe, expect, it } from "@effect/vitest"
import * as Loop from "@frontdesk/core/background/Loop"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

const every = { pause: Duration.seconds(1), level: "Error", failure: "The work failed" } as const

describe("Loop.forever", () => {
  it.effect("runs the effect at once and after each pause, also when a run fails or dies", () =>
    Effect.gen(function* () {
      const runs: Array<number> = []
      const run = Effect.gen(function* () {
        runs.push(yield* Clock.currentTimeMillis)
        if (runs.length === 1) return yield* Effect.fail("no")
        if (runs.length === 2) return yield* Effect.die("a bug")
        yield* Effect.sleep("500 millis")
      })
      yield* Effect.forkScoped(Loop.forever(run, every))
      yield* TestClock.adjust("4 seconds")
      expect(runs).toEqual([0, 1_000, 2_000, 3_500])
    }).pipe(Effect.scoped)
  )
})

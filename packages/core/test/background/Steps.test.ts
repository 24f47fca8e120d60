import { describe, expect, it } from "@effect/vitest"
import * as Steps from "@frontdesk/core/background/Steps"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"

describe("Steps", () => {
  it.effect(
    "untilNone rests after each step as long as it took, at least 10 milliseconds, and returns the sum of rows",
    () =>
      Effect.gen(function* () {
        const startedAt: Array<number> = []
        const took = [0, 5, 300, 0]
        const step = Effect.gen(function* () {
          startedAt.push(yield* Clock.currentTimeMillis)
          yield* Effect.sleep(Duration.millis(took[startedAt.length - 1] ?? 0))
          return startedAt.length < took.length ? 100 : 0
        })
        const fiber = yield* Effect.forkChild(Steps.untilNone(step))
        yield* TestClock.adjust("1 minute")
        expect(yield* Fiber.join(fiber)).toBe(300)
        expect(startedAt).toEqual([0, 10, 25, 625])
      })
  )

  it("within returns as many rows as fit into the bytes, and the first row in any case", () => {
    const within = (...sizes: ReadonlyArray<number>) => Steps.within(sizes, 10, (size) => size).length
    expect([within(), within(11), within(4, 6), within(4, 6, 1), within(11, 1), within(0, 0, 10, 0)]).toEqual([
      0, 1, 2, 2, 1, 4
    ])
  })
})

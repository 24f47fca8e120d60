import { describe, expect, it } from "@effect/vitest"
import * as Deadlines from "@frontdesk/core/background/Deadlines"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"

/** Makes deadlines, and the list of the calls that they have made. */
const recording = Effect.map(Deadlines.make, ({ after, timeoutOption }) => {
  const calls: Array<string> = []
  return { calls, timeoutOption, after: (millis: number, name: string) => after(millis, () => void calls.push(name)) }
})

describe("Deadlines", () => {
  it.effect("after calls each function after its time, in any order of the times", () =>
    Effect.gen(function* () {
      const { after, calls } = yield* recording
      after(30, "last")
      after(10, "first")
      after(20, "second")
      after(Number.POSITIVE_INFINITY, "never")
      yield* TestClock.adjust(9)
      expect(calls).toEqual([])
      yield* TestClock.adjust(1)
      expect(calls).toEqual(["first"])
      after(5, "third")
      yield* TestClock.adjust(10)
      expect(calls.toSorted()).toEqual(["first", "second", "third"])
      yield* TestClock.adjust("1 day")
      expect(calls).toHaveLength(4)
    })
  )

  it.effect("after does not call a function that was cancelled, and still calls the others", () =>
    Effect.gen(function* () {
      const { after, calls } = yield* recording
      const cancels = [after(10, "a"), after(20, "b"), after(30, "c")]
      cancels[0]?.()
      yield* TestClock.adjust(20)
      expect(calls).toEqual(["b"])
      cancels[2]?.()
      after(15, "d")
      yield* TestClock.adjust(15)
      expect(calls).toEqual(["b", "d"])
    })
  )

  it.effect("no function is called after the scope has closed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { after, calls } = yield* Scope.provide(recording, scope)
      after(10, "a")
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 second")
      expect(calls).toEqual([])
    })
  )

  it.effect("for any deadlines and times, exactly those have been called whose time has come (law)", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              millis: fc.integer({ min: 1, max: 50 }),
              passed: fc.nat({ max: 30 }),
              isCancelled: fc.boolean()
            }),
            { maxLength: 20 }
          ),
          (steps) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const { after, calls } = yield* recording
                let now = 0
                const due: Array<{ readonly name: string; readonly at: number }> = []
                for (const [index, { isCancelled, millis, passed }] of steps.entries()) {
                  const cancel = after(millis, `${index}`)
                  if (isCancelled) cancel()
                  else due.push({ name: `${index}`, at: now + millis })
                  yield* TestClock.adjust(passed)
                  now += passed
                  const expected = due.filter(({ at }) => at <= now).map(({ name }) => name)
                  expect(calls.toSorted()).toEqual(expected.toSorted())
                }
              }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
            )
        )
      )
    )
  )

  it.effect("timeoutOption returns the result of an effect that ends in time, and its failure", () =>
    Effect.gen(function* () {
      const { timeoutOption } = yield* recording
      expect(yield* timeoutOption(Effect.succeed(1), 10)).toEqual(Option.some(1))
      expect(yield* Effect.flip(timeoutOption(Effect.fail("no"), 10))).toBe("no")
      const fiber = yield* Effect.forkChild(timeoutOption(Effect.as(Effect.sleep(9), 2), 10))
      yield* TestClock.adjust(9)
      expect(yield* Fiber.join(fiber)).toEqual(Option.some(2))
    })
  )

  it.effect("timeoutOption returns none after the time, also when the effect cannot be interrupted", () =>
    Effect.gen(function* () {
      const { timeoutOption } = yield* recording
      const fiber = yield* Effect.forkChild(timeoutOption(Effect.uninterruptible(Effect.sleep(50)), 10))
      yield* TestClock.adjust(10)
      expect(yield* Fiber.join(fiber)).toEqual(Option.none())
    })
  )

  it.effect("timeoutOption interrupts the effect when it is interrupted itself", () =>
    Effect.gen(function* () {
      const { timeoutOption } = yield* recording
      let isInterrupted = false
      const never = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (isInterrupted = true)))
      const fiber = yield* Effect.forkChild(timeoutOption(never, 10))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      expect(isInterrupted).toBe(true)
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Claims from "@frontdesk/core/background/Claims"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"

const every = { pause: Duration.seconds(1), level: "Error", failure: "The work failed" } as const

const unavailable = new StorageError({ reason: "unavailable", operation: "test", cause: "" })

/**
 * A queue of items and the work on them. `finished` has the items whose work has ended; a negative item does not count as
 * done. `limits` has the limit of each claim.
 *
 * @param options.seconds how long the work on an item takes; 0 by default
 */
const queue = (options: {
  readonly seconds?: (item: number) => number
  readonly lanes: number
  readonly perLane: number
}) => {
  const due: Array<number> = []
  const limits: Array<number> = []
  const finished: Array<number> = []
  const work: Claims.ClaimedWork<number> = {
    claim: (limit) =>
      Effect.sync(() => {
        limits.push(limit)
        return due.splice(0, limit)
      }),
    apply: (item) =>
      Effect.sleep(Duration.seconds(options.seconds?.(item) ?? 0)).pipe(
        Effect.andThen(Effect.sync(() => finished.push(item))),
        Effect.as(item >= 0)
      ),
    ...options
  }
  return { due, limits, finished, work }
}

describe("Claims.workOnce", () => {
  it.effect("works on every due item and returns how many are done", () =>
    Effect.gen(function* () {
      const { finished, due, limits, work } = queue({ lanes: 2, perLane: 3 })
      due.push(...Array.from({ length: 20 }, (_, index) => index), -1)
      expect(yield* Claims.workOnce(work)).toBe(20)
      expect(finished.toSorted((a, b) => a - b)).toEqual([-1, ...Array.from({ length: 20 }, (_, index) => index)])
      expect(limits[0]).toBe(6)
      expect(new Set(limits.slice(1))).toEqual(new Set([3]))
    })
  )

  it.effect("claims once when nothing is due", () =>
    Effect.gen(function* () {
      const { limits, work } = queue({ lanes: 4, perLane: 1 })
      expect(yield* Claims.workOnce(work)).toBe(0)
      expect(limits).toEqual([4])
    })
  )

  it.effect("distributes the claimed items over the lanes, so that no item waits while a lane is free", () =>
    Effect.gen(function* () {
      const { due, work } = queue({ lanes: 3, perLane: 5, seconds: () => 1 })
      due.push(1, 2, 3)
      const startedAt = yield* Clock.currentTimeMillis
      const fiber = yield* Effect.forkChild(Claims.workOnce(work))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toBe(3)
      expect((yield* Clock.currentTimeMillis) - startedAt).toBe(1_000)
    })
  )

  it.effect("fails when the first claim fails, and not when a later one does", () =>
    Effect.gen(function* () {
      const { due, limits, work } = queue({ lanes: 1, perLane: 1 })
      due.push(1, 2)
      const failing = (from: number) => ({
        ...work,
        claim: (limit: number) => (limits.length >= from ? Effect.fail(unavailable) : work.claim(limit))
      })
      expect(yield* Effect.flip(Claims.workOnce(failing(0)))).toBe(unavailable)
      expect(yield* Claims.workOnce(failing(1))).toBe(1)
    })
  )
})

describe("Claims.workForever", () => {
  it.effect("claims for the free lanes every second, so that a slow item blocks only its own lane", () =>
    Effect.gen(function* () {
      const { finished, due, limits, work } = queue({ lanes: 3, perLane: 1, seconds: (item) => (item === 1 ? 100 : 0) })
      due.push(1)
      yield* Effect.forkScoped(Claims.workForever(work, every))
      yield* TestClock.adjust("500 millis")
      due.push(2)
      yield* TestClock.adjust("1 second")
      expect(finished).toEqual([2])
      yield* TestClock.adjust("100 seconds")
      expect(finished).toEqual([2, 1])
      yield* TestClock.adjust("1 second")
      expect([limits[0], limits[1], limits.at(-1)]).toEqual([3, 2, 3])
    }).pipe(Effect.scoped)
  )

  it.effect("claims nothing while every lane works", () =>
    Effect.gen(function* () {
      const { due, limits, work } = queue({ lanes: 2, perLane: 1, seconds: () => 10 })
      due.push(1, 2)
      yield* Effect.forkScoped(Claims.workForever(work, every))
      yield* TestClock.adjust("9 seconds")
      expect(limits).toEqual([2])
    }).pipe(Effect.scoped)
  )

  it.effect("continues after a claim that failed", () =>
    Effect.gen(function* () {
      const { finished, due, work } = queue({ lanes: 1, perLane: 1 })
      due.push(1)
      let claims = 0
      const claim = (limit: number) => ((claims += 1) === 1 ? Effect.fail(unavailable) : work.claim(limit))
      yield* Effect.forkScoped(Claims.workForever({ ...work, claim }, every))
      yield* TestClock.adjust("500 millis")
      expect(finished).toEqual([])
      yield* TestClock.adjust("1 second")
      expect(finished).toEqual([1])
    }).pipe(Effect.scoped)
  )

  it.effect("interrupts its lanes when it is interrupted", () =>
    Effect.gen(function* () {
      const { finished, due, work } = queue({ lanes: 1, perLane: 1, seconds: () => 10 })
      due.push(1)
      const fiber = yield* Effect.forkChild(Claims.workForever(work, every))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("20 seconds")
      expect(finished).toEqual([])
    })
  )
})

describe("Claims.orElse", () => {
  const or = Claims.orElse("It failed", Effect.succeed("otherwise"))

  it.effect("returns the other result after a failure or a defect, and does not catch an interruption", () =>
    Effect.gen(function* () {
      expect(yield* or(Effect.succeed("done"))).toBe("done")
      expect(yield* or(Effect.fail("no"))).toBe("otherwise")
      expect(yield* or(Effect.die("a bug"))).toBe("otherwise")
      expect(Exit.hasInterrupts(yield* Effect.exit(or(Effect.interrupt)))).toBe(true)
    })
  )
})

import { RateLimiter, type RateLimitDecision } from "@frontdesk/core/access/RateLimiter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Samples from "./Samples.ts"
import type { SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `RateLimiter` that has a limit and takes the time from Effect's clock. */
export const rateLimiterSuite = <E>(
  name: string,
  limiter: Layer.Layer<RateLimiter, E>,
  options: Pick<SuiteOptions, "runner" | "timeout"> = {}
): void => {
  layer(limiter, options)(`${name}: RateLimiter`, (it) => {
    it.effect(
      "a full bucket allows as many requests as its limit, with a decreasing remainder, and refuses the next",
      () =>
        Effect.gen(function* () {
          const decisions = yield* exhaust(Samples.unique("bucket"))
          const limit = decisions[0]?.limit ?? 0
          expect(decisions.map(({ allowed }) => allowed)).toEqual([...Array.from({ length: limit }, () => true), false])
          expect(decisions.map(({ remaining }) => remaining)).toEqual([
            ...Array.from({ length: limit }, (_, index) => limit - 1 - index),
            0
          ])
        })
    )

    it.effect("every decision about a bucket has the same limit and window", () =>
      Effect.gen(function* () {
        const decisions = yield* exhaust(Samples.unique("bucket"))
        expect(new Set(decisions.map(({ limit }) => limit)).size).toBe(1)
        expect(new Set(decisions.map(({ window }) => Duration.toMillis(window))).size).toBe(1)
      })
    )

    it.effect("a request is allowed exactly after the resetMillis of a refusal, and not a millisecond earlier", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        const { resetMillis } = last(yield* exhaust(bucket))
        expect(resetMillis).toBeGreaterThan(0)
        yield* TestClock.adjust(Duration.millis(resetMillis - 1))
        expect(yield* consume(bucket)).toMatchObject({ allowed: false, resetMillis: 1 })
        yield* TestClock.adjust(Duration.millis(1))
        expect((yield* consume(bucket)).allowed).toBe(true)
      })
    )

    it.effect("a bucket is full after the resetMillis of an allowed request, and never has more than its limit", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        const { resetMillis, limit } = yield* consume(bucket)
        yield* TestClock.adjust(Duration.millis(resetMillis))
        expect(yield* exhaust(bucket)).toHaveLength(limit + 1)
        yield* TestClock.adjust(Duration.hours(1))
        expect(yield* exhaust(bucket)).toHaveLength(limit + 1)
      })
    )

    it.effect("requests of one bucket do not count in another bucket", () =>
      Effect.gen(function* () {
        const [bucket, other] = [Samples.unique("bucket"), Samples.unique("bucket")]
        yield* exhaust(bucket)
        const { allowed, limit, remaining } = yield* consume(other)
        expect({ allowed, remaining }).toEqual({ allowed: true, remaining: limit - 1 })
        expect((yield* consume(bucket)).allowed).toBe(false)
      })
    )

    it.effect("a request takes its cost from the bucket", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        const { allowed, limit, remaining } = yield* consume(bucket, 2)
        expect({ allowed, remaining }).toEqual({ allowed: true, remaining: limit - 2 })
        expect(yield* consume(bucket)).toMatchObject({ allowed: true, remaining: limit - 3 })
      })
    )

    it.effect(
      "a request that costs more than the remainder is refused without taking anything, and a cheaper one is allowed",
      () =>
        Effect.gen(function* () {
          const bucket = Samples.unique("bucket")
          const { limit } = yield* consume(bucket)
          for (let left = limit - 1; left > 1; left--) yield* consume(bucket)
          expect(yield* consume(bucket, 2)).toMatchObject({ allowed: false, remaining: 1 })
          expect(yield* consume(bucket)).toMatchObject({ allowed: true, remaining: 0 })
        })
    )

    it.effect(
      "a request with a cost is allowed exactly after the resetMillis of its refusal, and not a millisecond earlier",
      () =>
        Effect.gen(function* () {
          const bucket = Samples.unique("bucket")
          yield* exhaust(bucket)
          const { resetMillis } = yield* consume(bucket, 2)
          expect((yield* consume(bucket)).resetMillis).toBeLessThan(resetMillis)
          yield* TestClock.adjust(Duration.millis(resetMillis - 1))
          expect(yield* consume(bucket, 2)).toMatchObject({ allowed: false, resetMillis: 1 })
          yield* TestClock.adjust(Duration.millis(1))
          expect((yield* consume(bucket, 2)).allowed).toBe(true)
        })
    )

    it.effect("a request that costs more than the limit is allowed by a full bucket and empties it", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        expect(yield* consume(bucket, 1_000)).toMatchObject({ allowed: true, remaining: 0 })
        expect((yield* consume(bucket)).allowed).toBe(false)
      })
    )

    it.effect("concurrent requests are not allowed beyond the limit", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        const { limit } = yield* consume(bucket)
        const decisions = yield* Effect.all(
          Array.from({ length: limit + 5 }, () => consume(bucket)),
          { concurrency: "unbounded" }
        )
        expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(limit - 1)
      })
    )
  })
}

/** Takes a request of this cost from a bucket. Default: 1. Dies if the limiter has no limit. */
const consume = Effect.fnUntraced(function* (bucket: string, cost?: number) {
  const decision = yield* (yield* RateLimiter).consume(bucket, cost)
  if (decision === null)
    return yield* Effect.die(new Error("the suite needs a limiter that has a limit: consume returned null"))
  return decision
})

/**
 * Takes requests until one is refused, and returns all decisions. It stops after one request more than the limit, so that a
 * limiter that refuses nothing does not loop.
 */
const exhaust = Effect.fnUntraced(function* (bucket: string) {
  const decisions: Array<RateLimitDecision> = [yield* consume(bucket)]
  while (last(decisions).allowed && decisions.length <= last(decisions).limit) decisions.push(yield* consume(bucket))
  return decisions
})

const last = (decisions: ReadonlyArray<RateLimitDecision>): RateLimitDecision => {
  const decision = decisions.at(-1)
  if (decision === undefined) throw new Error("the list of decisions is empty")
  return decision
}

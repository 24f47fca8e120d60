import { RateLimiter, type RateLimitDecision } from "@frontdesk/core/access/RateLimiter"
import { expect, layer } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Samples from "./Samples.ts"
import type { SuiteOptions } from "./Storage.ts"

/** What every `RateLimiter` promises that limits at all. It takes its time from Effect's clock. */
export const rateLimiterSuite = <E>(
  name: string,
  limiter: Layer.Layer<RateLimiter, E>,
  options: Pick<SuiteOptions, "timeout"> = {}
): void => {
  layer(limiter, options)(`${name}: RateLimiter`, (it) => {
    it.effect("a full bucket allows its limit at once, counting down, and then refuses", () =>
      Effect.gen(function* () {
        const answers = yield* exhaust(Samples.unique("bucket"))
        const limit = answers[0]?.limit ?? 0
        expect(answers.map(({ allowed }) => allowed)).toEqual([...Array.from({ length: limit }, () => true), false])
        expect(answers.map(({ remaining }) => remaining)).toEqual([
          ...Array.from({ length: limit }, (_, index) => limit - 1 - index),
          0
        ])
      })
    )

    it.effect("every answer of a bucket tells the same limit and window", () =>
      Effect.gen(function* () {
        const answers = yield* exhaust(Samples.unique("bucket"))
        expect(new Set(answers.map(({ limit }) => limit)).size).toBe(1)
        expect(new Set(answers.map(({ window }) => Duration.toMillis(window))).size).toBe(1)
      })
    )

    it.effect("a refusal says when the next request is allowed, and it is, not before", () =>
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

    it.effect("a bucket is full again when its answer said, and holds no more however long it rests", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        const { resetMillis, limit } = yield* consume(bucket)
        yield* TestClock.adjust(Duration.millis(resetMillis))
        expect(yield* exhaust(bucket)).toHaveLength(limit + 1)
        yield* TestClock.adjust(Duration.hours(1))
        expect(yield* exhaust(bucket)).toHaveLength(limit + 1)
      })
    )

    it.effect("requests of one bucket do not count for another", () =>
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

    it.effect("a request whose cost is more than is left is refused and takes nothing, and a cheaper one passes", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        const { limit } = yield* consume(bucket)
        for (let left = limit - 1; left > 1; left--) yield* consume(bucket)
        expect(yield* consume(bucket, 2)).toMatchObject({ allowed: false, remaining: 1 })
        expect(yield* consume(bucket)).toMatchObject({ allowed: true, remaining: 0 })
      })
    )

    it.effect("a refusal of a costly request says when the bucket has enough for it, and it has, not before", () =>
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

    it.effect("a cost above the limit takes a full bucket", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        expect(yield* consume(bucket, 1_000)).toMatchObject({ allowed: true, remaining: 0 })
        expect((yield* consume(bucket)).allowed).toBe(false)
      })
    )

    it.effect("of requests at once no more pass than the limit", () =>
      Effect.gen(function* () {
        const bucket = Samples.unique("bucket")
        const { limit } = yield* consume(bucket)
        const answers = yield* Effect.all(
          Array.from({ length: limit + 5 }, () => consume(bucket)),
          { concurrency: "unbounded" }
        )
        expect(answers.filter(({ allowed }) => allowed)).toHaveLength(limit - 1)
      })
    )
  })
}

/** Takes a request; a limiter that limits nothing has no place here. */
const consume = Effect.fnUntraced(function* (bucket: string, cost?: number) {
  const decision = yield* (yield* RateLimiter).consume(bucket, cost)
  if (decision === null) return yield* Effect.die(new Error("this limiter limits nothing"))
  return decision
})

/** Takes requests until one is refused, or one more than the limit passed; the refusal is the last. */
const exhaust = Effect.fnUntraced(function* (bucket: string) {
  const answers: Array<RateLimitDecision> = [yield* consume(bucket)]
  while (last(answers).allowed && answers.length <= last(answers).limit) answers.push(yield* consume(bucket))
  return answers
})

const last = (answers: ReadonlyArray<RateLimitDecision>): RateLimitDecision => {
  const answer = answers.at(-1)
  if (answer === undefined) throw new Error("no request was taken")
  return answer
}

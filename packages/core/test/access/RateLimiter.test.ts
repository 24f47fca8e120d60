import { describe, expect, it } from "@effect/vitest"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as Property from "@frontdesk/testing/Property"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"

const consume = (name: string) => Effect.flatMap(RateLimiter, (limiter) => limiter.consume(name))

const limited = RateLimiter.layerTokenBucket({ requests: 3, window: Duration.seconds(60) })

describe("RateLimiter", () => {
  it.effect("layerUnlimited limits no request", () =>
    Effect.gen(function* () {
      expect(yield* consume("a")).toBeNull()
    }).pipe(Effect.provide(RateLimiter.layerUnlimited))
  )

  it.effect("a full bucket allows all its requests at once and then refuses", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach([1, 2, 3, 4], () => consume("a"))
      expect(answers.map((answer) => answer?.allowed)).toEqual([true, true, true, false])
      expect(answers.map((answer) => answer?.remaining)).toEqual([2, 1, 0, 0])
    }).pipe(Effect.provide(limited))
  )

  it.effect("the next request after a refusal is allowed exactly after resetMillis", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([1, 2, 3], () => consume("a"))
      const refused = yield* consume("a")
      expect(refused?.resetMillis).toBe(20_000)
      yield* TestClock.adjust(Duration.millis(19_999))
      expect((yield* consume("a"))?.allowed).toBe(false)
      yield* TestClock.adjust(Duration.millis(1))
      expect((yield* consume("a"))?.allowed).toBe(true)
    }).pipe(Effect.provide(limited))
  )

  it.effect("the next request after a refusal is allowed exactly after resetMillis, for all limits and pauses", () =>
    Property.forAll(
      fc.record({
        requests: fc.integer({ min: 1, max: 1_000 }),
        window: fc.integer({ min: 1_000, max: 3_600_000 }),
        pauses: fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 20 })
      }),
      ({ requests, window, pauses }) =>
        Effect.gen(function* () {
          for (const pause of pauses) {
            yield* TestClock.adjust(Duration.millis(pause))
            const answer = yield* consume("a")
            if (answer?.allowed !== false) continue
            yield* TestClock.adjust(Duration.millis(answer.resetMillis - 1))
            expect((yield* consume("a"))?.allowed).toBe(false)
            yield* TestClock.adjust(Duration.millis(1))
            expect((yield* consume("a"))?.allowed).toBe(true)
          }
        }).pipe(
          Effect.provide(
            Layer.provideMerge(
              RateLimiter.layerTokenBucket({ requests, window: Duration.millis(window) }),
              TestClock.layer()
            )
          )
        )
    )
  )

  it.effect("the requests of one bucket do not count for another", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([1, 2, 3], () => consume("a"))
      expect((yield* consume("a"))?.allowed).toBe(false)
      expect((yield* consume("b"))?.allowed).toBe(true)
    }).pipe(Effect.provide(limited))
  )

  it.effect("a bucket that is not used for a day allows only its limit", () =>
    Effect.gen(function* () {
      yield* consume("a")
      yield* TestClock.adjust(Duration.days(1))
      const answers = yield* Effect.forEach([1, 2, 3, 4], () => consume("a"))
      expect(answers.filter((answer) => answer?.allowed)).toHaveLength(3)
    }).pipe(Effect.provide(limited))
  )
})

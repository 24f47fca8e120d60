import { describe, expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Property from "@frontdesk/testing/Property"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { on } from "../RateLimiterOn.ts"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

/** Builds the limiters of nodes. */
const buildLimiters = (count: number, url: string, requests: number, window: Duration.Duration) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(Layer.build(Layer.fresh(on(url, requests, window))), (node) => Context.get(node, RateLimiter))
  )

/** Builds nodes with a limiter each. `consume` returns whether a node allows a request. */
const buildNodes = Effect.fnUntraced(function* (
  count: number,
  url: string,
  requests: number,
  window: Duration.Duration
) {
  const limiters = yield* buildLimiters(count, url, requests, window)
  return {
    consume: (node: number, bucket: string, cost: number) =>
      Effect.gen(function* () {
        const limiter = limiters[node]
        if (limiter === undefined) return yield* Effect.die(`there is no node ${node}`)
        const decision = yield* limiter.consume(bucket, cost)
        return decision === null ? yield* Effect.die("the bucket was not reached") : decision.allowed
      })
  }
})

/** After a pause, requests of one cost through one of three nodes. */
const visits = fc.record({
  node: fc.integer({ min: 0, max: 2 }),
  count: fc.integer({ min: 1, max: 25 }),
  cost: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 9 })),
  pause: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1_000, max: 2_500 }))
})

describe("rate limiters of several nodes", () => {
  it.effect(
    "several nodes together create and lose no part of a bucket, and unused leases return to it (D-PG-30)",
    () =>
      Effect.gen(function* () {
        const [requests, window] = [1_000, Duration.hours(1)]
        const price = Duration.toMillis(window)
        const url = yield* TestDatabase.withTables
        const nodes = yield* buildNodes(3, url, requests, window)
        const sql = Context.get(yield* Layer.build(PostgresStorage.layer({ url: Redacted.make(url) })), PgClient)
        let run = 0
        yield* Property.forAll(
          fc.array(visits, { minLength: 5, maxLength: 30 }),
          Effect.fnUntraced(function* (steps) {
            const bucket = `bucket ${run++}`
            // The bucket is never full again, so that no refill is in vain.
            yield* nodes.consume(0, bucket, 100)
            const start = yield* Clock.currentTimeMillis
            let spent = 100
            for (const { cost, count, node, pause } of steps) {
              yield* TestClock.adjust(Duration.millis(pause))
              for (let index = 0; index < count; index++) if (yield* nodes.consume(node, bucket, cost)) spent += cost
            }
            yield* TestClock.adjust(Duration.seconds(2))
            const missing = Effect.gen(function* () {
              const [row] = yield* sql<{ at: bigint; level: bigint }>`
                SELECT at, level FROM rate_limit_bucket WHERE name = ${bucket}`
              if (row === undefined) return yield* Effect.die("the bucket has no row")
              const expected = (requests - spent) * price + (Number(row.at) - start) * requests
              return expected - Number(row.level)
            })
            const left = yield* Effect.repeat(Effect.andThen(Effect.yieldNow, missing), {
              until: (parts) => parts === 0,
              times: 500
            })
            expect(left).toBe(0)
          }),
          { numRuns: 25 }
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.effect(
    "over any time, several nodes allow at most the limit, its refill and an eighth of the limit for each further node (D-PG-30)",
    () =>
      Effect.gen(function* () {
        const [requests, window] = [80, Duration.seconds(8)]
        const nodes = yield* buildNodes(3, yield* TestDatabase.withTables, requests, window)
        let run = 0
        yield* Property.forAll(
          fc.array(visits, { minLength: 10, maxLength: 40 }),
          Effect.fnUntraced(function* (steps) {
            const bucket = `bucket ${run++}`
            const allowed: Array<{ readonly at: number; readonly cost: number }> = []
            for (const { cost, count, node, pause } of steps) {
              yield* TestClock.adjust(Duration.millis(pause))
              const at = yield* Clock.currentTimeMillis
              for (let index = 0; index < count; index++)
                if (yield* nodes.consume(node, bucket, cost)) allowed.push({ at, cost })
            }
            for (const [first, { at: from }] of allowed.entries()) {
              let sum = 0
              for (const { at, cost } of allowed.slice(first)) {
                sum += cost
                const refill = ((at - from) * requests) / Duration.toMillis(window)
                expect(sum).toBeLessThanOrEqual(requests + refill + (2 * requests) / 8)
              }
            }
          }),
          { numRuns: 40 }
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.effect("nothing remains, and not less, when another node has emptied the bucket beside a lease (D-PG-30)", () =>
    Effect.gen(function* () {
      const [one, other] = yield* buildLimiters(2, yield* TestDatabase.withTables, 100, Duration.seconds(2))
      if (one === undefined || other === undefined) return yield* Effect.die("a limiter is missing")
      const consume = (limiter: typeof one, bucket: string, count: number) =>
        Effect.forEach(Array.from({ length: count }), () => limiter.consume(bucket))
      for (let spent = 1; spent < 12; spent++) {
        const bucket = `bucket ${spent}`
        for (let count = 0; count < 22; count++) {
          yield* one.consume(bucket)
          yield* TestClock.adjust(Duration.millis(30))
        }
        yield* TestClock.adjust(Duration.millis(600))
        yield* consume(one, bucket, spent)
        yield* consume(other, bucket, 110)
        const decisions = yield* consume(one, bucket, 20)
        expect(decisions.map((decision) => Math.min(0, decision?.remaining ?? 0))).toEqual(decisions.map(() => 0))
      }
    }).pipe(Effect.scoped)
  )

  it.effect("a node that stops takes at most an eighth of the bucket with it (D-PG-30)", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.withTables
      const allowedBy = Effect.fnUntraced(function* (count: number) {
        const { consume } = Context.get(yield* Layer.build(on(url, 400, Duration.hours(1))), RateLimiter)
        const decisions = yield* Effect.forEach(Array.from({ length: count }), () => consume("b"))
        return decisions.filter((decision) => decision?.allowed).length
      }, Effect.scoped)
      // The 39th request leased 39 more, and the node stops before it has used any.
      expect(yield* allowedBy(39)).toBe(39)
      expect(yield* allowedBy(400)).toBe(400 - 39 - 39)
    }).pipe(Effect.scoped)
  )
})

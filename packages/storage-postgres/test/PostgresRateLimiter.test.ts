import { describe, expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Property from "@frontdesk/testing/Property"
import { rateLimiterSuite } from "@frontdesk/testing/suite/rateLimiterSuite"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { untilWaiting } from "./LockWaits.ts"
import { on } from "./RateLimiterOn.ts"

const minute = Duration.seconds(60)

const inDatabase = (requests: number, window: Duration.Duration) =>
  Layer.unwrap(Effect.map(TestDatabase.withTables, (url) => on(url, requests, window)))

/** For tests that change the tables. */
const inOwnDatabase = Layer.unwrap(Effect.map(TestDatabase.make, (url) => on(url, 6, minute)))

rateLimiterSuite("PostgreSQL", inDatabase(3, Duration.seconds(60)))
rateLimiterSuite("PostgreSQL, uneven", inDatabase(7, Duration.millis(10_001)))
rateLimiterSuite("PostgreSQL, with leases", inDatabase(200, Duration.seconds(60)))

const inOwnDatabaseOf = (requests: number) =>
  Layer.unwrap(Effect.map(TestDatabase.make, (url) => on(url, requests, minute)))

/** Returns how many requests of cost 1 the stored level of a bucket with a window of a minute allows. */
const storedLevel = (name: string) =>
  Effect.flatMap(PgClient, (sql) =>
    Effect.map(sql<{ level: string }>`SELECT level FROM rate_limit_bucket WHERE name = ${name}`, ([row]) =>
      Math.floor(Number(row?.level) / Duration.toMillis(minute))
    )
  )

const storedBuckets = Effect.flatMap(PgClient, (sql) =>
  Effect.map(sql<{ name: string }>`SELECT name FROM rate_limit_bucket ORDER BY name`, (rows) =>
    rows.map(({ name }) => name)
  )
)

describe("PostgresRateLimiter", () => {
  it.effect("concurrent requests through two nodes share the limit of their bucket (D-PG-23)", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.withTables
      const nodes = [yield* Layer.build(on(url, 20, minute)), yield* Layer.build(on(url, 20, minute))]
      const decisions = yield* Effect.forEach(
        Array.from({ length: 30 }, () => nodes).flat(),
        (node) => Context.get(node, RateLimiter).consume("key:1"),
        { concurrency: "unbounded" }
      )
      expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(20)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a clock that is behind does not fill a bucket twice, and a clock that was far ahead does not block a bucket for ever",
    () =>
      Effect.gen(function* () {
        const { consume } = yield* RateLimiter
        yield* TestClock.setTime(1_000_000)
        for (let count = 0; count < 6; count++) expect((yield* consume("b"))?.allowed).toBe(true)
        yield* TestClock.setTime(995_000)
        expect((yield* consume("b"))?.allowed).toBe(false)
        yield* TestClock.setTime(1_000_000)
        expect((yield* consume("b"))?.allowed).toBe(false)
        yield* TestClock.setTime(900_000)
        expect((yield* consume("b"))?.allowed).toBe(false)
        yield* TestClock.setTime(910_000)
        expect((yield* consume("b"))?.allowed).toBe(true)
      }).pipe(Effect.provide(inDatabase(6, minute)))
  )

  it.effect("a bucket that is full again is deleted", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      yield* consume("old")
      yield* TestClock.adjust(Duration.seconds(59))
      yield* consume("young")
      expect(yield* storedBuckets).toEqual(["old", "young"])
      yield* TestClock.adjust(Duration.seconds(1))
      const left = yield* Effect.repeat(Effect.andThen(Effect.yieldNow, storedBuckets), {
        until: (names) => names.length === 1
      })
      expect(left).toEqual(["young"])
    }).pipe(Effect.provide(inDatabase(6, minute)))
  )

  it.effect(
    "the database is not asked about a bucket that is known to be empty, until it may have enough again (D-PG-23)",
    () =>
      Effect.gen(function* () {
        const { consume } = yield* RateLimiter
        const sql = yield* PgClient
        for (let count = 0; count < 6; count++) yield* consume("b")
        expect((yield* consume("b"))?.allowed).toBe(false)
        yield* sql`ALTER TABLE rate_limit_bucket RENAME TO away`
        yield* TestClock.adjust(Duration.seconds(4))
        expect(yield* consume("b")).toMatchObject({ allowed: false, remaining: 0, resetMillis: 6_000 })
        yield* sql`ALTER TABLE away RENAME TO rate_limit_bucket`
        yield* TestClock.adjust(Duration.seconds(6))
        expect((yield* consume("b"))?.allowed).toBe(true)
      }).pipe(Effect.provide(inOwnDatabase))
  )

  it.live("a request whose bucket cannot be reached passes (D-PG-23)", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      const sql = yield* PgClient
      yield* sql`DROP TABLE rate_limit_bucket`
      expect(yield* consume("b")).toBe(null)
    }).pipe(Effect.provide(inOwnDatabase))
  )

  it.effect("a request whose bucket does not respond within a second passes", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      const sql = yield* PgClient
      yield* consume("b")
      const held = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const holder = yield* sql`SELECT name FROM rate_limit_bucket FOR UPDATE`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(gate)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(held)
      const consuming = yield* Effect.forkChild(consume("b"))
      yield* TestClock.withLive(untilWaiting("%"))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(consuming)).toBe(null)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(holder)
      expect((yield* consume("b"))?.allowed).toBe(true)
    }).pipe(Effect.provide(inDatabase(6, minute)))
  )

  it.effect(
    "a node decides about the requests of a busy bucket without the database while its lease lasts (D-PG-30)",
    () =>
      Effect.gen(function* () {
        const { consume } = yield* RateLimiter
        const sql = yield* PgClient
        for (let count = 0; count < 100; count++) yield* consume("b")
        yield* sql`ALTER TABLE rate_limit_bucket RENAME TO away`
        // Each lease is as large as the number of requests before it. The 79th request leased 79 more.
        for (let left = 899; left >= 842; left--)
          expect(yield* consume("b")).toMatchObject({ allowed: true, remaining: left })
        expect(yield* consume("b")).toBe(null)
      }).pipe(Effect.provide(inOwnDatabaseOf(1_000)))
  )

  it.effect("a node spends no lease that is a second old (D-PG-30)", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      const sql = yield* PgClient
      for (let count = 0; count < 100; count++) yield* consume("b")
      yield* sql`ALTER TABLE rate_limit_bucket RENAME TO away`
      yield* TestClock.adjust(Duration.millis(999))
      expect((yield* consume("b"))?.allowed).toBe(true)
      yield* TestClock.adjust(Duration.millis(1))
      expect(yield* consume("b")).toBe(null)
    }).pipe(Effect.provide(inOwnDatabaseOf(1_000)))
  )

  it.effect("a node leases nothing from a bucket with fewer than four requests in a second (D-PG-30)", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      for (let second = 0; second < 20; second++) {
        for (let count = 0; count < 2; count++) yield* consume("b")
        const third = yield* consume("b")
        expect(yield* storedLevel("b")).toBe(third?.remaining)
        yield* TestClock.adjust(Duration.seconds(1))
      }
      for (let count = 0; count < 3; count++) yield* consume("b")
      const fourth = yield* consume("b")
      expect(yield* storedLevel("b")).toBe((fourth?.remaining ?? 0) - 4)
    }).pipe(Effect.provide(inDatabase(1_000, minute)))
  )

  it.effect("a bucket that fills faster than it is used is leased, too (D-PG-30)", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      const sql = yield* PgClient
      const isAnswered = Effect.gen(function* () {
        yield* TestClock.adjust(Duration.millis(10))
        yield* consume("b")
        const [row] = yield* sql<{ at: bigint }>`SELECT at FROM rate_limit_bucket WHERE name = 'b'`
        return Number(row?.at) === (yield* Clock.currentTimeMillis)
      })
      for (let count = 0; count < 200; count++) yield* isAnswered
      yield* Effect.repeat(isAnswered, { until: (answered) => answered })
      yield* sql`ALTER TABLE rate_limit_bucket RENAME TO away`
      // The last statement leased the requests of a second.
      for (let count = 0; count < 90; count++) {
        yield* TestClock.adjust(Duration.millis(10))
        expect(yield* consume("b")).toMatchObject({ allowed: true, remaining: 59_999 })
      }
    }).pipe(Effect.provide(inOwnDatabaseOf(60_000)))
  )

  it.effect("a lease that is spent is taken from a bucket that was deleted because it was full again", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      yield* TestClock.adjust(Duration.millis(59_900))
      // The fourth request leases four more.
      for (let count = 0; count < 4; count++) yield* consume("b")
      yield* TestClock.adjust(Duration.millis(100))
      yield* Effect.repeat(Effect.andThen(Effect.yieldNow, storedBuckets), { until: (names) => names.length === 0 })
      for (let spent = 1; spent <= 10; spent++)
        expect(yield* consume("b")).toMatchObject({ allowed: true, remaining: 60_000 - spent })
    }).pipe(Effect.provide(inDatabase(60_000, minute)))
  )

  it.effect.each([30, 2])(
    "a node with leases makes the same decisions as a token bucket in memory of %d seconds (D-PG-30)",
    (seconds) =>
      Effect.gen(function* () {
        const limit = { requests: 60, window: Duration.seconds(seconds) }
        const node = yield* Layer.build(on(yield* TestDatabase.withTables, limit.requests, limit.window))
        const leased = Context.get(node, RateLimiter)
        const sql = Context.get(node, PgClient)
        // The test clock moves on while PostgreSQL works. A node whose statement takes seconds decides otherwise.
        const settled = sql<{ active: string }>`SELECT count(*) AS active FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`.pipe(
          Effect.repeat({ until: ([row]) => Number(row?.active) === 0 })
        )
        const inMemory = Context.get(yield* Layer.build(RateLimiter.layerTokenBucket(limit)), RateLimiter)
        let run = 0
        yield* Property.forAll(
          fc.array(
            fc.record({
              pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 30_000 })),
              costs: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 70 })), {
                maxLength: 30
              })
            }),
            { minLength: 1, maxLength: 12 }
          ),
          Effect.fnUntraced(function* (steps) {
            const bucket = `bucket ${run++}`
            for (const { costs, pause } of steps) {
              // In steps, so that a lease is given back when it expires.
              for (let left = pause; left > 0; left -= 500) {
                yield* TestClock.adjust(Duration.millis(Math.min(left, 500)))
                yield* settled
              }
              for (const cost of costs)
                expect(yield* leased.consume(bucket, cost)).toEqual(yield* inMemory.consume(bucket, cost))
            }
          }),
          { numRuns: 20 }
        )
      }).pipe(Effect.scoped),
    60_000
  )
})

import { describe, expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import { rateLimiterSuite } from "@frontdesk/testing/suite/rateLimiterSuite"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { untilWaiting } from "./LockWaits.ts"
import * as PostgresRateLimiter from "@frontdesk/storage-postgres/PostgresRateLimiter"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"

const minute = Duration.seconds(60)

const on = (url: string, requests: number, window: Duration.Duration) =>
  PostgresRateLimiter.layer({ requests, window }).pipe(
    Layer.provideMerge(PostgresStorage.layer({ url: Redacted.make(url) }))
  )

const inDatabase = (requests: number, window: Duration.Duration) =>
  Layer.unwrap(Effect.map(TestDatabase.withTables, (url) => on(url, requests, window)))

/** For tests that change the tables. */
const inOwnDatabase = Layer.unwrap(Effect.map(TestDatabase.make, (url) => on(url, 6, minute)))

rateLimiterSuite("PostgreSQL", inDatabase(3, Duration.seconds(60)))
rateLimiterSuite("PostgreSQL, uneven", inDatabase(7, Duration.millis(10_001)))

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
})

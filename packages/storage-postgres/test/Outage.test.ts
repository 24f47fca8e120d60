import { describe, expect, it } from "@effect/vitest"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"

/** What is logged while an effect uses a client, and how the failure with which it ends is logged after it. */
const logged = <E, R>(
  effect: (lines: Queue.Dequeue<string>) => Effect.Effect<SqlError, E, R>,
  config: PostgresConfig = {}
) =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      Queue.offerUnsafe(lines, `${logLevel} ${String(Array.isArray(message) ? message[0] : message)}`)
    })
    const url = Redacted.make(config.url === undefined ? yield* TestDatabase.make : Redacted.value(config.url))
    yield* effect(lines).pipe(
      Effect.flatMap((error) => Outage.log("Warn", "It failed", error)),
      Effect.provide(PostgresClient.layer({ ...config, url })),
      Effect.provideService(Logger.CurrentLoggers, new Set([logger]))
    )
    return yield* Queue.clear(lines)
  }).pipe(Effect.scoped)

const loud = ["Warn It failed"]

// The clock is the test's: however slow the machine is, a new session answers within its 2 seconds.
describe("a server that is well has no outage, and the failure is as loud as any", () => {
  it.effect("when all connections are in use", () =>
    Effect.gen(function* () {
      const failed = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const held = yield* Deferred.make<void>()
          yield* Effect.forkScoped(sql.withTransaction(Effect.andThen(Deferred.succeed(held, undefined), Effect.never)))
          yield* Deferred.await(held)
          const waiting = yield* Effect.forkChild(Effect.flip(sql`SELECT 1`), { startImmediately: true })
          yield* TestClock.adjust("200 millis")
          return yield* Fiber.join(waiting)
        }).pipe(Effect.scoped)
      expect(yield* logged(failed, { maxConnections: 1, acquireTimeout: "200 millis" })).toEqual(loud)
    })
  )

  it.effect("when an administrator ends sessions", () =>
    Effect.gen(function* () {
      const failed = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const end = Effect.flip(sql.withTransaction(sql`SELECT pg_terminate_backend(pg_backend_pid())`))
          const [error] = yield* Effect.all([end, end, end], { concurrency: "unbounded" })
          return error
        })
      expect(yield* logged(failed)).toEqual(loud)
    })
  )

  it.effect("when a fiber goes on with a transaction that is over", () =>
    Effect.gen(function* () {
      const failed = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const over = yield* Deferred.make<void>()
          const late = yield* sql.withTransaction(
            Effect.forkDetach(Effect.flip(Effect.andThen(Deferred.await(over), sql`SELECT 1`)))
          )
          yield* Deferred.succeed(over, undefined)
          return yield* Fiber.join(late)
        })
      expect(yield* logged(failed)).toEqual(loud)
    })
  )
})

describe("an outage", () => {
  it.live("begins with the first session that is lost when no other can be had, and says why", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => Proxy.open(url)),
        (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
      )
      const failed = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const pending = yield* Effect.forkChild(Effect.flip(sql`SELECT pg_sleep(60)`), { startImmediately: true })
          proxy.lead("postgres://127.0.0.1:1/nothing")
          return yield* Fiber.join(pending)
        })
      expect(yield* logged(failed, { url: Redacted.make(proxy.through(url)), maxConnections: 1 })).toEqual([
        expect.stringMatching(/^Error PostgreSQL at \S+ is unavailable: \S.*\. What fails of it/)
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("of a server that takes no writes goes on until it takes them, whatever reads it answers", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const name = new URL(url).pathname.slice(1)
      /** Whether it takes writes, in the one session that there is and in new ones. */
      const set = Effect.fnUntraced(function* (value: "on" | "off") {
        const sql = yield* SqlClient
        yield* sql.unsafe("SET default_transaction_read_only = off")
        yield* sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
        yield* sql.unsafe(`SET default_transaction_read_only = ${value}`)
      })
      const failed = (lines: Queue.Dequeue<string>) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`CREATE TABLE item (id integer)`
          yield* set("on")
          const error = yield* Effect.flip(sql`INSERT INTO item VALUES (1)`)
          expect(yield* Queue.take(lines)).toMatch(/ is unavailable: it is read-only, a standby or with /)
          for (let count = 0; count < 4; count++) {
            yield* TestClock.adjust("5 seconds")
            yield* sql`SELECT 1`
            // As long as it takes the watch to look, at least: a session of its own.
            yield* Effect.provide(SqlClient, PostgresClient.layer({ url: Redacted.make(url) }), { local: true })
          }
          expect(yield* Queue.clear(lines)).toEqual([])
          yield* set("off")
          // However late the watch looks again: a query takes real time, in which it may fall asleep.
          const looking = Effect.forever(Effect.andThen(TestClock.adjust("5 seconds"), sql`SELECT 1`))
          expect(yield* Effect.raceFirst(Queue.take(lines), looking)).toMatch(
            / is available again, after 0\.0 seconds in which 1 call failed$/
          )
          return error
        })
      expect(yield* logged(failed, { url: Redacted.make(url), maxConnections: 1 })).toEqual([])
    }).pipe(Effect.scoped)
  )
})

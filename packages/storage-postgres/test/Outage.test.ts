import { describe, expect, it } from "@effect/vitest"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as PostgresClient from "@frontdesk/storage-postgres/PostgresClient"
import * as LogEvents from "./LogEvents.ts"

/**
 * Runs an effect that returns the failure of a statement, on a client of a new database unless `config` names one.
 * Returns whether the failure is marked as part of an outage, and the events that were logged.
 */
const observe = <E, R>(
  effect: (lines: Queue.Dequeue<LogEvents.LoggedEvent>) => Effect.Effect<SqlError, E, R>,
  config: PostgresConfig = {}
) =>
  Effect.gen(function* () {
    const { captured, lines } = yield* LogEvents.capture
    const url = config.url ?? Redacted.make(yield* TestDatabase.make)
    const error = yield* effect(lines).pipe(Effect.provide(PostgresClient.layer({ ...config, url })), captured)
    return { isReported: Outage.isReported(error), events: yield* Queue.clear(lines) }
  }).pipe(Effect.scoped)

const noOutage = { isReported: false, events: [] }

// These tests use the test clock. So a check of the server never exceeds its 2 seconds, even on a slow machine.
describe("a failure of a statement while the server responds", () => {
  it.effect("does not count as an outage when all connections are in use", () =>
    Effect.gen(function* () {
      const fail = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const acquired = yield* Deferred.make<void>()
          yield* Effect.forkScoped(
            sql.withTransaction(Effect.andThen(Deferred.succeed(acquired, undefined), Effect.never))
          )
          yield* Deferred.await(acquired)
          const waiting = yield* Effect.forkChild(Effect.flip(sql`SELECT 1`), { startImmediately: true })
          yield* TestClock.adjust("200 millis")
          return yield* Fiber.join(waiting)
        }).pipe(Effect.scoped)
      expect(yield* observe(fail, { maxConnections: 1, acquireTimeout: "200 millis" })).toEqual(noOutage)
    })
  )

  it.effect("does not count as an outage when an administrator ends sessions", () =>
    Effect.gen(function* () {
      const fail = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const end = Effect.flip(sql.withTransaction(sql`SELECT pg_terminate_backend(pg_backend_pid())`))
          const [error] = yield* Effect.all([end, end, end], { concurrency: "unbounded" })
          return error
        })
      expect(yield* observe(fail)).toEqual(noOutage)
    })
  )

  it.effect("does not count as an outage when a fiber continues in a transaction that has ended", () =>
    Effect.gen(function* () {
      const fail = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const ended = yield* Deferred.make<void>()
          const late = yield* sql.withTransaction(
            Effect.forkDetach(Effect.flip(Effect.andThen(Deferred.await(ended), sql`SELECT 1`)))
          )
          yield* Deferred.succeed(ended, undefined)
          return yield* Fiber.join(late)
        })
      expect(yield* observe(fail)).toEqual(noOutage)
    })
  )
})

describe("an outage", () => {
  it.live("begins with the first lost session when no other can be opened, and is logged with its reason", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => Proxy.open(url)),
        (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
      )
      const fail = () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const pending = yield* Effect.forkChild(Effect.flip(sql`SELECT pg_sleep(60)`), { startImmediately: true })
          proxy.lead("postgres://127.0.0.1:1/nothing")
          return yield* Fiber.join(pending)
        })
      const { events, isReported } = yield* observe(fail, {
        url: Redacted.make(proxy.through(url)),
        maxConnections: 1
      })
      expect(isReported).toBe(true)
      expect(events).toMatchObject([{ event: "storage.unavailable", level: "Error" }])
      expect(events[0]?.text).toMatch(/PostgreSQL at 127\.0\.0\.1:\d+\/\w+ is unavailable: \w/)
    }).pipe(Effect.scoped)
  )

  it.effect("of a read-only server lasts until the server accepts writes, although it answers reads", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.make
      const name = new URL(url).pathname.slice(1)
      /** Makes the only session of the client, and all new ones, read-only or not. */
      const setReadOnly = Effect.fnUntraced(function* (value: "on" | "off") {
        const sql = yield* SqlClient
        yield* sql.unsafe("SET default_transaction_read_only = off")
        yield* sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
        yield* sql.unsafe(`SET default_transaction_read_only = ${value}`)
      })
      const fail = (lines: Queue.Dequeue<LogEvents.LoggedEvent>) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`CREATE TABLE item (id integer)`
          yield* setReadOnly("on")
          const error = yield* Effect.flip(sql`INSERT INTO item VALUES (1)`)
          const begun = yield* Queue.take(lines)
          expect(begun.event).toBe("storage.unavailable")
          expect(begun.text).toContain("it is read-only")
          const pass = Effect.gen(function* () {
            yield* TestClock.adjust("5 seconds")
            yield* sql`SELECT 1`
            // Takes at least as long as a check of the watch, which also opens a session. Five more seconds of the test
            // clock would end the check, because a session must open within them.
            yield* Effect.provide(SqlClient, PostgresClient.layer({ url: Redacted.make(url) }), { local: true })
          })
          for (let count = 0; count < 4; count++) yield* pass
          expect(yield* Queue.clear(lines)).toEqual([])
          yield* setReadOnly("off")
          // The watch may check again late: a query takes real time, in which the watch may begin to sleep.
          const checking = Effect.forever(pass)
          const ended = yield* Effect.raceFirst(Queue.take(lines), checking)
          expect(ended.event).toBe("storage.available")
          expect(ended.text).toMatch(/0\.0 seconds.*1 call/)
          return error
        })
      expect(yield* observe(fail, { url: Redacted.make(url), maxConnections: 1 })).toEqual({
        isReported: true,
        events: []
      })
    }).pipe(Effect.scoped)
  )
})

import { describe, expect, it } from "@effect/vitest"
import type { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as PostgresStorage from "@frontdesk/storage-postgres/PostgresStorage"
import type { PostgresConfig } from "@frontdesk/storage-postgres/PostgresConfig"
import * as Driver from "@frontdesk/storage-sql/driver/Driver"
import * as Proxy from "@frontdesk/test-postgres/Proxy"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import * as LockWaits from "./LockWaits.ts"

const storageAt = (url: string, config: PostgresConfig = {}) =>
  PostgresStorage.layer({ url: Redacted.make(url), ...config })

const storage = (config: PostgresConfig = {}) =>
  Layer.unwrap(Effect.map(TestDatabase.withTables, (url) => storageAt(url, config)))

const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

/** Adds a calendar event and its reminder. Neither statement is waited for inside a transaction. */
const book = Effect.fnUntraced(function* (accountId: AccountId, title: string) {
  const event = yield* Samples.makeCalendarEvent(accountId, { title })
  yield* (yield* ReminderStore).schedule(event.id, Samples.later(5))
  return event
})

/** Adds a calendar event with a UUID that exists. */
const bookAgain = Effect.fnUntraced(function* (accountId: AccountId) {
  const { uuid } = yield* Samples.makeCalendarEvent(accountId, { title: "kept" })
  return Effect.flatMap(CalendarEventStore, (events) =>
    events.insert(Samples.newCalendarEvent(accountId, { uuid, title: "again" }))
  )
})

/** Returns the titles of all calendar events, and the number of reminders. */
const stored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const titles = yield* sql<{ title: string }>`SELECT title FROM calendar_event ORDER BY title`
  const [reminders] = yield* sql<{ count: number }>`SELECT CAST(count(*) AS integer) AS count FROM reminder`
  return { titles: titles.map(({ title }) => title), reminders: reminders?.count }
})

describe("a statement that a transaction does not wait for", () => {
  it.live("fails the transaction at its COMMIT, with its own error, and nothing is stored (D-PG-34)", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const again = yield* bookAgain(id)
      const error = yield* Effect.flip(inTransaction(Effect.all([book(id, "lost"), again, book(id, "late")])))
      expect(error.reason).toBe("duplicate")
      expect(yield* stored).toEqual({ titles: ["kept"], reminders: 0 })
    }).pipe(Effect.provide(storage()))
  )

  it.live("fails the next statement that is waited for, with its own error (D-PG-34)", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const again = yield* bookAgain(id)
      const accounts = yield* AccountStore
      let hasRead = false
      const error = yield* Effect.flip(
        inTransaction(
          Effect.gen(function* () {
            yield* again
            yield* accounts.find(id)
            hasRead = true
          })
        )
      )
      expect(error.reason).toBe("duplicate")
      expect(hasRead).toBe(false)
      expect(yield* stored).toEqual({ titles: ["kept"], reminders: 0 })
    }).pipe(Effect.provide(storage()))
  )

  it.live("fails the inner transaction that made it, and the outer one keeps its own writes (D-PG-34)", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const again = yield* bookAgain(id)
      const inner = yield* inTransaction(
        Effect.gen(function* () {
          yield* book(id, "before")
          const exit = yield* Effect.flip(inTransaction(Effect.andThen(book(id, "undone"), again)))
          yield* book(id, "after")
          return exit
        })
      )
      expect(inner.reason).toBe("duplicate")
      expect(yield* stored).toEqual({ titles: ["after", "before", "kept"], reminders: 2 })
    }).pipe(Effect.provide(storage()))
  )

  it.live("fails the outer transaction before an inner one begins, which then changes nothing (D-PG-34)", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const again = yield* bookAgain(id)
      let hasBegun = false
      const inner = inTransaction(
        Effect.suspend(() => {
          hasBegun = true
          return book(id, "inner")
        })
      )
      const error = yield* Effect.flip(inTransaction(Effect.andThen(again, Effect.ignore(inner))))
      expect(error.reason).toBe("duplicate")
      expect(hasBegun).toBe(false)
      expect(yield* stored).toEqual({ titles: ["kept"], reminders: 0 })
    }).pipe(Effect.provide(storage()))
  )

  it.live("takes no other transaction with it: of 200 at once, exactly those that succeed are stored", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const again = yield* bookAgain(id)
      const titles = Array.from({ length: 200 }, (_, n) => `event ${String(n).padStart(3, "0")}`)
      const exits = yield* Effect.forEach(
        titles,
        (title, n) => {
          const booked = book(id, title)
          if (n % 5 === 1) return Effect.exit(inTransaction(Effect.andThen(booked, again)))
          return Effect.exit(inTransaction(n % 5 === 3 ? Effect.andThen(booked, Effect.fail("no")) : booked))
        },
        { concurrency: 50 }
      )
      const kept = titles.filter((_, n) => n % 5 !== 1 && n % 5 !== 3)
      expect(titles.filter((_, n) => exits.slice(n, n + 1).some(Exit.isSuccess))).toEqual(kept)
      expect(yield* stored).toEqual({ titles: [...kept, "kept"], reminders: kept.length })
    }).pipe(Effect.provide(storage()))
  )

  it.live("is lost with its connection: the transaction is unavailable, and the next one works", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const sql = yield* SqlClient
      yield* sql.unsafe(`CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.title = 'fatal' THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END $$`)
      yield* sql.unsafe(
        "CREATE TRIGGER trouble BEFORE INSERT ON calendar_event FOR EACH ROW EXECUTE FUNCTION trouble()"
      )
      const error = yield* Effect.flip(
        inTransaction(Effect.all([book(id, "before"), book(id, "fatal"), book(id, "x")]))
      )
      expect(error.reason).toBe("unavailable")
      yield* inTransaction(book(id, "next"))
      expect(yield* stored).toEqual({ titles: ["next"], reminders: 1 })
      // The database of its own, because the trigger changes a table.
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(TestDatabase.make, (url) => storageAt(url, { maxConnections: 1 })))))
  )
})

describe("a fiber that goes on after its transaction", () => {
  it.live("cannot use the connection, which other transactions have then (D-PG-34)", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const ended = yield* Deferred.make<void>()
      const late = yield* inTransaction(
        Effect.andThen(
          book(id, "kept"),
          Effect.forkDetach(Effect.flip(Effect.andThen(Deferred.await(ended), book(id, "late"))))
        )
      )
      const after = inTransaction(
        Effect.gen(function* () {
          yield* book(id, "next")
          yield* Deferred.succeed(ended, undefined)
          return yield* Fiber.join(late)
        })
      )
      expect(yield* after).toMatchObject({ reason: "unavailable" })
      expect(yield* stored).toEqual({ titles: ["kept", "next"], reminders: 2 })
    }).pipe(Effect.provide(storage({ maxConnections: 1 })))
  )
})

describe("a transaction that is interrupted", () => {
  it.live("while it waits for a lock, cancels its statement and frees its connection (D-PG-34)", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const events = yield* CalendarEventStore
      const event = yield* Samples.makeCalendarEvent(id, { title: "locked" })
      const locking = events.findForUpdate(Samples.scopeOf({ id }), { id: event.id })
      const held = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        inTransaction(Effect.andThen(locking, Effect.andThen(Deferred.succeed(held, undefined), Effect.never)))
      )
      yield* Deferred.await(held)
      const waiting = yield* Effect.forkChild(inTransaction(Effect.andThen(book(id, "undone"), locking)))
      yield* LockWaits.untilWaiting("%FOR NO KEY UPDATE%")
      // Without a cancel, this would last until the lock timeout of a minute.
      yield* Fiber.interrupt(waiting)
      const sql = yield* SqlClient
      expect(
        yield* sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      ).toEqual([])
      yield* inTransaction(book(id, "next"))
      yield* Fiber.interrupt(holder)
      expect(yield* stored).toEqual({ titles: ["locked", "next"], reminders: 1 })
    }).pipe(
      Effect.provide(storage({ maxConnections: 3, lockTimeout: "1 minute", statementTimeout: "1 minute" })),
      Effect.timeout("20 seconds")
    )
  )
})

describe("look-ups at once", () => {
  const divided = (driver: Driver.Driver, by: number) =>
    driver.lookUp(`SELECT 12 / CAST($1 AS integer) AS result`, [by], (_, [row]) => Effect.succeed(row?.[0]))

  it.live("share one connection, and one that fails takes no other with it (D-PG-2)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const driver = Driver.make(sql)
      const exits = yield* Effect.forEach([1, 2, 0, 3, 4, 6, 12], (by) => Effect.exit(divided(driver, by)), {
        concurrency: "unbounded"
      })
      expect(exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : "failed"))).toEqual([12, 6, "failed", 4, 3, 2, 1])
      expect(
        yield* sql`SELECT CAST(count(*) AS integer) AS sessions FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend'`
      ).toEqual([{ sessions: 1 }])
    }).pipe(Effect.provide(storage()))
  )

  it.live("of which the caller of one leaves, answer all others", () =>
    Effect.gen(function* () {
      const driver = Driver.make(yield* SqlClient)
      const leaving = yield* Effect.forkChild(divided(driver, 1), { startImmediately: true })
      const staying = yield* Effect.forkChild(divided(driver, 4), { startImmediately: true })
      yield* Fiber.interrupt(leaving)
      expect(yield* Fiber.join(staying)).toBe(3)
    }).pipe(Effect.provide(storage()))
  )

  it.live("fail in time when the server is silent, and work again when it answers (D-PG-1)", () =>
    Effect.gen(function* () {
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => Proxy.open(inject("postgresUrl"))),
        (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
      )
      const url = proxy.through(yield* TestDatabase.make)
      yield* Effect.gen(function* () {
        const driver = Driver.make(yield* SqlClient)
        expect(yield* divided(driver, 3)).toBe(4)
        proxy.hold()
        const errors = yield* Effect.forEach([1, 2], (by) => Effect.flip(divided(driver, by)), {
          concurrency: "unbounded"
        })
        expect(errors.map(({ reason }) => reason._tag)).toEqual(["ConnectionError", "ConnectionError"])
        proxy.pass()
        expect(yield* divided(driver, 6)).toBe(2)
      }).pipe(Effect.provide(storageAt(url, { statementTimeout: "100 millis", maxConnections: 1 })))
    }).pipe(Effect.scoped)
  )
})

describe("the ids of calendar events", () => {
  it.live("are given once, by two nodes at the same time and by a third after both are gone (D-PG-35)", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.withTables
      const insert = (accountId: AccountId, count: number) =>
        Effect.forEach(
          Array.from({ length: count }),
          () => inTransaction(Effect.map(Samples.makeCalendarEvent(accountId), ({ id }) => id)),
          { concurrency: 20 }
        )
      const node = <A, E>(
        effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof storageAt>>>
      ): Effect.Effect<A, unknown> => Effect.provide(effect, Layer.fresh(storageAt(url)))
      const { id } = yield* node(Samples.makeAccount())
      const before = yield* Effect.all([node(insert(id, 150)), node(insert(id, 150))], { concurrency: "unbounded" })
      const after = yield* node(insert(id, 50))
      const ids = [...before.flat(), ...after]
      expect(new Set(ids).size).toBe(350)
      expect(Math.min(...after)).toBeGreaterThan(Math.max(...before.flat()))
    }).pipe(Effect.scoped)
  )
})

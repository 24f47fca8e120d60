import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarOperations } from "@frontdesk/core/calendar/CalendarOperations"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { account, as, hour, inAccount, FakeAdapters } from "./services.ts"

const syncAhead = Effect.gen(function* () {
  const { account } = yield* Principal
  const operations = yield* CalendarOperations
  return yield* operations.syncAhead(account.id, "google")
}).pipe(Effect.provide(CalendarOperations.layer))

/** A layer whose `Transaction.run` calls the given function with the transaction service of the test. */
const transactions = (
  run: <A, E, R>(
    transaction: Transaction["Service"],
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
) =>
  Layer.effect(
    Transaction,
    Effect.map(Transaction, (transaction) => Transaction.of({ run: (effect) => run(transaction, effect) }))
  )

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** Returns the titles of the calendar events that were written to external calendars since it last ran. */
const written = Effect.map(FakeAdapters, (fakes) => fakes.written.splice(0).map(({ event }) => event.title))

describe("CalendarOperations.syncAhead", () => {
  it.effect(
    "syncAhead writes the account's events that have not begun, and only to the given calendar (D-EXT-16)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const fakes = yield* FakeAdapters
        yield* (yield* CalendarEvents).create({ ...hour("12:00"), title: "Another's" }).pipe(as(yield* account()))
        for (const start of ["08:00", "10:00", "11:00"]) yield* events.create({ ...hour(start), title: start })
        yield* drain
        expect(yield* written).toEqual([])
        fakes.providers = ["google", "apple"]
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-06-01T10:00:00Z")))
        expect(yield* syncAhead).toBe(2)
        yield* drain
        expect(fakes.written.every(({ provider }) => provider === "google")).toBe(true)
        expect((yield* written).toSorted()).toEqual(["10:00", "11:00"])
      }).pipe(inAccount())
  )

  it.effect(
    "syncAhead writes more events than one transaction has, and counts each once when every transaction runs twice",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        for (let count = 0; count < 205; count++) yield* events.create({ ...hour(), title: String(count) })
        ;(yield* FakeAdapters).providers = ["google"]
        expect(
          yield* syncAhead.pipe(
            Effect.provide(transactions((transaction, effect) => transaction.run(Effect.andThen(effect, effect))))
          )
        ).toBe(205)
        yield* drain
        expect(new Set(yield* written).size).toBe(205)
      }).pipe(inAccount())
  )

  it.effect("syncAhead writes every event, also when events are moved and added while it runs", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-06-01T11:30:00Z")))
      const made = yield* Effect.forEach(Arr.range(1, 250), (n) =>
        events.create({ ...hour("12:00"), title: String(n) })
      )
      ;(yield* FakeAdapters).providers = ["google"]
      // Runs after the first transaction: moves 50 events into the past and 20 to a later time, and adds one.
      let isChanged = false
      const change = Effect.gen(function* () {
        if (isChanged) return
        isChanged = true
        for (const { id, title } of made.slice(0, 50)) yield* events.patch({ id }, { ...hour("11:00"), title })
        for (const { id, title } of made.slice(50, 70)) yield* events.patch({ id }, { ...hour("15:00"), title })
        yield* events.create({ ...hour("11:45"), title: "added" })
      }).pipe(Effect.provideService(Principal, yield* Principal))
      yield* syncAhead.pipe(
        Effect.provide(transactions((transaction, effect) => Effect.tap(transaction.run(effect), Effect.orDie(change))))
      )
      yield* drain
      expect(new Set(yield* written).size).toBe(251)
    }).pipe(inAccount())
  )

  it.effect("syncAhead writes a cancelled event, because the answer to an earlier write may be lost (D-EXT-16)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const fakes = yield* FakeAdapters
      const { id } = yield* events.create({ ...hour(), title: "lost" })
      yield* events.cancel({ id }, {})
      fakes.providers = ["google"]
      expect(yield* syncAhead).toBe(1)
      yield* drain
      expect(fakes.written.map(({ event }) => [event.title, event.status])).toEqual([["lost", "cancelled"]])
    }).pipe(inAccount())
  )
})

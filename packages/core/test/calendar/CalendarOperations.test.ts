import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarConnections } from "@frontdesk/core/calendar/CalendarConnections"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarOperations } from "@frontdesk/core/calendar/CalendarOperations"
import { OutboxWorker } from "@frontdesk/core/outbox/OutboxWorker"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { account, as, hour, inAccount, Outside } from "./world.ts"

const operations = CalendarOperations.layer.pipe(Layer.provideMerge(CalendarConnections.layer))

const syncAhead = Effect.gen(function* () {
  const { account } = yield* Principal
  const operations = yield* CalendarOperations
  return yield* operations.syncAhead(account.id, "google")
}).pipe(Effect.provide(operations))

const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)

/** The titles of what was written since the last look. */
const written = Effect.map(Outside, (outside) => outside.written.splice(0).map(({ event }) => event.title))

describe("CalendarOperations.syncAhead", () => {
  it.effect("writes every event that has not begun, and no other, of no other account, to the one calendar", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const outside = yield* Outside
      yield* (yield* CalendarEvents).create({ ...hour("12:00"), title: "Another's" }).pipe(as(yield* account()))
      for (const start of ["08:00", "10:00", "11:00"]) yield* events.create({ ...hour(start), title: start })
      yield* drain
      expect(yield* written).toEqual([])
      outside.providers = ["google", "apple"]
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-06-01T10:00:00Z")))
      expect(yield* syncAhead).toBe(2)
      yield* drain
      expect(outside.written.every(({ provider }) => provider === "google")).toBe(true)
      expect((yield* written).toSorted()).toEqual(["10:00", "11:00"])
    }).pipe(inAccount())
  )

  it.effect("goes through all pages", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      for (let count = 0; count < 205; count++) yield* events.create({ ...hour(), title: String(count) })
      ;(yield* Outside).providers = ["google"]
      expect(yield* syncAhead).toBe(205)
      yield* drain
      expect(new Set(yield* written).size).toBe(205)
    }).pipe(inAccount())
  )

  it.effect("a cancelled event is written only where the calendar has it", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const outside = yield* Outside
      const never = yield* events.create({ ...hour(), title: "never there" })
      outside.providers = ["google"]
      const there = yield* events.create({ ...hour(), title: "there" })
      yield* drain
      outside.providers = []
      for (const { id } of [never, there]) yield* events.cancel({ id }, {})
      yield* drain
      yield* written
      expect(yield* syncAhead).toBe(1)
      yield* drain
      expect(outside.written.map(({ event }) => [event.title, event.status])).toEqual([["there", "cancelled"]])
    }).pipe(inAccount())
  )
})

describe("CalendarOperations.connect and disconnect", () => {
  const connect = Effect.fnUntraced(function* (calendar: string) {
    const { account } = yield* Principal
    const operations = yield* CalendarOperations
    return yield* operations.connect({ accountId: account.id, provider: "google" }, calendar, Redacted.make("secret"))
  }, Effect.provide(operations))

  /** Two events that are in both calendars, one that has begun and one that has not; what is known of their copies. */
  const written = Effect.gen(function* () {
    const events = yield* CalendarEvents
    const outside = yield* Outside
    outside.providers = ["google", "apple"]
    const [begun, ahead] = [yield* events.create(hour("08:00")), yield* events.create(hour("10:00"))]
    yield* drain
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-06-01T09:00:00Z")))
    const known = Effect.forEach([begun, ahead], ({ id }) =>
      Effect.map(events.get({ id }), ({ externalCalendars }) => Object.keys(externalCalendars).toSorted())
    )
    return { ahead, known }
  })

  it.effect("another calendar has none of the copies: those ahead are forgotten, and written there", () =>
    Effect.gen(function* () {
      const { ahead, known } = yield* written
      yield* connect("work")
      expect(yield* known).toEqual([
        ["apple", "google"],
        ["apple", "google"]
      ])
      const { updatedAt } = yield* (yield* CalendarEvents).get({ id: ahead.id })
      const connection = yield* connect("home")
      expect(connection.calendar).toBe("home")
      expect(yield* known).toEqual([["apple", "google"], ["apple"]])
      expect((yield* (yield* CalendarEvents).get({ id: ahead.id })).updatedAt).toEqual(updatedAt)
    }).pipe(inAccount())
  )

  it.effect("other credentials for the same calendar forget nothing", () =>
    Effect.gen(function* () {
      const { known } = yield* written
      yield* connect("work")
      yield* connect("work")
      expect((yield* known)[1]).toEqual(["apple", "google"])
    }).pipe(inAccount())
  )

  it.effect("who is disconnected is connected no more, and the copies ahead are forgotten", () =>
    Effect.gen(function* () {
      const { account } = yield* Principal
      const { known } = yield* written
      yield* connect("work")
      const key = { accountId: account.id, provider: "google" } as const
      const service = yield* CalendarOperations
      expect(yield* service.disconnect(key)).toBe(true)
      expect(yield* service.disconnect(key)).toBe(false)
      expect(yield* (yield* CalendarConnections).list(account.id)).toEqual([])
      expect((yield* known)[1]).toEqual(["apple"])
    }).pipe(Effect.provide(operations), inAccount())
  )
})

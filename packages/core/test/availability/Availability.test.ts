import { describe, expect, it } from "@effect/vitest"
import { Availability } from "@frontdesk/core/availability/Availability"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { account, as, hour, FakeAdapters, services } from "../calendar/services.ts"

const newYork = TimeZone.make("America/New_York")
const monday = CalendarDate.make("2026-06-01")
const morning = { workingHours: { mon: [["09:00", "12:00"] as const] } }

const all = Availability.layer.pipe(Layer.provideMerge(services))

/** Runs an effect with a new account as caller, on Friday 2026-05-29 at 16:00 UTC. */
const inAccount =
  (settings: Parameters<typeof account>[0] = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-29T16:00:00Z")))
      return yield* as(yield* account(settings))(effect)
    }).pipe(Effect.provide(all))

const instant = (text: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(text))

const find = (query: Parameters<Availability["Service"]["find"]>[0] = {}) =>
  Effect.flatMap(Availability, (availability) => availability.find(query))

/** Returns the starts of the slots of the Monday in UTC: `13:00`. */
const starts = (query: Parameters<typeof find>[0] = {}) =>
  Effect.map(find({ startDate: monday, endDate: monday, ...query }), ({ slots }) =>
    slots.map(({ start }) => DateTime.formatIso(DateTime.makeUnsafe(start)).slice(11, 16))
  )

describe("Availability", () => {
  it.effect(
    "an empty query finds slots of 30 minutes from today to today + 6, in the account's time zone (D-AVL-1, D-AVL-2)",
    () =>
      Effect.gen(function* () {
        const answer = yield* find()
        expect(answer).toMatchObject({
          startDate: "2026-05-30",
          endDate: "2026-06-05",
          durationMinutes: 30,
          timeZone: "Pacific/Auckland"
        })
        // Five working days of eight hours.
        expect(answer.slots).toHaveLength(5 * 16)
        expect(answer.slots[0]).toEqual({
          start: DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-31T21:00:00Z")),
          end: DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-31T21:30:00Z"))
        })
      }).pipe(inAccount({ timeZone: TimeZone.make("Pacific/Auckland") }))
  )

  it.effect("a query with only a start covers a week, and a query with only an end begins today", () =>
    Effect.gen(function* () {
      expect(yield* find({ startDate: monday })).toMatchObject({ startDate: "2026-06-01", endDate: "2026-06-07" })
      expect(yield* find({ endDate: monday })).toMatchObject({ startDate: "2026-05-29", endDate: "2026-06-01" })
    }).pipe(inAccount())
  )

  it.effect(
    "scheduled, confirmed and completed calendar events block slots; cancelled and no_show do not (D-CAL-12)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const { id } = yield* events.create(hour("10:00"))
        for (const status of ["scheduled", "confirmed", "completed"] as const) {
          yield* events.patch({ id }, { status })
          expect(yield* starts({ duration: 60 })).toEqual(["09:00", "11:00"])
        }
        for (const status of ["cancelled", "no_show"] as const) {
          yield* events.patch({ id }, { status })
          expect(yield* starts({ duration: 60 })).toEqual(["09:00", "10:00", "11:00"])
        }
      }).pipe(inAccount(morning))
  )

  it.effect("only the caller's own calendar events block slots, and the answer has the caller's id (D-TEAM-5)", () =>
    Effect.gen(function* () {
      const stranger = yield* account()
      yield* (yield* CalendarEvents).create(hour("10:00")).pipe(as(stranger))
      expect(yield* starts({ duration: 60 })).toEqual(["09:00", "10:00", "11:00"])
      expect((yield* find().pipe(as(stranger))).userId).toBe(stranger.id)
    }).pipe(inAccount(morning))
  )

  it.effect("slots follow the account's time zone, overrides, slot interval, buffers and minimum notice", () =>
    Effect.gen(function* () {
      // The event is from 10:00 to 11:00 in New York, and from 09:30 to 11:15 with its buffers.
      yield* (yield* CalendarEvents).create(hour("10:00"))
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-06-01T14:20:00Z")))
      expect(yield* starts({ duration: 30 })).toEqual(["15:30", "15:45", "16:00", "16:15", "16:30"])
    }).pipe(
      inAccount({
        timeZone: newYork,
        dateOverrides: { "2026-06-01": [["09:00", "13:00"]] },
        slotIntervalMinutes: 15,
        bufferBeforeMinutes: 30,
        bufferAfterMinutes: 15,
        minimumNoticeMinutes: 70
      })
    )
  )

  it.effect("the buffer of an event outside the dates blocks slots within them", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const at = (startTime: string, endTime: string) => events.create({ title: "x", startTime, endTime })
      yield* at("2026-05-31T22:00", "2026-05-31T23:30")
      yield* at("2026-06-02T00:30", "2026-06-02T01:00")
      const found = yield* starts({ duration: 60 })
      expect([found[0], found.at(-1), found.length]).toEqual(["01:00", "22:00", 22])
    }).pipe(inAccount({ workingHours: { mon: [["00:00", "24:00"]] }, bufferBeforeMinutes: 60, bufferAfterMinutes: 60 }))
  )

  it.effect("events block slots on 9999-12-31, the last possible date", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      yield* events.create({ title: "x", startTime: "9999-12-31T09:00", endTime: "9999-12-31T17:00" })
      const lastDay = CalendarDate.make("9999-12-31")
      expect((yield* find({ startDate: lastDay, endDate: lastDay })).slots).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("timeZone in the query changes the zone of the answer and no slot", () =>
    Effect.gen(function* () {
      const answer = yield* find({ startDate: monday, endDate: monday, timeZone: newYork })
      expect(answer).toEqual({ ...(yield* find({ startDate: monday, endDate: monday })), timeZone: newYork })
    }).pipe(inAccount())
  )

  it.effect(
    "busy times of external calendars block slots with the account's buffers, and the answer names when they were read",
    () =>
      Effect.gen(function* () {
        const fakes = yield* FakeAdapters
        fakes.providers = ["google", "apple"]
        const at = (from: string, to: string) => ({
          start: instant(`2026-06-01T${from}Z`),
          end: instant(`2026-06-01T${to}Z`)
        })
        fakes.onBusy = (provider) =>
          Effect.succeed(provider === "google" ? [at("09:00", "09:20"), at("09:10", "09:30")] : [at("11:30", "12:00")])
        yield* (yield* CalendarEvents).create(hour("14:00"))
        const answer = yield* find({ startDate: monday, endDate: monday, duration: 60 })
        expect(answer.slots.map(({ start }) => DateTime.formatIso(DateTime.makeUnsafe(start)).slice(11, 16))).toEqual([
          "09:30",
          "10:00",
          "12:00",
          "12:30",
          "15:00",
          "15:30",
          "16:00"
        ])
        const readAt = DateTime.makeUnsafe("2026-05-29T16:00:00Z")
        expect(answer.externalCalendars).toEqual([
          { provider: "google", readAt },
          { provider: "apple", readAt }
        ])
      }).pipe(
        inAccount({
          workingHours: { mon: [["09:00", "17:00"]] },
          bufferBeforeMinutes: 30,
          bufferAfterMinutes: 0,
          slotIntervalMinutes: 30
        })
      )
  )

  it.effect("the copy of an event in an external calendar blocks no further slots", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      fakes.providers = ["google"]
      yield* (yield* CalendarEvents).create(hour("10:00"))
      const before = yield* starts({ duration: 60 })
      fakes.onBusy = () => Effect.succeed([{ start: instant("2026-06-01T10:00Z"), end: instant("2026-06-01T11:00Z") }])
      yield* TestClock.adjust("2 minutes")
      expect(before).toEqual(["09:00", "11:00"])
      expect(yield* starts({ duration: 60 })).toEqual(before)
    }).pipe(inAccount(morning))
  )

  it.effect("find fails when an external calendar cannot be read", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      fakes.providers = ["outlook"]
      fakes.onBusy = () => Effect.fail(new CalendarSyncError({ reason: "unauthorized", cause: "expired" }))
      expect(yield* Effect.flip(find())).toMatchObject({ _tag: "CalendarUnavailable", provider: "outlook" })
    }).pipe(inAccount(morning))
  )

  it.effect("an invalid query fails before an external calendar is read", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      fakes.providers = ["outlook"]
      fakes.onBusy = () => Effect.die("was read")
      expect(yield* Effect.flip(find({ duration: 0 }))).toMatchObject({ _tag: "InvalidDuration" })
      const reversed = { startDate: CalendarDate.make("2026-06-02"), endDate: monday }
      expect(yield* Effect.flip(find(reversed))).toMatchObject({ _tag: "InvalidParameter" })
    }).pipe(inAccount(morning))
  )

  it.effect.each([0, 181, -1, 1.5, Number.NaN])(
    "a duration of %s fails with InvalidDuration (C-4.6-13, C-7-12)",
    (duration) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(find({ duration }))).toMatchObject({ _tag: "InvalidDuration", duration })
      }).pipe(inAccount())
  )

  it.effect("durations of 1 and 180 minutes, and a range of 62 days, are accepted (D-AVL-3)", () =>
    Effect.gen(function* () {
      expect((yield* find({ duration: 1 })).slots[0]).toBeDefined()
      expect((yield* find({ duration: 180 })).slots[0]).toBeDefined()
      expect(yield* find({ startDate: monday, endDate: CalendarDate.make("2026-08-01") })).toMatchObject({
        endDate: "2026-08-01"
      })
    }).pipe(inAccount())
  )

  it.effect(
    "limit leaves out later slots, and nextStart is the start of the first one left out, or null (D-AVL-4)",
    () =>
      Effect.gen(function* () {
        const answer = yield* find({ startDate: monday, endDate: monday, limit: 2 })
        expect(answer.slots.map(({ start }) => start)).toEqual([
          instant("2026-06-01T13:00:00Z"),
          instant("2026-06-01T13:30:00Z")
        ])
        expect(answer.nextStart).toBe(instant("2026-06-01T14:00:00Z"))
        expect((yield* find({ startDate: monday, endDate: monday, limit: 6 })).nextStart).toBeNull()
      }).pipe(inAccount({ timeZone: newYork, ...morning }))
  )

  it.effect("other fibers run during a long search (D-AVL-3)", () =>
    Effect.gen(function* () {
      let turns = 0
      const other = yield* Effect.sync(() => (turns += 1)).pipe(
        Effect.andThen(Effect.yieldNow),
        Effect.forever,
        Effect.forkChild
      )
      yield* Effect.yieldNow
      const before = turns
      const query = { startDate: monday, endDate: CalendarDate.make("2026-06-13"), duration: 1, limit: 5_000 }
      expect((yield* find(query)).slots).toHaveLength(5_000)
      // The search yields after each of five steps of 1,000 starts. The other fiber counts at every second yield.
      expect(turns - before).toBeGreaterThanOrEqual(2)
      yield* Fiber.interrupt(other)
    }).pipe(inAccount({ workingHours: { mon: [["00:00", "24:00"]], tue: [["00:00", "24:00"]] } }))
  )

  it.effect.each([
    ["2026-06-01", "2026-08-02"],
    ["2026-06-02", "2026-06-01"],
    // Without a start the range begins today, on 2026-05-29.
    [undefined, "2026-05-28"]
  ])("a range from %s to %s, too long or reversed, fails with InvalidParameter", ([startDate, endDate]) =>
    Effect.gen(function* () {
      const date = (text: string | undefined) => (text === undefined ? undefined : CalendarDate.make(text))
      const invalid = find({ startDate: date(startDate), endDate: date(endDate) })
      expect(yield* Effect.flip(invalid)).toMatchObject({ _tag: "InvalidParameter", parameter: "end_date" })
    }).pipe(inAccount())
  )
})

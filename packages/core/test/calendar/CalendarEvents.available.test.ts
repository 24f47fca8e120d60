import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { makeTeam } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { account, as, FakeAdapters, hour, published, services } from "./services.ts"

const instant = (time: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(`2026-06-01T${time}:00Z`))

const mondays = { workingHours: { mon: [["09:00", "17:00"] as const] } }

/** Runs an effect with a new account as caller that works on Mondays, on Friday 2026-05-29 at 16:00 UTC. */
const inAccount =
  (settings: Parameters<typeof account>[0] = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-29T16:00:00Z")))
      return yield* as(yield* account({ ...mondays, ...settings }))(effect)
    }).pipe(Effect.provide(services))

const book = (start: string) =>
  Effect.flatMap(CalendarEvents, (events) => events.create({ ...hour(start), requireAvailable: true }))

/** Books a time that is refused, and returns the starts of the nearest free times: `06-01 09:00`. */
const refused = (start: string) =>
  Effect.map(Effect.flip(book(start)), (error) => {
    if (error._tag !== "SlotUnavailable") throw error
    expect(error.rule).toBe("require_available")
    return error.nearest.map(({ startTime }) => DateTime.formatIso(startTime).slice(5, 16).replace("T", " "))
  })

const unreadable = Effect.fail(new CalendarSyncError({ reason: "transport", cause: "down" }))

describe("CalendarEvents with require_available (D-CAL-11)", () => {
  it.effect("books a time within working hours, also one between the slots of the grid", () =>
    Effect.gen(function* () {
      expect((yield* book("10:07")).status).toBe("scheduled")
      expect(yield* published).toEqual(["calendar.created"])
    }).pipe(inAccount())
  )

  it.effect("refuses a time outside working hours, with the three nearest free times in order", () =>
    Effect.gen(function* () {
      expect(yield* refused("16:30")).toEqual(["06-01 14:00", "06-01 15:00", "06-01 16:00"])
      expect(yield* refused("08:00")).toEqual(["06-01 09:00", "06-01 10:00", "06-01 11:00"])
      expect(yield* published).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("refuses a time that overlaps an event or its buffers, and names times without that", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      yield* events.create(hour("12:00"))
      expect(yield* refused("12:30")).toEqual(["06-01 10:00", "06-01 14:00", "06-01 15:00"])
      expect(yield* refused("11:00")).toEqual(["06-01 09:00", "06-01 10:00", "06-01 14:00"])
      yield* book("10:30")
    }).pipe(inAccount({ bufferBeforeMinutes: 30, bufferAfterMinutes: 30 }))
  )

  it.effect("refuses a time before the minimum notice, and one in the past", () =>
    Effect.gen(function* () {
      const notice = 3 * 24 * 60
      expect(yield* refused("10:00")).toEqual(["06-01 16:00", "06-08 09:00", "06-08 10:00"])
      yield* TestClock.setTime(instant("12:00") - notice * 60_000)
      expect(yield* refused("11:59")).toEqual(["06-01 12:00", "06-01 13:00", "06-01 14:00"])
      yield* book("12:00")
      yield* TestClock.setTime(instant("12:00") + 365 * 86_400_000)
      expect(yield* refused("10:00")).toHaveLength(3)
    }).pipe(inAccount({ minimumNoticeMinutes: 3 * 24 * 60 }))
  )

  it.effect("refuses a time at which an external calendar is busy, which it reads before each booking", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      fakes.providers = ["google", "apple"]
      yield* book("09:00")
      fakes.onBusy = (provider) =>
        Effect.succeed(provider === "apple" ? [{ start: instant("10:30"), end: instant("11:30") }] : [])
      expect(yield* refused("10:00")).toEqual(["06-01 12:00", "06-01 13:00", "06-01 14:00"])
      yield* book("11:30")
    }).pipe(inAccount())
  )

  it.effect("fails with BookingUnchecked when an external calendar cannot be read in time, and books nothing", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      fakes.providers = ["google"]
      fakes.onBusy = () => Effect.never
      const booking = yield* Effect.forkChild(Effect.flip(book("10:00")))
      yield* TestClock.adjust("1500 millis")
      expect(yield* Fiber.join(booking)).toMatchObject({ _tag: "BookingUnchecked", provider: "google" })
      fakes.onBusy = () => Effect.succeed([])
      yield* book("11:00")
      fakes.onBusy = () => unreadable
      expect(yield* refused("11:30")).toHaveLength(3)
      yield* book("12:00")
      yield* TestClock.adjust("5 minutes")
      expect(yield* Effect.flip(book("14:00"))).toMatchObject({ _tag: "BookingUnchecked" })
      expect(yield* published).toHaveLength(2)
    }).pipe(inAccount())
  )

  it.effect("one of several concurrent callers gets a time, and the others the nearest free times", () =>
    Effect.gen(function* () {
      const bookings = yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.result(book("10:00"))),
        { concurrency: "unbounded" }
      )
      expect(bookings.filter(({ _tag }) => _tag === "Success")).toHaveLength(1)
      for (const booking of bookings) {
        if (booking._tag === "Failure") expect(booking.failure).toMatchObject({ _tag: "SlotUnavailable" })
      }
      expect(yield* published).toEqual(["calendar.created"])
    }).pipe(inAccount())
  )

  it.effect("moves an event over its own time and its own copy in an external calendar, and refuses another time", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const fakes = yield* FakeAdapters
      fakes.providers = ["google"]
      const { id } = yield* book("10:00")
      yield* Effect.flatMap(OutboxWorker, (worker) => worker.drain)
      const copy = { start: instant("10:00"), end: instant("11:00") }
      fakes.onBusy = () => Effect.succeed([copy])
      const moved = { ...hour("10:30"), requireAvailable: true }
      expect(yield* events.patch({ id }, moved)).toMatchObject({ startTime: DateTime.makeUnsafe(instant("10:30")) })
      const late = events.put({ id }, { ...hour("16:30"), requireAvailable: true })
      expect(yield* Effect.flip(late)).toMatchObject({ _tag: "SlotUnavailable", rule: "require_available" })
    }).pipe(inAccount())
  )

  it.effect("a cancelled event whose copy was cancelled too is not scheduled again over another entry", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const fakes = yield* FakeAdapters
      fakes.providers = ["google"]
      const drain = Effect.flatMap(OutboxWorker, (worker) => worker.drain)
      const { id } = yield* book("10:00")
      yield* drain
      yield* events.cancel({ id }, {})
      const entry = { start: instant("10:00"), end: instant("11:00") }
      fakes.onBusy = () => Effect.succeed([entry])
      const again = events.patch({ id }, { status: "scheduled", requireAvailable: true })
      yield* drain
      expect(yield* Effect.flip(again)).toMatchObject({ _tag: "SlotUnavailable", rule: "require_available" })
      fakes.onBusy = () => Effect.succeed([])
      expect((yield* again).status).toBe("scheduled")
    }).pipe(inAccount())
  )

  it.effect("a cancelled event whose cancel is not written yet does not count its own copy", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const fakes = yield* FakeAdapters
      fakes.providers = ["google"]
      const { id } = yield* book("10:00")
      yield* Effect.flatMap(OutboxWorker, (worker) => worker.drain)
      yield* events.cancel({ id }, {})
      fakes.onBusy = () => Effect.succeed([{ start: instant("10:00"), end: instant("11:00") }])
      const again = yield* events.patch({ id }, { status: "scheduled", requireAvailable: true })
      expect(again.status).toBe("scheduled")
    }).pipe(inAccount())
  )

  it.effect("an event that keeps its time, or does not block it, is not refused", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const { id } = yield* events.create(hour("07:00"))
      yield* events.patch({ id }, { title: "Early", requireAvailable: true })
      yield* events.patch({ id }, { status: "cancelled", requireAvailable: true })
      yield* events.patch({ id }, { ...hour("06:00"), requireAvailable: true })
      const revived = events.patch({ id }, { status: "confirmed", requireAvailable: true })
      expect(yield* Effect.flip(revived)).toMatchObject({ _tag: "SlotUnavailable" })
      yield* events.create({ ...hour("05:00"), status: "no_show", requireAvailable: true })
    }).pipe(inAccount())
  )

  it.effect("an event that is longer than a slot names no other times", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const long = { ...hour("09:00"), requireAvailable: true }
      yield* events.create({ ...long, endTime: "2026-06-01T17:00" })
      const again = yield* Effect.flip(events.create({ ...long, endTime: "2026-06-01T12:01" }))
      expect(again).toMatchObject({ _tag: "SlotUnavailable", nearest: [] })
    }).pipe(inAccount())
  )

  it.effect("a team mate cannot use it, because the refusal would show when the owner is busy", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const team = yield* makeTeam()
      const owner = yield* account(mondays, [team.id])
      const mate = yield* account(mondays, [team.id])
      const { id } = yield* events.create({ ...hour("10:00"), teamId: team.id }).pipe(as(owner))
      const move = events.patch({ id }, { ...hour("12:00"), requireAvailable: true })
      expect(yield* Effect.flip(move.pipe(as(mate)))).toMatchObject({ _tag: "NotOwner", action: "require_available" })
      yield* move.pipe(as(owner))
    }).pipe(inAccount())
  )
})

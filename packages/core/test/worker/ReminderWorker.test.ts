import { describe, expect, it } from "@effect/vitest"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters, published, waiting } from "../calendar/services.ts"

const start = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-06-01T10:00:00Z"))
const minute = 60_000

/** The input of a calendar event at 10:00 with a reminder at 09:30. */
const reminded = { ...hour(), customerEmail: "jo@example.com", isReminderEnabled: true }

const make = (fields: object = {}) =>
  Effect.gen(function* () {
    const events = yield* CalendarEvents
    const made = yield* events.create({ ...reminded, ...fields })
    yield* Effect.all([published, waiting])
    return made
  })

const send = Effect.gen(function* () {
  yield* (yield* ReminderWorker).runOnce
  return yield* Effect.all([published, waiting])
})

const nothing = [[], []]
const sent = [["calendar.reminder"], ["mail reminder"]]

describe("ReminderWorker", () => {
  it.effect("a due reminder is published and mailed once (C-6.1-11, D-REM-1)", () =>
    Effect.gen(function* () {
      const event = yield* make()
      yield* TestClock.setTime(start - 30 * minute - 1)
      expect(yield* send).toEqual(nothing)
      yield* TestClock.setTime(start - 30 * minute)
      yield* (yield* ReminderWorker).runOnce
      expect((yield* FakeAdapters).published).toMatchObject([
        { name: "calendar.reminder", subject: `event:${event.id}` }
      ])
      expect(yield* waiting).toEqual(["mail reminder"])
      yield* published
      expect(yield* send).toEqual(nothing)
    }).pipe(inAccount())
  )

  it.effect("a reminder is mailed only if send_notifications was on at creation and the customer has an address", () =>
    Effect.gen(function* () {
      yield* make({ sendNotifications: false })
      yield* make({ customerEmail: "" })
      yield* TestClock.setTime(start - 30 * minute)
      expect(yield* send).toEqual([["calendar.reminder", "calendar.reminder"], []])
    }).pipe(inAccount())
  )

  it.effect("a reminder moves with its calendar event, and is not sent again for a start time that had one", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const { id } = yield* make()
      yield* TestClock.setTime(start - 30 * minute)
      expect(yield* send).toEqual(sent)
      yield* events.patch({ id }, { ...hour("12:00"), sendNotifications: false })
      yield* published
      expect(yield* send).toEqual(nothing)
      yield* TestClock.setTime(start + 90 * minute)
      expect(yield* send).toEqual(sent)
      yield* events.patch({ id }, { ...hour("10:00"), endTime: "2026-06-01T20:00", sendNotifications: false })
      yield* published
      expect(yield* send).toEqual(nothing)
    }).pipe(inAccount())
  )

  it.effect.each<[string, object]>([
    ["is moved by a minute", { startTime: "2026-06-01T10:01" }],
    ["gets an earlier reminder", { remindBeforeMinutes: 60 }],
    ["gets a later reminder", { remindBeforeMinutes: 5 }],
    ["is moved and gets an earlier reminder", { startTime: "2026-06-01T10:30", remindBeforeMinutes: 120 }]
  ])("a calendar event whose reminder was sent and that then %s has no second reminder", ([, change]) =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const { id } = yield* make()
      yield* TestClock.setTime(start - 30 * minute)
      expect(yield* send).toEqual(sent)
      yield* TestClock.setTime(start - 28 * minute)
      yield* events.patch({ id }, { ...change, sendNotifications: false })
      yield* published
      expect(yield* send).toEqual(nothing)
      yield* TestClock.setTime(start + 15 * minute)
      expect(yield* send).toEqual(nothing)
    }).pipe(inAccount())
  )

  it.effect("a reminder that becomes due by a change is sent at once when none was sent before", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const { id } = yield* make()
      yield* TestClock.setTime(start - 50 * minute)
      expect(yield* send).toEqual(nothing)
      yield* events.patch({ id }, { remindBeforeMinutes: 60, sendNotifications: false })
      yield* published
      expect(yield* send).toEqual(sent)
    }).pipe(inAccount())
  )

  it.effect("a reminder is dropped when its calendar event is cancelled, and returns when that is undone", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const { id } = yield* make()
      yield* events.cancel({ id }, {})
      yield* TestClock.setTime(start - 30 * minute)
      yield* Effect.all([published, waiting])
      expect(yield* send).toEqual(nothing)
      yield* events.patch({ id }, { status: "confirmed", sendNotifications: false })
      yield* published
      expect(yield* send).toEqual(sent)
    }).pipe(inAccount())
  )

  it.effect("a late reminder is sent until the calendar event has ended, and not after", () =>
    Effect.gen(function* () {
      yield* make()
      yield* TestClock.setTime(start + 59 * minute)
      expect(yield* send).toEqual(sent)
      yield* make({ endTime: "2026-06-01T10:59:30" })
      yield* TestClock.setTime(start + 60 * minute)
      expect(yield* send).toEqual(nothing)
    }).pipe(inAccount())
  )

  it.effect("a reminder that does not match its calendar event is rescheduled or dropped instead of sent", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const reminders = yield* ReminderStore
      const event = yield* make()
      // Written directly to the store, like another program might do.
      yield* events.update({ ...event, remindBeforeMinutes: 10 })
      yield* reminders.schedule(CalendarEventId.make(99), DateTime.makeUnsafe(start - 60 * minute))
      yield* TestClock.setTime(start - 30 * minute)
      expect(yield* (yield* ReminderWorker).runOnce).toBe(2)
      expect(yield* published).toEqual([])
      const due = yield* reminders.due(DateTime.makeUnsafe(start), 10)
      expect(due).toEqual([{ eventId: event.id, dueAt: DateTime.makeUnsafe(start - 10 * minute) }])
    }).pipe(inAccount())
  )

  it.effect("run continues after a failed read and a failed reminder, and retries both", () =>
    Effect.gen(function* () {
      const fakes = yield* FakeAdapters
      const store = yield* ReminderStore
      const reads = [Effect.die(new Error("a test"))]
      const marks = [Effect.die(new Error("a test"))]
      const faulty = ReminderStore.of({
        ...store,
        due: (...args) => reads.shift() ?? store.due(...args),
        markSent: (...args) => marks.shift() ?? store.markSent(...args)
      })
      const first = yield* make({ remindBeforeMinutes: 40 })
      const second = yield* make()
      yield* TestClock.setTime(start - 30 * minute)
      const loop = yield* Effect.flatMap(ReminderWorker, ({ run }) => Effect.forkChild(run)).pipe(
        Effect.provide(Layer.fresh(ReminderWorker.layer)),
        Effect.provideService(ReminderStore, faulty)
      )
      yield* TestClock.adjust("10 seconds")
      const subjects = () => fakes.published.map(({ subject }) => subject)
      expect(subjects()).toEqual([`event:${second.id}`])
      yield* TestClock.adjust("10 seconds")
      expect(subjects()).toEqual([`event:${second.id}`, `event:${first.id}`])
      yield* Fiber.interrupt(loop)
    }).pipe(inAccount())
  )

  it.effect("reminders that always fail do not block the others, even when they fill several pages", () =>
    Effect.gen(function* () {
      const store = yield* ReminderStore
      const broken = new Set<number>()
      for (let times = 0; times < 120; times++) broken.add((yield* make({ remindBeforeMinutes: 40 })).id)
      const behind = yield* make()
      const faulty = ReminderStore.of({
        ...store,
        markSent: (reminder, startTime) =>
          broken.has(reminder.eventId) ? Effect.die(new Error("a test")) : store.markSent(reminder, startTime)
      })
      yield* TestClock.setTime(start - 30 * minute)
      const once = Effect.flatMap(ReminderWorker, ({ runOnce }) => runOnce).pipe(
        Effect.provide(Layer.fresh(ReminderWorker.layer)),
        Effect.provideService(ReminderStore, faulty)
      )
      expect([yield* once, yield* once]).toEqual([1, 0])
      const subjects = (yield* FakeAdapters).published.map(({ subject }) => subject)
      expect(subjects).toEqual([`event:${behind.id}`])
      expect(yield* store.due(yield* DateTime.now, 1_000)).toHaveLength(broken.size)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"), inAccount())
  )

  it.effect("run sends a reminder at its due time and does not change the calendar event", () =>
    Effect.gen(function* () {
      const { id } = yield* make()
      yield* TestClock.setTime(start - 40 * minute)
      const loop = yield* Effect.forkChild((yield* ReminderWorker).run)
      yield* TestClock.adjust("9 minutes")
      expect(yield* published).toEqual([])
      yield* TestClock.adjust("1 minute")
      expect(yield* published).toEqual(["calendar.reminder"])
      yield* Fiber.interrupt(loop)
      const after = yield* (yield* CalendarEventStore).findAnywhere({ id })
      expect(Option.map(after, ({ sequence }) => sequence)).toEqual(Option.some(0))
    }).pipe(inAccount())
  )
})

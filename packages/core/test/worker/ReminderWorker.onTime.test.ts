import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as ReminderMetrics from "@frontdesk/core/reminder/ReminderMetrics"
import { ReminderWorker } from "@frontdesk/core/worker/ReminderWorker"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { withClockOffset } from "@frontdesk/testing/suite/WallClock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, published } from "../calendar/services.ts"

const at = (time: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(`2026-06-01T${time}Z`))

/** The input of a calendar event at 10:00 with a reminder at 09:30 and without mails. */
const reminded = { ...hour(), isReminderEnabled: true, sendNotifications: false }

const make = Effect.fnUntraced(function* (fields: object = {}) {
  const event = yield* (yield* CalendarEvents).create({ ...reminded, ...fields })
  yield* published
  return event
})

/** Starts the worker at a time that is chosen so that no poll happens when a reminder is due. */
const runFrom = Effect.fnUntraced(function* (time: string) {
  yield* TestClock.setTime(at(time))
  yield* Effect.forkScoped((yield* ReminderWorker).run)
  yield* TestClock.adjust(0)
})

describe("ReminderWorker.run", () => {
  it.effect("a reminder is sent exactly at its due time", () =>
    Effect.gen(function* () {
      yield* make()
      yield* make({ remindBeforeMinutes: 29 })
      yield* runFrom("09:25:03.333")
      yield* TestClock.setTime(at("09:29:59.999"))
      expect(yield* published).toEqual([])
      yield* TestClock.setTime(at("09:30:00.000"))
      expect(yield* published).toEqual(["calendar.reminder"])
      yield* TestClock.setTime(at("09:30:59.999"))
      expect(yield* published).toEqual([])
      yield* TestClock.setTime(at("09:31:00.000"))
      expect(yield* published).toEqual(["calendar.reminder"])
    }).pipe(inAccount())
  )

  it.effect("a reminder that is due at once, or that moves to a time before the next poll, is sent on time", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      yield* runFrom("09:25:53.333")
      yield* events.create({ ...reminded, remindBeforeMinutes: 60 })
      yield* TestClock.adjust(0)
      expect(yield* published).toEqual(["calendar.created", "calendar.reminder"])
      const { id } = yield* make()
      yield* TestClock.adjust("1 second")
      yield* events.patch({ id }, { remindBeforeMinutes: 34, sendNotifications: false })
      yield* published
      yield* TestClock.setTime(at("09:25:59.999"))
      expect(yield* published).toEqual([])
      yield* TestClock.setTime(at("09:26:00.000"))
      expect(yield* published).toEqual(["calendar.reminder"])
    }).pipe(inAccount())
  )

  it.effect("a reminder without a signal is sent at the next poll (D-REM-4)", () =>
    Effect.gen(function* () {
      const event = yield* make()
      yield* runFrom("09:25:53.333")
      // A write of another process raises no signal here.
      yield* (yield* CalendarEventStore).update({ ...event, remindBeforeMinutes: 34 })
      yield* (yield* ReminderStore).schedule(event.id, DateTime.makeUnsafe(at("09:26:00")))
      yield* TestClock.setTime(at("09:26:03.332"))
      expect(yield* published).toEqual([])
      yield* TestClock.setTime(at("09:26:03.333"))
      expect(yield* published).toEqual(["calendar.reminder"])
    }).pipe(inAccount())
  )

  it.effect("a reminder that always fails is tried once in each poll interval, however often others are sent", () =>
    Effect.gen(function* () {
      const store = yield* ReminderStore
      const broken = yield* make({ remindBeforeMinutes: 35 })
      let tries = 0
      const faulty = ReminderStore.of({
        ...store,
        markSent: (reminder, startTime) =>
          Effect.suspend(() => {
            if (reminder.eventId !== broken.id) return store.markSent(reminder, startTime)
            tries += 1
            return Effect.die(new Error("a test"))
          })
      })
      yield* runFrom("09:25:03.333").pipe(
        Effect.provide(Layer.fresh(ReminderWorker.layer)),
        Effect.provideService(ReminderStore, faulty)
      )
      for (let seconds = 1; seconds < 60; seconds++) {
        const startTime = `2026-06-01T10:00:${String(seconds).padStart(2, "0")}`
        yield* make({ startTime, remindBeforeMinutes: 34 })
      }
      yield* TestClock.setTime(at("09:26:00.000"))
      expect(tries).toBe(6)
      yield* TestClock.setTime(at("09:27:00.000"))
      expect(yield* published).toHaveLength(59)
      expect(tries).toBe(12)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"), inAccount())
  )

  it.effect("many due reminders are read fifty at a time, and other fibers run in between", () =>
    Effect.gen(function* () {
      const store = yield* ReminderStore
      yield* Effect.forEach(Array.from({ length: 500 }), () => make(), { discard: true })
      const limits: Array<number> = []
      const watched = ReminderStore.of({
        ...store,
        due: (now, limit, after) => {
          limits.push(limit)
          return store.due(now, limit, after)
        }
      })
      yield* TestClock.setTime(at("09:30:00"))
      let turns = 0
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => void turns++),
            Effect.yieldNow
          )
        )
      )
      const count = yield* Effect.flatMap(ReminderWorker, ({ runOnce }) => runOnce).pipe(
        Effect.provide(Layer.fresh(ReminderWorker.layer)),
        Effect.provideService(ReminderStore, watched)
      )
      expect(count).toBe(500)
      expect(limits).toEqual(Array.from({ length: 11 }, () => 50))
      expect(turns).toBeGreaterThanOrEqual(10)
      expect(yield* published).toHaveLength(500)
    }).pipe(inAccount())
  )

  it.effect("the number and the lag of sent reminders are measured", () =>
    Effect.gen(function* () {
      const { startTime } = yield* make()
      yield* make({ remindBeforeMinutes: 29 })
      yield* TestClock.setTime(at("09:31:00"))
      yield* (yield* ReminderWorker).runOnce
      // Created after the time of its reminder, so the reminder was due at the creation.
      yield* make({ remindBeforeMinutes: 60 })
      yield* TestClock.adjust("1 second")
      yield* (yield* ReminderWorker).runOnce
      expect(DateTime.toEpochMillis(startTime)).toBe(at("10:00:00"))
      expect((yield* Metric.value(ReminderMetrics.sent)).count).toBe(3)
      expect(yield* Metric.value(ReminderMetrics.lag)).toMatchObject({ min: 0, max: 60_000, sum: 61_000 })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()), inAccount())
  )
})

describe("ReminderWorker.run when the wall clock is set", () => {
  it.effect("after the clock is set forward an hour, due reminders are sent at the next poll", () =>
    withClockOffset((set) =>
      Effect.gen(function* () {
        yield* make()
        yield* runFrom("08:55:03.333")
        set(60 * 60_000)
        yield* TestClock.adjust("9999 millis")
        expect(yield* published).toEqual([])
        yield* TestClock.adjust("1 millis")
        expect(yield* published).toEqual(["calendar.reminder"])
      })
    ).pipe(inAccount())
  )

  it.effect("a reminder is not sent before its time when the clock is set back after the reminder was read", () =>
    withClockOffset((set) =>
      Effect.gen(function* () {
        const store = yield* ReminderStore
        const watched = ReminderStore.of({
          ...store,
          due: (now, limit, after) => Effect.tap(store.due(now, limit, after), () => Effect.sync(() => set(-60_000)))
        })
        yield* make()
        yield* TestClock.setTime(at("09:30:00"))
        yield* runFrom("09:30:00").pipe(
          Effect.provide(Layer.fresh(ReminderWorker.layer)),
          Effect.provideService(ReminderStore, watched)
        )
        expect(yield* published).toEqual([])
        yield* TestClock.setTime(at("09:31:00"))
        expect(yield* published).toEqual(["calendar.reminder"])
      })
    ).pipe(inAccount())
  )

  it.effect("after the clock is set back an hour, no reminder is sent early and none twice (D-REM-5)", () =>
    withClockOffset((set) =>
      Effect.gen(function* () {
        yield* make()
        yield* make({ remindBeforeMinutes: 25 })
        yield* runFrom("09:29:03.333")
        yield* TestClock.setTime(at("09:31:00"))
        expect(yield* published).toEqual(["calendar.reminder"])
        set(-60 * 60_000)
        yield* TestClock.setTime(at("10:34:59.999"))
        expect(yield* published).toEqual([])
        yield* TestClock.setTime(at("10:35:00"))
        expect(yield* published).toEqual(["calendar.reminder"])
      })
    ).pipe(inAccount())
  )
})

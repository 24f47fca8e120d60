import type { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { type DueReminder, ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `ReminderStore`. */
export const reminderStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: ReminderStore`, (it) => {
    it.effect("due returns a reminder from the millisecond at which it is due", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId] = yield* makeEvents
        yield* reminders.schedule(eventId, Samples.now)
        expect(yield* dueOf([eventId], Samples.at("2026-03-02T09:00:00.122Z"))).toEqual([])
        expect(yield* dueOf([eventId], Samples.now)).toEqual([{ eventId, dueAt: Samples.now }])
      })
    )

    it.effect("due returns the longest due reminders first, up to the limit", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [a, b, c] = yield* makeEvents
        yield* reminders.schedule(a, Samples.later(2))
        yield* reminders.schedule(b, Samples.later(1))
        yield* reminders.schedule(c, Samples.later(3))
        expect((yield* dueOf([a, b, c], Samples.later(3))).map(({ eventId }) => eventId)).toEqual([b, a, c])
        expect(yield* reminders.due(Samples.later(3), 2)).toHaveLength(2)
      })
    )

    it.effect(
      "due continues after a given reminder, where reminders due at the same time are ordered by calendar event",
      () =>
        Effect.gen(function* () {
          const reminders = yield* ReminderStore
          const [a, b, c] = yield* makeEvents
          yield* reminders.schedule(a, Samples.later(2))
          yield* reminders.schedule(b, Samples.later(1))
          yield* reminders.schedule(c, Samples.later(1))
          const dueAfter = (reminder: DueReminder) =>
            Effect.map(reminders.due(Samples.later(2), 10_000, reminder), (due) =>
              due.map(({ eventId }) => eventId).filter((eventId) => [a, b, c].includes(eventId))
            )
          expect(yield* dueAfter({ eventId: b, dueAt: Samples.later(1) })).toEqual([c, a])
          expect(yield* dueAfter({ eventId: c, dueAt: Samples.later(1) })).toEqual([a])
          expect(yield* dueAfter({ eventId: a, dueAt: Samples.later(2) })).toEqual([])
        })
    )

    it.effect("claim returns the earliest due of the given reminders that still wait, with its present due time", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [a, b, c] = yield* makeEvents
        const given = [a, b, c].map((eventId) => ({ eventId, dueAt: Samples.later(1) }))
        const claim = (minutes: number, from = given) =>
          inTransaction(reminders.claim(Samples.later(minutes), from, false))
        yield* reminders.schedule(a, Samples.later(3))
        yield* reminders.schedule(b, Samples.later(2))
        yield* reminders.schedule(c, Samples.later(2))
        expect(yield* claim(1)).toEqual(Option.none())
        expect(yield* claim(3)).toEqual(Option.some({ eventId: b, dueAt: Samples.later(2) }))
        expect(yield* claim(3, given.slice(0, 1))).toEqual(Option.some({ eventId: a, dueAt: Samples.later(3) }))
        yield* reminders.markSent({ eventId: b, dueAt: Samples.later(2) }, start)
        yield* reminders.drop(c)
        expect(yield* claim(2)).toEqual(Option.none())
        expect(yield* claim(3)).toEqual(Option.some({ eventId: a, dueAt: Samples.later(3) }))
        expect(yield* claim(3, [])).toEqual(Option.none())
      })
    )

    it.effect("concurrent transactions that claim and mark reminders handle each of them once (D-REM-8)", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const events = yield* makeEvents
        const given = events.map((eventId) => ({ eventId, dueAt: Samples.later(1) }))
        for (const { dueAt, eventId } of given) yield* reminders.schedule(eventId, dueAt)
        const once = (waits: boolean) =>
          inTransaction(
            Effect.gen(function* () {
              const claimed = yield* reminders.claim(Samples.later(1), given, waits)
              if (Option.isNone(claimed)) return []
              return (yield* reminders.markSent(claimed.value, start)) ? [claimed.value.eventId] : []
            })
          )
        const claims = Array.from({ length: 4 }, () => [once(false), once(true)]).flat()
        const marked = yield* Effect.all(claims, { concurrency: "unbounded" })
        // A claim that waited may have found a reminder that was sent meanwhile.
        const rest = yield* Effect.forEach(events, () => once(true))
        expect([...marked, ...rest].flat().toSorted((a, b) => a - b)).toEqual([...events].toSorted((a, b) => a - b))
      })
    )

    it.effect("nextDue returns the earliest time after an instant at which an unsent reminder is due", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [a, b] = yield* makeEvents
        const [first, second] = [Samples.at("2150-01-01T00:00:00.001Z"), Samples.at("2150-01-01T00:00:00.002Z")]
        yield* reminders.schedule(b, second)
        expect(yield* reminders.nextDue(first)).toEqual(Option.some(second))
        yield* reminders.schedule(a, first)
        expect(yield* reminders.nextDue(Samples.at("2150-01-01T00:00:00.000Z"))).toEqual(Option.some(first))
        expect(yield* reminders.nextDue(first)).toEqual(Option.some(second))
        expect(yield* reminders.nextDue(second)).toEqual(Option.none())
        yield* reminders.markSent({ eventId: b, dueAt: second }, start)
        expect(yield* reminders.nextDue(first)).toEqual(Option.none())
        yield* reminders.drop(a)
        expect(yield* reminders.nextDue(Samples.at("2150-01-01T00:00:00.000Z"))).toEqual(Option.none())
      })
    )

    it.effect("schedule replaces the due time of the calendar event's reminder", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId] = yield* makeEvents
        yield* reminders.schedule(eventId, Samples.later(1))
        yield* reminders.schedule(eventId, Samples.later(5))
        expect(yield* dueOf([eventId], Samples.later(4))).toEqual([])
        expect(yield* dueOf([eventId], Samples.later(9))).toEqual([{ eventId, dueAt: Samples.later(5) }])
        expect(yield* reminders.markSent({ eventId, dueAt: Samples.later(1) }, start)).toBe(false)
      })
    )

    it.effect("markSent returns true once, and the reminder is not due again at the same time", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId] = yield* makeEvents
        const reminder = { eventId, dueAt: Samples.later(1) }
        yield* reminders.schedule(eventId, reminder.dueAt)
        expect(yield* reminders.markSent(reminder, start)).toBe(true)
        expect(yield* reminders.markSent(reminder, start)).toBe(false)
        yield* reminders.schedule(eventId, reminder.dueAt)
        expect(yield* dueOf([eventId], Samples.later(9))).toEqual([])
      })
    )

    it.effect("exactly one of several concurrent markSent calls returns true", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId] = yield* makeEvents
        yield* reminders.schedule(eventId, Samples.later(1))
        const mark = reminders.markSent({ eventId, dueAt: Samples.later(1) }, start)
        const marked = yield* Effect.all(
          Array.from({ length: 8 }, () => mark),
          { concurrency: "unbounded" }
        )
        expect(marked.filter((maySend) => maySend)).toHaveLength(1)
      })
    )

    it.effect("schedule with another time makes a sent reminder due again", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId] = yield* makeEvents
        yield* reminders.schedule(eventId, Samples.later(1))
        yield* reminders.markSent({ eventId, dueAt: Samples.later(1) }, start)
        yield* reminders.schedule(eventId, Samples.later(2))
        expect(yield* dueOf([eventId], Samples.later(9))).toEqual([{ eventId, dueAt: Samples.later(2) }])
      })
    )

    it.effect("a due time that was marked as sent is never due again, even after drop and other due times", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId] = yield* makeEvents
        yield* reminders.schedule(eventId, Samples.later(1))
        yield* reminders.markSent({ eventId, dueAt: Samples.later(1) }, start)
        yield* reminders.drop(eventId)
        yield* reminders.schedule(eventId, Samples.later(2))
        yield* reminders.schedule(eventId, Samples.later(1))
        expect(yield* dueOf([eventId], Samples.later(9))).toEqual([])
        expect(yield* reminders.markSent({ eventId, dueAt: Samples.later(1) }, start)).toBe(false)
      })
    )

    it.effect("reminded returns the starts for which a reminder of the calendar event was sent, even after drop", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId, other] = yield* makeEvents
        expect(yield* reminders.reminded(eventId)).toEqual([])
        for (const minutes of [1, 2]) {
          yield* reminders.schedule(eventId, Samples.later(minutes))
          yield* reminders.markSent({ eventId, dueAt: Samples.later(minutes) }, Samples.later(60 + minutes))
        }
        yield* reminders.schedule(eventId, Samples.later(3))
        // markSent refuses this one, because the reminder is due at another time now.
        yield* reminders.markSent({ eventId, dueAt: Samples.later(2) }, Samples.later(70))
        yield* reminders.drop(eventId)
        const reminded = (yield* reminders.reminded(eventId)).map((time) => time && DateTime.toEpochMillis(time))
        expect(new Set(reminded)).toEqual(
          new Set([61, 62].map((minutes) => DateTime.toEpochMillis(Samples.later(minutes))))
        )
        expect(yield* reminders.reminded(other)).toEqual([])
      })
    )

    it.effect("a dropped reminder is not due and cannot be marked as sent until it is scheduled again", () =>
      Effect.gen(function* () {
        const reminders = yield* ReminderStore
        const [eventId, other] = yield* makeEvents
        yield* reminders.schedule(eventId, Samples.later(1))
        yield* reminders.schedule(other, Samples.later(1))
        yield* reminders.drop(eventId)
        yield* reminders.drop(eventId)
        expect(yield* dueOf([eventId, other], Samples.later(9))).toEqual([{ eventId: other, dueAt: Samples.later(1) }])
        expect(yield* reminders.markSent({ eventId, dueAt: Samples.later(1) }, start)).toBe(false)
        yield* reminders.schedule(eventId, Samples.later(1))
        expect(yield* dueOf([eventId], Samples.later(9))).toEqual([{ eventId, dueAt: Samples.later(1) }])
      })
    )
  })
}

/** The start that reminders are for, in tests in which it does not matter. */
const start = Samples.later(60)

const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

const makeEvents = Effect.gen(function* () {
  const account = yield* Samples.makeAccount()
  const make = Effect.suspend(() => Effect.map(Samples.makeCalendarEvent(account.id), (event) => event.id))
  const ids: readonly [CalendarEventId, CalendarEventId, CalendarEventId] = [yield* make, yield* make, yield* make]
  return ids
})

const dueOf = (eventIds: ReadonlyArray<CalendarEventId>, when: typeof Samples.now) =>
  Effect.flatMap(ReminderStore, (reminders) =>
    Effect.map(reminders.due(when, 10_000), (due) => due.filter(({ eventId }) => eventIds.includes(eventId)))
  )

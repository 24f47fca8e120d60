import * as arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as ReminderRule from "@frontdesk/core/reminder/ReminderRule"
import { sampleEvent } from "../calendar/samples.ts"

const now = DateTime.makeUnsafe("2026-05-02T00:00:00Z")

describe("ReminderRule", () => {
  const event = sampleEvent({ isReminderEnabled: true, remindBeforeMinutes: 15 })

  it("a reminder is due at start_time - remind_before_minutes (D-REM-1)", () => {
    expect(ReminderRule.dueAt(event, now)).toEqual(Option.some(DateTime.makeUnsafe("2026-06-01T09:45:00Z")))
  })

  it("an event that has begun still has a reminder, and an event that has ended has none (D-REM-2)", () => {
    const end = event.endTime
    expect(Option.isSome(ReminderRule.dueAt(event, DateTime.subtract(end, { milliseconds: 1 })))).toBe(true)
    expect(ReminderRule.dueAt(event, end)).toEqual(Option.none())
  })

  it.each(["cancelled", "completed", "no_show"] as const)("an event with the status %s has no reminder", (status) => {
    expect(ReminderRule.dueAt({ ...event, status }, now)).toEqual(Option.none())
  })

  // The event starts at 10:00, and its reminder is due at 09:45.
  const at = (time: string) => DateTime.makeUnsafe(`2026-06-01T${time}Z`)
  const next = (reminded: ReadonlyArray<string | null>, time: string) =>
    Option.map(
      ReminderRule.next(
        event,
        reminded.map((start) => (start === null ? null : at(start))),
        at(time)
      ),
      (due) => DateTime.formatIso(due).slice(11, 16)
    )
  const due = Option.some("09:45")
  const none = Option.none()

  it.each<[string, ReadonlyArray<string | null>, string, Option.Option<string>]>([
    ["the due time before the due time, when no reminder was sent", [], "09:00", due],
    ["the due time at the due time, when no reminder was sent", [], "09:45", due],
    ["the due time after the due time, when no reminder was sent", [], "09:50", due],
    ["the due time during the event, when no reminder was sent", [], "10:30", due],
    ["none after the event", [], "11:00", none],
    ["none before the due time, when a reminder of this start was sent", ["10:00"], "09:00", none],
    ["none after the due time, when a reminder of this start was sent", ["10:00"], "09:50", none],
    ["the due time before the due time, when a reminder of another start was sent", ["12:00"], "09:00", due],
    ["the due time at the due time, when a reminder of another start was sent", ["12:00"], "09:45", due],
    ["none after the due time, when a reminder of another start was sent", ["09:59"], "09:50", none],
    ["none, when reminders of this and of other starts were sent", ["12:00", "10:00", "13:00"], "09:00", none],
    ["the due time before the due time, when a reminder of an unknown start was sent", [null], "09:00", due],
    ["none after the due time, when a reminder of an unknown start was sent", [null], "09:50", none]
  ])("next returns %s", (_, reminded, time, expected) => {
    expect(next(reminded, time)).toEqual(expected)
  })
})

describe("laws of ReminderRule.next", () => {
  const law = (
    check: (
      event: Parameters<typeof ReminderRule.next>[0],
      reminded: Parameters<typeof ReminderRule.next>[1],
      now: DateTime.Utc
    ) => void
  ) =>
    fc.assert(
      fc.property(
        arbitrary.calendarEvent(),
        fc.array(fc.option(arbitrary.instant()), { maxLength: 3 }),
        fc.integer({ min: -50_000, max: 2_000 }),
        fc.boolean(),
        (event, others, minutes, isReminded) =>
          check(event, isReminded ? [...others, event.startTime] : others, DateTime.add(event.startTime, { minutes }))
      )
    )

  it("next returns the due time of the event or none", () =>
    law((event, reminded, now) => {
      const next = ReminderRule.next(event, reminded, now)
      if (Option.isSome(next)) expect(next).toEqual(ReminderRule.dueAt(event, now))
    }))

  it("next returns nothing for a start with a sent reminder, and no past time after any sent reminder (D-REM-5)", () =>
    law((event, reminded, now) => {
      const next = ReminderRule.next(event, reminded, now)
      if (Option.isNone(next)) return
      expect(reminded.map((start) => start && DateTime.toEpochMillis(start))).not.toContain(
        DateTime.toEpochMillis(event.startTime)
      )
      if (reminded.length > 0) expect(DateTime.isGreaterThanOrEqualTo(next.value, now)).toBe(true)
    }))

  it("next returns the due time of the event when no reminder was sent", () =>
    law((event, _, now) => {
      expect(ReminderRule.next(event, [], now)).toEqual(ReminderRule.dueAt(event, now))
    }))

  it("when next returns none, it also returns none after a further sent reminder", () =>
    law((event, reminded, now) => {
      for (let count = 0; count < reminded.length; count++) {
        if (Option.isNone(ReminderRule.next(event, reminded.slice(0, count), now))) {
          expect(ReminderRule.next(event, reminded, now)).toEqual(Option.none())
        }
      }
    }))
})

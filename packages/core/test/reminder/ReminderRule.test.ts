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

  it("an event that has begun is still reminded of, one that is over is not (D-REM-2)", () => {
    const end = event.endTime
    expect(Option.isSome(ReminderRule.dueAt(event, DateTime.subtract(end, { milliseconds: 1 })))).toBe(true)
    expect(ReminderRule.dueAt(event, end)).toEqual(Option.none())
  })

  it.each(["cancelled", "completed", "no_show"] as const)("an event that is %s is not reminded of", (status) => {
    expect(ReminderRule.dueAt({ ...event, status }, now)).toEqual(Option.none())
  })

  // The event starts at 10:00 and is reminded of at 09:45.
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
    ["the due time is ahead, and none was sent", [], "09:00", due],
    ["the due time is this very instant, and none was sent", [], "09:45", due],
    ["the due time has passed, and none was sent", [], "09:50", due],
    ["the event has begun, and none was sent", [], "10:30", due],
    ["the event has ended", [], "11:00", none],
    ["this start was reminded of, and the due time is ahead", ["10:00"], "09:00", none],
    ["this start was reminded of, and the due time has passed", ["10:00"], "09:50", none],
    ["another start was reminded of, and the due time is ahead", ["12:00"], "09:00", due],
    ["another start was reminded of, and the due time is this very instant", ["12:00"], "09:45", due],
    ["another start was reminded of, and the due time has passed", ["09:59"], "09:50", none],
    ["this start and others were reminded of", ["12:00", "10:00", "13:00"], "09:00", none],
    ["a start that is not known was reminded of, and the due time is ahead", [null], "09:00", due],
    ["a start that is not known was reminded of, and the due time has passed", [null], "09:50", none]
  ])("next, when %s", (_, reminded, time, expected) => {
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

  it("is the due time of the event or none", () =>
    law((event, reminded, now) => {
      const next = ReminderRule.next(event, reminded, now)
      if (Option.isSome(next)) expect(next).toEqual(ReminderRule.dueAt(event, now))
    }))

  it("no start is reminded of twice, and whoever was reminded is never reminded late (D-REM-5)", () =>
    law((event, reminded, now) => {
      const next = ReminderRule.next(event, reminded, now)
      if (Option.isNone(next)) return
      expect(reminded.map((start) => start && DateTime.toEpochMillis(start))).not.toContain(
        DateTime.toEpochMillis(event.startTime)
      )
      if (reminded.length > 0) expect(DateTime.isGreaterThanOrEqualTo(next.value, now)).toBe(true)
    }))

  it("without a reminder sent it is the due time", () =>
    law((event, _, now) => {
      expect(ReminderRule.next(event, [], now)).toEqual(ReminderRule.dueAt(event, now))
    }))

  it("a further reminder that was sent never brings one about", () =>
    law((event, reminded, now) => {
      for (let count = 0; count < reminded.length; count++) {
        if (Option.isNone(ReminderRule.next(event, reminded.slice(0, count), now))) {
          expect(ReminderRule.next(event, reminded, now)).toEqual(Option.none())
        }
      }
    }))
})

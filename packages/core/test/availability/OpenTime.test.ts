import { openTime, type OpeningHours } from "@frontdesk/core/availability/OpenTime"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { formatOffset, TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const zone = (name: string): TimeZone => TimeZone.make(name)
const allDay = [["00:00", "24:00"]] as const
const everyDay = { mon: allDay, tue: allDay, wed: allDay, thu: allDay, fri: allDay, sat: allDay, sun: allDay }

/** Returns the open time in local time: `06-01T09:00-04:00 to 06-01T12:00-04:00`. */
const open = (hours: OpeningHours, startDate: string, endDate = startDate): ReadonlyArray<string> =>
  Result.getOrThrow(openTime(hours, CalendarDate.make(startDate), CalendarDate.make(endDate))).map(
    ({ end, start }) => `${local(start, hours.timeZone)} to ${local(end, hours.timeZone)}`
  )

const local = (instant: number, timeZone: TimeZone): string =>
  formatOffset(instant, timeZone)
    .replace(/^\d{4}-/, "")
    .replace(/:00([+-])/, "$1")

const newYork = zone("America/New_York")

describe("OpenTime.openTime", () => {
  const hours: OpeningHours = {
    timeZone: newYork,
    workingHours: {
      mon: [
        ["13:00", "17:00"],
        ["09:00", "12:00"]
      ],
      wed: [["10:00", "11:00"]]
    }
  }

  it("openTime returns the windows of each weekday in order, and none for a weekday without windows", () => {
    expect(open(hours, "2026-06-01", "2026-06-04")).toEqual([
      "06-01T09:00-04:00 to 06-01T12:00-04:00",
      "06-01T13:00-04:00 to 06-01T17:00-04:00",
      "06-03T10:00-04:00 to 06-03T11:00-04:00"
    ])
    expect(open(hours, "2026-06-02")).toEqual([])
  })

  it("openTime uses the windows of an override instead of the weekday's, only on its date", () => {
    const dateOverrides = { "2026-06-01": [], "2026-06-02": [["08:00", "09:00"]] } as const
    expect(open({ ...hours, dateOverrides }, "2026-06-01", "2026-06-03")).toEqual([
      "06-02T08:00-04:00 to 06-02T09:00-04:00",
      "06-03T10:00-04:00 to 06-03T11:00-04:00"
    ])
    expect(open({ ...hours, dateOverrides }, "2026-06-08")).toHaveLength(2)
  })

  it("openTime merges windows that overlap or touch, also at midnight", () => {
    const workingHours = {
      mon: [
        ["22:00", "24:00"],
        ["20:00", "22:30"]
      ],
      tue: [["00:00", "01:00"]]
    } as const
    expect(open({ timeZone: newYork, workingHours }, "2026-06-01", "2026-06-02")).toEqual([
      "06-01T20:00-04:00 to 06-02T01:00-04:00"
    ])
    expect(open({ timeZone: newYork, workingHours }, "2026-06-02")).toEqual(["06-02T00:00-04:00 to 06-02T01:00-04:00"])
    expect(open({ timeZone: newYork, workingHours }, "2026-06-01")).toEqual(["06-01T20:00-04:00 to 06-02T00:00-04:00"])
  })

  it.each([
    ["one day before a change of offset", "2026-03-07", ["03-07T00:00-05:00 to 03-08T00:00-05:00"]],
    ["on the day of a change of offset", "2026-03-08", ["03-08T00:00-05:00 to 03-09T00:00-04:00"]],
    ["one day after a change of offset", "2026-03-09", ["03-09T00:00-04:00 to 03-10T00:00-04:00"]],
    ["three days after a change of offset", "2026-03-11", ["03-11T00:00-04:00 to 03-12T00:00-04:00"]],
    ["on a day with 25 hours", "2026-11-01", ["11-01T00:00-04:00 to 11-02T00:00-05:00"]]
  ])("a window of the whole day covers the local date %s", (_, date, expected) => {
    expect(open({ timeZone: newYork, workingHours: everyDay }, date)).toEqual(expected)
  })

  it.each([
    ["in a gap moves forward by its length", "2026-03-08", "02:30", "04:00", "03-08T03:30-04:00 to 03-08T04:00-04:00"],
    [
      "in a repeated hour is the first instant",
      "2026-11-01",
      "01:30",
      "03:00",
      "11-01T01:30-04:00 to 11-01T03:00-05:00"
    ]
  ])("the start of a window %s", (_, date, start, end, expected) => {
    expect(open({ timeZone: newYork, workingHours: { sun: [[start, end]] } }, date)).toEqual([expected])
  })

  it("a window whose end a gap moves past midnight is open on both dates", () => {
    // In the night to 1919-03-31 the clocks of Toronto went from 23:30 to 00:30.
    const hours: OpeningHours = { timeZone: zone("America/Toronto"), workingHours: { sun: [["22:00", "23:45"]] } }
    expect(open(hours, "1919-03-30")).toEqual(["03-30T22:00-05:00 to 03-31T00:30-04:00"])
    expect(open(hours, "1919-03-31")).toEqual(["03-31T00:30-04:00 to 03-31T00:45-04:00"])
    expect(open(hours, "1919-03-30", "1919-03-31")).toEqual(["03-30T22:00-05:00 to 03-31T00:45-04:00"])
  })

  it("a date that the zone has skipped has no open time, and the dates around it do", () => {
    const hours = { timeZone: zone("Pacific/Apia"), workingHours: everyDay }
    expect(open(hours, "2011-12-30")).toEqual([])
    expect(open(hours, "2011-12-29")).toEqual(["12-29T00:00-10:00 to 12-31T00:00+14:00"])
    expect(open(hours, "2011-12-31")).toEqual(["12-31T00:00+14:00 to 01-01T00:00+14:00"])
    expect(open({ ...hours, workingHours: { fri: [["09:00", "12:00"]] } }, "2011-12-29", "2011-12-31")).toEqual([])
  })

  it.each([
    ["a weekday", { workingHours: { sun: [["17:00", "09:00"]] } }],
    ["an override within the range", { dateOverrides: { "2026-06-01": [["09:00", "09:00"]] } }],
    ["an override of the day before the range", { dateOverrides: { "2026-05-31": [["09:00", "9:30"]] } }]
  ] as const)("an invalid window of %s fails with InvalidWindow", (_, changes) => {
    const result = openTime({ ...hours, ...changes }, CalendarDate.make("2026-06-01"), CalendarDate.make("2026-06-01"))
    expect(Result.getOrThrow(Result.flip(result))._tag).toBe("InvalidWindow")
  })

  it("an override on a date that does not exist has no effect on the date after it", () => {
    const given = { timeZone: newYork, workingHours: everyDay, dateOverrides: { "2026-02-30": [] } }
    expect(open(given, "2026-03-02")).toHaveLength(1)
  })

  it.each(["2026-05-30", "2026-06-02", "not a date"])(
    "an invalid window is ignored in an override outside the range and the day before it: %s",
    (date) => {
      const dateOverrides = { [date]: [["12:00", "09:00"] as const] }
      expect(open({ ...hours, dateOverrides }, "2026-06-01")).toHaveLength(2)
    }
  )
})

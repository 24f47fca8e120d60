import { describe, expect, it } from "vitest"
import { datesOf, firstDayIn, rangeName } from "../pages/calendar/calendarDays.ts"
import { isWeekOver } from "../pages/calendar/openDays.ts"

describe("firstDayIn", () => {
  it.each([
    ["de-DE", 1],
    ["en-US", 7],
    ["ar-EG", 6],
    ["en-US-u-fw-mon", 1]
  ])("is for %s the day %i", (locale, day) => {
    expect(firstDayIn(locale)).toBe(day)
  })
})

describe("datesOf", () => {
  it.each([
    [1, "2026-11-23", "2026-11-29"],
    [6, "2026-11-21", "2026-11-27"],
    [7, "2026-11-22", "2026-11-28"]
  ])("has the seven dates of the week around a Friday that begins on the day %i", (firstDay, first, last) => {
    const dates = datesOf("week", "2026-11-27", firstDay)
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([7, first, last])
  })

  it.each([
    [1, "2026-10-26", 42],
    [7, "2026-11-01", 35]
  ])("has whole weeks around a month when they begin on the day %i", (firstDay, first, count) => {
    const dates = datesOf("month", "2026-11-15", firstDay)
    expect([dates[0], dates.length]).toEqual([first, count])
    expect(dates).toContain("2026-11-30")
  })
})

it("rangeName names the first and the last date of a week", () => {
  const name = rangeName("week", "2026-11-27", datesOf("week", "2026-11-27", 7))
  expect(name).toContain("22")
  expect(name).toContain("28")
})

describe("isWeekOver", () => {
  const hours = { mon: [["09:00", "17:00"]], fri: [["09:00", "17:00"]] } as const

  it.each([
    ["2026-11-27", 1, {}, false],
    ["2026-11-28", 1, {}, true],
    ["2026-11-28", 7, {}, true],
    // A week that begins on Sunday has a Monday after it.
    ["2026-11-29", 7, {}, false],
    ["2026-11-29", 1, {}, true],
    // The only working day that is left is closed on this date.
    ["2026-11-27", 1, { "2026-11-27": [] }, true],
    ["2026-11-28", 1, { "2026-11-29": [["10:00", "12:00"]] }, false]
  ] as const)("is, on %s in weeks from the day %i with the dates %o, %s", (today, firstDay, overrides, isOver) => {
    expect(isWeekOver({ working_hours: hours, date_overrides: overrides }, today, firstDay)).toBe(isOver)
  })

  it("is false for an account that has no working hours", () => {
    expect(isWeekOver({ working_hours: {}, date_overrides: {} }, "2026-11-28", 1)).toBe(false)
  })
})

import { describe, expect, it } from "vitest"
import { datesOf, firstDayIn, rangeName } from "../pages/calendar/calendarDays.ts"

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
  expect(rangeName("week", "2026-11-27", 7)).toContain("22")
  expect(rangeName("week", "2026-11-27", 7)).toContain("28")
})

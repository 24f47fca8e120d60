import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as CalendarDate from "@frontdesk/core/values/CalendarDate"

const date = (text: string): CalendarDate.CalendarDate => CalendarDate.CalendarDate.make(text)
const accepts = Schema.is(CalendarDate.CalendarDate)
const anyDay = fc.integer({ min: -719_528, max: 2_932_896 })

describe("CalendarDate", () => {
  it.each(["2026-03-08", "2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"])("%s is a date", (text) => {
    expect(accepts(text)).toBe(true)
  })

  it.each([
    "2026-02-29",
    "1900-02-29",
    "2024-02-30",
    "2026-04-31",
    "2026-06-31",
    "2026-09-31",
    "2026-11-31",
    "2026-01-32",
    "2026-00-10",
    "2026-13-01",
    "2026-01-00",
    "2026-1-1",
    "20260101"
  ])("%s is not a date", (text) => {
    expect(accepts(text)).toBe(false)
  })

  it.each(["2026-03-08T00:00", " 2026-03-08", "2026-03-08\n", "+2026-03-08", "", "today"])(
    "%j is not a date",
    (text) => {
      expect(accepts(text)).toBe(false)
    }
  )

  it("toDayNumber counts days from 1970-01-01", () => {
    expect(CalendarDate.toDayNumber(date("1970-01-01"))).toBe(0)
    expect(CalendarDate.toDayNumber(date("1969-12-31"))).toBe(-1)
    expect(CalendarDate.toDayNumber(date("2026-03-08"))).toBe(20_520)
  })

  it("addDays crosses the ends of months and years, and counts leap days", () => {
    expect(CalendarDate.addDays(date("2026-12-31"), 1)).toBe("2027-01-01")
    expect(CalendarDate.addDays(date("2024-02-28"), 1)).toBe("2024-02-29")
    expect(CalendarDate.addDays(date("2026-03-01"), -1)).toBe("2026-02-28")
  })

  it("addDays takes the last year of a century for a leap year only every 400 years", () => {
    expect(CalendarDate.addDays(date("2000-03-01"), -1)).toBe("2000-02-29")
    expect(CalendarDate.addDays(date("2100-03-01"), -1)).toBe("2100-02-28")
    expect(CalendarDate.addDays(date("1900-03-01"), -1)).toBe("1900-02-28")
  })

  it("compare returns -1 for an earlier, 1 for a later and 0 for the same date", () => {
    const [earlier, later] = [date("2026-03-08"), date("2026-03-09")]
    expect(CalendarDate.compare(earlier, later)).toBe(-1)
    expect(CalendarDate.compare(later, earlier)).toBe(1)
    expect(CalendarDate.compare(later, later)).toBe(0)
  })

  it("addDays stays within the years 0000 to 9999", () => {
    expect(CalendarDate.addDays(date("9999-12-31"), 1)).toBe("9999-12-31")
    expect(CalendarDate.addDays(date("0000-01-01"), -1)).toBe("0000-01-01")
  })

  it("dayOfWeek counts from 1 for Monday to 7 for Sunday", () => {
    expect(CalendarDate.dayOfWeek(date("2026-06-01"))).toBe(1)
    expect(CalendarDate.dayOfWeek(date("2026-06-07"))).toBe(7)
    expect(CalendarDate.dayOfWeek(date("1969-12-28"))).toBe(7)
  })

  it("fromDayNumber and toDayNumber are inverse, and agree with Date", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const found = CalendarDate.fromDayNumber(day)
        const expected = new Date(day * 86_400_000)
        expect(found).toBe(expected.toISOString().slice(0, 10))
        expect(CalendarDate.toDayNumber(found)).toBe(day)
        expect(CalendarDate.dayOfWeek(found) % 7).toBe(expected.getUTCDay())
      }),
      { numRuns: 1_000 }
    )
  })

  it.each([0.5, Number.NaN])("fromDayNumber throws a RangeError for %s", (dayNumber) => {
    expect(() => CalendarDate.fromDayNumber(dayNumber)).toThrow(RangeError)
  })

  it("compare, daysBetween and addDays agree with the order of day numbers", () => {
    fc.assert(
      fc.property(anyDay, anyDay, (a, b) => {
        const [from, to] = [CalendarDate.fromDayNumber(a), CalendarDate.fromDayNumber(b)]
        const days = CalendarDate.daysBetween(from, to)
        expect(CalendarDate.addDays(from, days)).toBe(to)
        expect(Math.sign(CalendarDate.compare(from, to))).toBe(Math.sign(a - b))
      })
    )
  })
})

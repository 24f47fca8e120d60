import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CalendarDate, dayMillis, fromDayNumber } from "@frontdesk/core/values/CalendarDate"
import {
  dateAt,
  formatOffset,
  offsetAt,
  startOfDate,
  startOfDay,
  TimeZone,
  toInstant,
  toWall,
  utc
} from "@frontdesk/core/values/TimeZone"

const newYork = TimeZone.make("America/New_York")
const zone = (name: string): TimeZone => TimeZone.make(name)
const at = (text: string): number => Date.parse(text)
/** Returns the wall time of a text: the epoch milliseconds at which a clock in UTC shows it. */
const wall = (text: string): number => Date.parse(`${text}Z`)
const iso = (instant: number): string => new Date(instant).toISOString().replace(".000Z", "Z")

describe("TimeZone", () => {
  const decode = Schema.decodeUnknownOption(TimeZone)

  it.each([
    ["America/New_York", "America/New_York"],
    ["america/new_york", "America/New_York"],
    ["utc", "UTC"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["Europe/Kyiv", "Europe/Kyiv"],
    ["Etc/GMT+5", "Etc/GMT+5"],
    ["EST5EDT", "EST5EDT"]
  ])("%s decodes to %s", (text, name) => {
    expect(decode(text)).toMatchObject({ _tag: "Some", value: name })
  })

  it.each(["", "Mars/Olympus", "+05:00", "-04", "GMT+5", "New York", "America/New_York ", "Z", 5, null])(
    "%j is not a time zone",
    (input) => {
      expect(decode(input)).toMatchObject({ _tag: "None" })
    }
  )
})

describe("TimeZone.offsetAt", () => {
  it.each([
    ["America/New_York", "2026-03-08T06:59:59.999Z", -300],
    ["America/New_York", "2026-03-08T07:00:00Z", -240],
    ["America/New_York", "2026-11-01T05:59:59.999Z", -240],
    ["America/New_York", "2026-11-01T06:00:00Z", -300],
    ["Australia/Lord_Howe", "2026-10-03T15:30:00Z", 660],
    ["Asia/Kathmandu", "2026-01-01T00:00:00Z", 345],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", -600],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", 840],
    ["UTC", "1969-12-31T23:59:59Z", 0]
  ])("%s at %s is %i minutes from UTC", (name, instant, minutes) => {
    expect(offsetAt(at(instant), zone(name))).toBe(minutes * 60_000)
  })

  it("the offset of local mean time has seconds", () => {
    expect(offsetAt(at("1880-01-01T00:00:00Z"), newYork)).toBe(-(4 * 3_600 + 56 * 60 + 2) * 1_000)
  })

  it("two changes of offset within one week, the closest known, are both found", () => {
    const recife = zone("America/Recife")
    const offsets = ["2000-10-08T02:59Z", "2000-10-08T03:00Z", "2000-10-15T03:00Z"].map((text) =>
      offsetAt(at(text), recife)
    )
    expect(offsets).toEqual([-10_800_000, -7_200_000, -10_800_000])
  })
})

describe("TimeZone.toInstant", () => {
  it.each([
    ["in a gap moves forward by its length", "America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00Z"],
    ["at the start of a gap is the change", "America/New_York", "2026-03-08T02:00", "2026-03-08T07:00:00Z"],
    ["at the end of a gap is the change", "America/New_York", "2026-03-08T03:00", "2026-03-08T07:00:00Z"],
    ["in a repeated hour is the first instant", "America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00Z"],
    ["after a repeated hour has the new offset", "America/New_York", "2026-11-01T02:00", "2026-11-01T07:00:00Z"],
    ["in a gap of half an hour moves forward", "Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45:00Z"],
    ["in a gap of two hours moves forward", "Antarctica/Troll", "2026-03-29T01:30", "2026-03-29T01:30:00Z"],
    ["in a gap of a day moves forward", "Pacific/Apia", "2011-12-30T09:00", "2011-12-30T19:00:00Z"]
  ])("a wall time %s", (_, name, text, instant) => {
    expect(iso(toInstant(wall(text), zone(name)))).toBe(instant)
  })

  it("toInstant returns the first instant with the wall time of any instant", () => {
    fc.assert(
      fc.property(zonedInstant, ([zone, instant]) => {
        const first = toInstant(toWall(instant, zone), zone)
        expect(first).toBeLessThanOrEqual(instant)
        expect(toWall(first, zone)).toBe(toWall(instant, zone))
      }),
      { numRuns: 500 }
    )
  })

  it("toInstant moves only wall times in a gap, by the length of the gap", () => {
    fc.assert(
      fc.property(zonedInstant, ([zone, text]) => {
        const instant = toInstant(text, zone)
        const gap = toWall(instant, zone) - text
        expect(gap).toBeGreaterThanOrEqual(0)
        if (gap > 0) expect(offsetAt(instant, zone) - offsetAt(instant - gap, zone)).toBe(gap)
      }),
      { numRuns: 500 }
    )
  })
})

describe("TimeZone.startOfDate and startOfDay", () => {
  it.each([
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00Z"],
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"],
    ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"],
    ["America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z"],
    ["America/St_Johns", "2006-10-29", "2006-10-29T02:30:00Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"],
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"],
    ["America/Toronto", "1919-03-31", "1919-03-31T04:30:00Z"]
  ])("in %s, %s starts at %s", (name, date, instant) => {
    expect(iso(startOfDate(CalendarDate.make(date), zone(name)))).toBe(instant)
  })

  it("startOfDay returns the first instant with its local date", () => {
    fc.assert(
      fc.property(zonedInstant, ([zone, instant]) => {
        const day = Math.floor(toWall(instant, zone) / dayMillis)
        const start = startOfDay(day, zone)
        expect(dateAt(instant, zone)).toBe(fromDayNumber(day))
        expect(dateAt(start, zone)).toBe(fromDayNumber(day))
        expect(dateAt(start - 1, zone) < fromDayNumber(day)).toBe(true)
      }),
      { numRuns: 500 }
    )
  })
})

describe("TimeZone.formatOffset", () => {
  it.each([
    ["America/New_York", "2026-03-08T13:00:00Z", "2026-03-08T09:00:00-04:00"],
    ["America/New_York", "2026-11-01T06:30:00Z", "2026-11-01T01:30:00-05:00"],
    ["Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01T05:45:00+05:45"],
    ["America/St_Johns", "2026-01-01T00:00:00Z", "2025-12-31T20:30:00-03:30"],
    ["UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00"],
    ["Europe/London", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00"],
    ["UTC", "2026-01-01T12:34:56.007Z", "2026-01-01T12:34:56.007+00:00"],
    ["UTC", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999+00:00"],
    ["America/New_York", "1880-01-01T00:00:00Z", "1879-12-31T19:04:00-04:56"]
  ])("formatOffset in %s writes %s as %s", (name, instant, text) => {
    expect(formatOffset(at(instant), zone(name))).toBe(text)
  })

  it("Date.parse reads the text of formatOffset as the same instant", () => {
    fc.assert(
      fc.property(zonedInstant, ([zone, instant]) => {
        expect(Date.parse(formatOffset(instant, zone))).toBe(instant)
        expect(formatOffset(instant, utc).endsWith("+00:00")).toBe(true)
      })
    )
  })
})

/** A zone and an instant, in most cases near a change of the zone's offset. */
const zonedInstant = arbitrary.timeZone().chain((zone) =>
  fc
    .tuple(
      arbitrary.date({ zone }),
      fc.oneof(
        fc.integer({ min: 0, max: 47 }).map((half) => half * 1_800_000),
        fc.nat({ max: dayMillis })
      )
    )
    .map(([date, time]) => [zone, startOfDate(date, zone) + time] as const)
)

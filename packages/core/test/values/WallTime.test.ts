import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatOffset, TimeZone, utc } from "@frontdesk/core/values/TimeZone"
import { parse } from "@frontdesk/core/values/WallTime"

const newYork = TimeZone.make("America/New_York")

describe("WallTime.parse (D-HTTP-13)", () => {
  it.each([
    ["2026-06-01T09:00", "2026-06-01T13:00:00.000Z"],
    ["2026-06-01T09:00:30", "2026-06-01T13:00:30.000Z"],
    ["2026-06-01T09:00:30.5", "2026-06-01T13:00:30.500Z"],
    ["2026-06-01T09:00:30.123999", "2026-06-01T13:00:30.123Z"],
    ["2026-06-01T09:00Z", "2026-06-01T09:00:00.000Z"],
    ["2026-06-01T09:00:00.000Z", "2026-06-01T09:00:00.000Z"],
    ["2026-06-01T09:00+05:45", "2026-06-01T03:15:00.000Z"],
    ["2026-06-01T09:00:00-04:00", "2026-06-01T13:00:00.000Z"],
    ["2026-06-01T09:00:00-00:00", "2026-06-01T09:00:00.000Z"],
    ["2026-06-01T09:00+23:59", "2026-05-31T09:01:00.000Z"],
    ["2024-02-29T00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2026-03-08T02:30", "2026-03-08T07:30:00.000Z"],
    ["2026-11-01T01:30", "2026-11-01T05:30:00.000Z"],
    ["0000-01-01T00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ])("%s in New York is %s", (text, instant) => {
    expect(new Date(Result.getOrThrow(parse(text, newYork))).toISOString()).toBe(instant)
  })

  it.each([
    ["a date without time", "2026-06-01"],
    ["a date that does not exist", "2026-02-29T09:00"],
    ["a month that does not exist", "2026-13-01T09:00"],
    ["24:00", "2026-06-01T24:00"],
    ["25 hours", "2026-06-01T25:00:00Z"],
    ["60 minutes", "2026-06-01T09:60"],
    ["a leap second", "2026-06-30T23:59:60Z"],
    ["a space for the T", "2026-06-01 09:00"],
    ["lower-case letters", "2026-06-01t09:00z"],
    ["an hour without minutes", "2026-06-01T09"],
    ["a fraction of a minute", "2026-06-01T09:00.5"],
    ["a comma", "2026-06-01T09:00:00,5"],
    ["a fraction without digits", "2026-06-01T09:00:00.Z"],
    ["an offset without colon", "2026-06-01T09:00+0545"],
    ["an offset of 24 hours", "2026-06-01T09:00+24:00"],
    ["an offset of 60 minutes", "2026-06-01T09:00+05:60"],
    ["a zone in brackets", "2026-06-01T09:00[America/New_York]"],
    ["a year of five digits", "12026-06-01T09:00"],
    ["an instant before the year 0", "0000-01-01T00:00+00:01"],
    ["an instant after the year 9999", "9999-12-31T23:59-00:01"],
    ["a space before the date", " 2026-06-01T09:00"],
    ["a line break after the time", "2026-06-01T09:00\n"],
    ["an empty text", ""]
  ])("%s fails with InvalidDateTime", (_, text) => {
    expect(Result.getOrThrow(Result.flip(parse(text, newYork)))).toMatchObject({ _tag: "InvalidDateTime", text })
  })

  it("parse reads the text of formatOffset as the same instant, in every zone", () => {
    const written = fc.tuple(arbitrary.timeZone(), arbitrary.timeZone(), fc.integer({ min: -3e12, max: 4e12 }))
    fc.assert(
      fc.property(written, ([zone, other, instant]) => {
        expect(Result.getOrThrow(parse(formatOffset(instant, zone), other))).toBe(instant)
      })
    )
  })

  it("parse uses the given zone only for a text without offset", () => {
    fc.assert(
      fc.property(arbitrary.timeZone(), fc.integer({ min: 0, max: 2e12 }), (zone, instant) => {
        const text = new Date(instant).toISOString()
        expect(Result.getOrThrow(parse(text, zone))).toBe(instant)
        expect(parse(text.slice(0, -1), utc)).toEqual(parse(text, zone))
      })
    )
  })
})

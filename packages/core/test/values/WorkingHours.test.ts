import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DateOverrides, defaultHours, minuteOf, Window, WorkingHours } from "@frontdesk/core/values/WorkingHours"

describe("WorkingHours", () => {
  const decode = Schema.decodeUnknownResult(WorkingHours)

  it("working hours of a provisioning document decode unchanged", () => {
    const hours = {
      mon: [["09:00", "17:00"]],
      tue: [
        ["09:00", "12:00"],
        ["13:00", "24:00"]
      ],
      wed: []
    }
    expect(Result.getOrThrow(decode(hours))).toEqual(hours)
  })

  it("the default working hours are Monday to Friday 09:00 to 17:00", () => {
    expect(Object.keys(defaultHours)).toEqual(["mon", "tue", "wed", "thu", "fri"])
    expect(Object.values(defaultHours).flat()).toEqual(Array.from({ length: 5 }, () => ["09:00", "17:00"]))
  })

  it("the windows of a day can overlap", () => {
    expect(
      Result.isSuccess(
        decode({
          mon: [
            ["09:00", "12:00"],
            ["10:00", "11:00"]
          ]
        })
      )
    ).toBe(true)
  })

  it.each([
    ["an end before its start", ["17:00", "09:00"]],
    ["its end at its start", ["09:00", "09:00"]],
    ["a start at 24:00", ["24:00", "24:00"]],
    ["an end after 24:00", ["09:00", "24:01"]],
    ["an hour of one digit", ["9:00", "17:00"]],
    ["60 minutes", ["09:60", "17:00"]],
    ["seconds", ["09:00:00", "17:00"]],
    ["seconds in its end", ["09:00", "17:00:00"]],
    ["a text before its start", ["at 09:00", "17:00"]],
    ["a text before its end", ["09:00", "at 17:00"]],
    ["a text after 24:00", ["09:00", "24:00h"]],
    ["no end", ["09:00"]],
    ["a third time", ["09:00", "10:00", "11:00"]],
    ["minutes as numbers", [540, 1_020]],
    ["both times in one text", "09:00-17:00"]
  ])("a window with %s is rejected", (_, window) => {
    expect(Result.isFailure(decode({ mon: [window] }))).toBe(true)
    expect(Result.isFailure(Schema.decodeUnknownResult(DateOverrides)({ "2026-12-25": [window] }))).toBe(true)
  })

  it("every generated window decodes unchanged and starts before it ends", () => {
    fc.assert(
      fc.property(arbitrary.window(), (window) => {
        expect(Schema.decodeUnknownSync(Window)(window)).toEqual(window)
        expect(minuteOf(window[0])).toBeLessThan(minuteOf(window[1]))
      })
    )
  })
})

describe("minuteOf", () => {
  const form = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

  const expected = (text: string): number => {
    const match = form.exec(text)
    return match === null ? Number.NaN : match[1] === undefined ? 1_440 : Number(match[1]) * 60 + Number(match[2])
  }

  it("minuteOf returns the minutes of every pair of two-digit numbers that is a wall time, and NaN for others", () => {
    const digits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))
    const times = digits.flatMap((hours) => digits.map((minutes) => `${hours}:${minutes}`))
    expect(times.map(minuteOf)).toEqual(times.map(expected))
    expect(times.filter((time) => !Number.isNaN(minuteOf(time)))).toHaveLength(1_441)
  })

  it("minuteOf returns NaN for a wall time with one other character", () => {
    const changed = fc.tuple(arbitrary.window(), fc.nat(5), fc.constantFrom("", "/", ":", ";", "-", " ", "0", "9", "٣"))
    fc.assert(
      fc.property(changed, ([[time], index, character]) => {
        const text = time.slice(0, index) + character + time.slice(index + 1)
        expect([text, minuteOf(text)]).toEqual([text, expected(text)])
      }),
      { numRuns: 1_000 }
    )
  })
})

describe("DateOverrides", () => {
  const decode = Schema.decodeUnknownResult(DateOverrides)

  it("overrides with windows, and with an empty list, decode unchanged", () => {
    const overrides = { "2026-12-24": [["09:00", "12:00"]], "2026-12-25": [] }
    expect(Result.getOrThrow(decode(overrides))).toEqual(overrides)
  })

  it.each(["2026-02-29", "2026-1-1", "christmas", "2026-12-25T00:00"])("the key %s is rejected", (key) => {
    expect(Result.isFailure(decode({ [key]: [] }))).toBe(true)
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as SettingCodecs from "frontdesk/settings/SettingCodecs"

/** Generates a time span and a text for it. */
const written = fc
  .record({
    amount: fc.integer({ min: 1, max: 100_000 }),
    unit: fc.constantFrom(
      { millis: 1, names: ["ms", "milli", "millis", "millisecond", "milliseconds"] },
      { millis: 1_000, names: ["s", "second", "seconds"] },
      { millis: 60_000, names: ["m", "minute", "minutes"] },
      { millis: 3_600_000, names: ["h", "hour", "hours"] },
      { millis: 86_400_000, names: ["d", "day", "days"] }
    ),
    name: fc.nat(),
    space: fc.constantFrom("", " ", "  ")
  })
  .map(({ amount, name, space, unit }) => ({
    span: Duration.millis(amount * unit.millis),
    text: `${amount}${space}${unit.names[name % unit.names.length]}`
  }))

describe("duration", () => {
  it("reads a time span from every name of its unit, with and without spaces", () => {
    fc.assert(
      fc.property(written, ({ span, text }) => {
        expect(SettingCodecs.duration(text)).toEqual(Result.succeed(span))
      })
    )
  })

  it("reads the time spans of a list, regardless of spaces around the commas", () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1 }), fc.constantFrom(",", ", ", " ,  "), (spans, comma) => {
        expect(SettingCodecs.list(SettingCodecs.duration)(spans.map(({ text }) => text).join(comma))).toEqual(
          Result.succeed(spans.map(({ span }) => span))
        )
      })
    )
  })

  it.each(["", "10", "seconds", "-1 second", "0 s", "1e3 s", "1 fortnight", "1 s 2", "Infinity"])(
    "rejects %j",
    (text) => {
      expect(Result.isFailure(SettingCodecs.duration(text))).toBe(true)
    }
  )
})

describe("baseUrl", () => {
  it.each([
    ["https://a.example", "https://a.example"],
    ["http://localhost:4318/", "http://localhost:4318"],
    ["https://a.example/x//", "https://a.example/x"]
  ])("reads %s as %s", (text, expected) => {
    expect(SettingCodecs.baseUrl(text)).toEqual(Result.succeed(expected))
  })

  it.each(["a.example", "ftp://a.example", "https://", "https://a?b", "https://a#b", "https://u:p@a"])(
    "rejects %s",
    (text) => {
      expect(Result.isFailure(SettingCodecs.baseUrl(text))).toBe(true)
    }
  )
})

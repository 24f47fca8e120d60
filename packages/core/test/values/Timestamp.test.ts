import { describe, expect, it } from "@effect/vitest"
import { after, before, Instant, Timestamp } from "@frontdesk/core/values/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(Timestamp)

describe("Timestamp", () => {
  it("an instant is written in UTC with milliseconds and read again as the same instant (C-0-3, D-HTTP-14)", () => {
    const instant = DateTime.makeUnsafe("2026-03-08T09:00:00-04:00")
    const text = Schema.encodeSync(Timestamp)(DateTime.toUtc(instant))
    expect(text).toBe("2026-03-08T13:00:00.000Z")
    expect(Result.map(decode(text), DateTime.toEpochMillis)).toEqual(Result.succeed(DateTime.toEpochMillis(instant)))
  })

  it.each(["", "yesterday", "2026-13-01T00:00:00.000Z", "+999999-01-01T00:00:00.000Z", 5, null])(
    "decoding %s fails and does not throw",
    (text) => {
      expect(Result.isFailure(decode(text))).toBe(true)
    }
  )

  it.each([
    ["0000-01-01T00:00:00.000Z", 0, true],
    ["0000-01-01T00:00:00.000Z", -1, false],
    ["9999-12-31T23:59:59.999Z", 0, true],
    ["9999-12-31T23:59:59.999Z", 1, false],
    ["2026-03-08T13:00:00.000Z", 0.5, false]
  ])("Instant accepts %s plus %d ms: %s", (text, millis, expected) => {
    const at = Date.parse(text) + millis
    // Set directly, because `DateTime` would round a part of a millisecond or reject the instant.
    const instant = Object.assign(DateTime.makeUnsafe(0), { epochMilliseconds: at })
    expect(Schema.is(Instant)(instant)).toBe(expected)
  })

  it.each([
    [0, 1_000],
    [0.1, 1_001],
    [1, 1_001],
    [1_160_508.07, 1_161_509]
  ])("the instant %d ms after another is rounded up to a whole millisecond", (millis, expected) => {
    expect(DateTime.toEpochMillis(after(DateTime.makeUnsafe(1_000), Duration.millis(millis)))).toBe(expected)
  })

  it.each([Duration.days(999_999_999_999), Duration.infinity, Duration.days(36_500_000)])(
    "after and before stay within the years 0000 to 9999 for a duration of %s",
    (duration) => {
      const now = DateTime.makeUnsafe("2026-03-08T13:00:00.000Z")
      expect(DateTime.formatIso(after(now, duration))).toBe("9999-12-31T23:59:59.999Z")
      expect(DateTime.formatIso(before(now, duration))).toBe("0000-01-01T00:00:00.000Z")
    }
  )

  it("the instant before another is rounded down to a whole millisecond", () => {
    expect(DateTime.toEpochMillis(before(DateTime.makeUnsafe(1_000), Duration.millis(0.1)))).toBe(999)
  })
})

import { describe, expect, it } from "@effect/vitest"
import { after, Timestamp } from "@frontdesk/core/values/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(Timestamp)

describe("Timestamp", () => {
  it("is written in UTC with milliseconds and read back as the same instant (Decisions 2, Times)", () => {
    const instant = DateTime.makeUnsafe("2026-03-08T09:00:00-04:00")
    const text = Schema.encodeSync(Timestamp)(DateTime.toUtc(instant))
    expect(text).toBe("2026-03-08T13:00:00.000Z")
    expect(Result.map(decode(text), DateTime.toEpochMillis)).toEqual(Result.succeed(DateTime.toEpochMillis(instant)))
  })

  it.each(["", "yesterday", "2026-13-01T00:00:00.000Z", "+999999-01-01T00:00:00.000Z", 5, null])(
    "%s is refused and nothing is thrown",
    (text) => {
      expect(Result.isFailure(decode(text))).toBe(true)
    }
  )

  it.each([
    [0, 1_000],
    [0.1, 1_001],
    [1, 1_001],
    [1_160_508.07, 1_161_509]
  ])("the instant %d ms after another is a whole millisecond and never early", (millis, expected) => {
    expect(DateTime.toEpochMillis(after(DateTime.makeUnsafe(1_000), Duration.millis(millis)))).toBe(expected)
  })
})

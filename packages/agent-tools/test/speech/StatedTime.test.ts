import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { StatedTime } from "@frontdesk/agent-tools"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const zone = Schema.decodeSync(TimeZone)("America/New_York")

/** A speaker in New York on Monday 23 November 2026. */
const speaker = { zone, now: Date.parse("2026-11-23T14:00:00Z") }

const check = (weekday: string, date: string, time: string) => StatedTime.check(speaker, { date, weekday, time })

describe("StatedTime.check", () => {
  it.each(["Tuesday", "tuesday", " TUE. ", "Tues"])("the weekday %j agrees with 2026-11-24", (weekday) => {
    expect(check(weekday, "2026-11-24", "15:00")).toEqual(Result.succeed(Date.parse("2026-11-24T20:00:00Z")))
  })

  it("a time that occurs twice is the first one", () => {
    expect(check("Sunday", "2026-11-01", "01:30")).toEqual(Result.succeed(Date.parse("2026-11-01T05:30:00Z")))
  })

  it.each([
    [
      "Wednesday",
      "2026-11-24",
      "15:00",
      "weekday",
      "weekday_mismatch",
      "November 24th is a Tuesday. Which day do you mean?"
    ],
    [
      "someday",
      "2026-11-24",
      "15:00",
      "weekday",
      "unknown_weekday",
      "November 24th is a Tuesday. Which day do you mean?"
    ],
    ["tu", "2026-11-24", "15:00", "weekday", "unknown_weekday", "November 24th is a Tuesday. Which day do you mean?"],
    ["", "2026-11-24", "15:00", "weekday", "unknown_weekday", "November 24th is a Tuesday. Which day do you mean?"],
    [
      "Monday",
      "2027-02-29",
      "15:00",
      "date",
      "invalid_date",
      "I do not find that date in the calendar. Which day do you mean?"
    ],
    [
      "Tuesday",
      "24 November",
      "15:00",
      "date",
      "invalid_date",
      "I do not find that date in the calendar. Which day do you mean?"
    ],
    [
      "Tuesday",
      "2026-11-24",
      "24:00",
      "time",
      "invalid_time",
      "I did not get the time right. Could you tell me again?"
    ],
    ["Tuesday", "2026-11-24", "3 pm", "time", "invalid_time", "I did not get the time right. Could you tell me again?"],
    [
      "Sunday",
      "2027-03-14",
      "02:30",
      "time",
      "skipped_time",
      "The clocks go forward Sunday March 14th, so there is no such time. Which other time do you want?"
    ]
  ] as const)("%j, %s, %s fails in the field %s", (weekday, date, time, field, code, say) => {
    expect(check(weekday, date, time)).toEqual(Result.fail(new StatedTime.StatedTimeRefused({ field, code, say })))
  })
})

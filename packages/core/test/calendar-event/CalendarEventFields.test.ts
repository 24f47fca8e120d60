import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { AgentId } from "@frontdesk/core/agent/Agent"
import * as CalendarEventFields from "@frontdesk/core/calendar-event/CalendarEventFields"
import { TimeZone, utc } from "@frontdesk/core/values/TimeZone"

const newYork = TimeZone.make("America/New_York")

describe("CalendarEventFields", () => {
  it("a time without an offset is in the account's time zone, and a time with one is not (D-HTTP-13)", () => {
    const body = { startTime: "2026-06-01T10:00", endTime: "2026-06-01T17:00:00+02:00" }
    const fields = Result.getOrThrow(CalendarEventFields.read(body, newYork))
    expect([fields.startTime, fields.endTime].map((time) => time && DateTime.formatIso(time))).toEqual([
      "2026-06-01T14:00:00.000Z",
      "2026-06-01T15:00:00.000Z"
    ])
  })

  it.each([
    [{ startTime: "2026-06-01" }, "start_time"],
    [{ startTime: "2026-06-01T10:00Z", endTime: "tomorrow" }, "end_time"],
    [{ endTime: "2026-02-30T10:00:00" }, "end_time"],
    [{ endTime: "" }, "end_time"]
  ])(
    "a text that is not a valid date and time fails with InvalidDatetimeFormat, which names its field: %j",
    (body, field) => {
      expect(CalendarEventFields.read(body, utc)).toMatchObject({ failure: { _tag: "InvalidDatetimeFormat", field } })
    }
  )

  it("an end that is not after the start fails with InvalidTimeRange", () => {
    const times = (endTime: string) => CalendarEventFields.read({ startTime: "2026-06-01T10:00Z", endTime }, utc)
    expect(times("2026-06-01T10:00Z")).toMatchObject({ failure: { _tag: "InvalidTimeRange" } })
    expect(times("2026-06-01T09:59Z")).toMatchObject({ failure: { _tag: "InvalidTimeRange" } })
    expect(Result.isSuccess(times("2026-06-01T10:00:00.001Z"))).toBe(true)
  })

  it("read leaves out absent fields and the agent, and returns the customer's fields in one object", () => {
    expect(CalendarEventFields.read({}, utc)).toEqual(Result.succeed({ customer: {} }))
    expect(CalendarEventFields.read({ location: null, customerName: "Jo", aiAgentId: AgentId.make(1) }, utc)).toEqual(
      Result.succeed({ location: null, customer: { name: "Jo" } })
    )
  })
})

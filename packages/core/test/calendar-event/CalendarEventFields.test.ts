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
    const at = (text: string) => DateTime.makeUnsafe(text)
    expect(times("2026-06-01T10:00Z")).toMatchObject({
      failure: { _tag: "InvalidTimeRange", startTime: at("2026-06-01T10:00Z"), endTime: at("2026-06-01T10:00Z") }
    })
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

describe("CalendarEventFields.readNew", () => {
  const body = { title: "Demo", startTime: "2026-06-01T10:00", endTime: "2026-06-01T11:00" }

  it("readNew returns title, times and the other given fields, with the times in the account's time zone", () => {
    const given = {
      ...body,
      description: "d",
      hasVideoConference: true,
      videoConferenceUrl: "https://meet.example.com/a",
      videoConferenceProvider: "Any",
      location: null,
      customerName: "Jo",
      customerPhone: "1 2",
      customerEmail: null
    }
    expect(CalendarEventFields.readNew(given, newYork)).toEqual(
      Result.succeed({
        title: "Demo",
        description: "d",
        startTime: DateTime.makeUnsafe("2026-06-01T14:00:00Z"),
        endTime: DateTime.makeUnsafe("2026-06-01T15:00:00Z"),
        hasVideoConference: true,
        videoConferenceUrl: "https://meet.example.com/a",
        videoConferenceProvider: "Any",
        location: null,
        customer: { name: "Jo", phone: "1 2" }
      })
    )
  })

  it.each([
    ["a start in another form", { startTime: "today" }, { _tag: "InvalidDatetimeFormat", field: "start_time" }],
    ["an end in another form", { endTime: "today" }, { _tag: "InvalidDatetimeFormat", field: "end_time" }],
    ["an end at the start", { endTime: body.startTime }, { _tag: "InvalidTimeRange" }]
  ])("readNew fails for %s", (_, change, failure) => {
    expect(CalendarEventFields.readNew({ ...body, ...change }, newYork)).toMatchObject({ failure })
  })

  it("read accepts an end before the stored start, because the start is not in the body", () => {
    expect(Result.isSuccess(CalendarEventFields.read({ endTime: "2026-06-01T10:00" }, utc))).toBe(true)
    expect(Result.isSuccess(CalendarEventFields.read({ startTime: "2026-06-01T10:00" }, utc))).toBe(true)
  })
})

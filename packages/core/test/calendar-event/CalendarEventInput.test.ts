import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { AgentId } from "@frontdesk/core/agent/Agent"
import * as CalendarEventFields from "@frontdesk/core/calendar-event/CalendarEventFields"
import {
  CancelCalendarEvent,
  CreateCalendarEvent,
  PatchCalendarEvent,
  PutCalendarEvent
} from "@frontdesk/core/calendar-event/CalendarEventInput"
import * as CalendarEventKey from "@frontdesk/core/calendar-event/CalendarEventKey"
import { TimeZone, utc } from "@frontdesk/core/values/TimeZone"
import * as Wire from "@frontdesk/core/values/Wire"

const accepts = (schema: Schema.Codec<unknown, unknown>, input: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(input))

const required = { title: "Demo", startTime: "2026-06-01T10:00", endTime: "2026-06-01T11:00" }
const newYork = TimeZone.make("America/New_York")

describe("CalendarEventInput", () => {
  it("the body of a create has the field names of C-4.6-5 in JSON", () => {
    const create = Wire.snakeCase(CreateCalendarEvent)
    const body = {
      title: "Demo",
      start_time: "2026-06-01T10:00:00Z",
      end_time: "2026-06-01T11:00:00Z",
      customer_email: "jo@example.com",
      ai_agent_id: 7,
      team_id: null,
      created_by_ai_agent: true,
      sync_external_calendars: false,
      send_notifications: false
    }
    expect(Schema.decodeUnknownSync(create)(body)).toMatchObject({
      startTime: "2026-06-01T10:00:00Z",
      customerEmail: "jo@example.com",
      aiAgentId: 7,
      createdByAiAgent: true,
      sendNotifications: false
    })
  })

  it("a create requires title and both times, and nothing else (D-CAL-3)", () => {
    expect(accepts(CreateCalendarEvent, required)).toBe(true)
    for (const field of ["title", "startTime", "endTime"]) {
      expect(accepts(CreateCalendarEvent, { ...required, [field]: undefined })).toBe(false)
    }
  })

  it("a PUT accepts null for every field, and null counts as absent", () => {
    const nulls = Object.fromEntries(Object.keys(PutCalendarEvent.fields).map((key) => [key, null]))
    expect(accepts(PutCalendarEvent, nulls)).toBe(true)
    expect(CalendarEventFields.read(Schema.decodeUnknownSync(PutCalendarEvent)(nulls), utc)).toEqual(
      Result.succeed({ location: null, customer: {} })
    )
  })

  it("a PATCH accepts null only for location, agent and team (D-CAL-15)", () => {
    const clearable = Object.keys(PatchCalendarEvent.fields).filter((key) =>
      accepts(PatchCalendarEvent, { [key]: null })
    )
    expect(clearable).toEqual(["location", "aiAgentId", "teamId"])
  })

  it("PUT and PATCH have no field created_by_ai_agent (C-4.6-7)", () => {
    expect(Object.keys(PutCalendarEvent.fields)).not.toContain("createdByAiAgent")
    expect(Object.keys(PatchCalendarEvent.fields)).not.toContain("createdByAiAgent")
  })

  it.each([
    ["title", "x".repeat(255), "x".repeat(256)],
    ["title", "Demo", "  "],
    ["description", "", "x".repeat(10_001)],
    ["location", "", "x".repeat(1_001)],
    ["eventType", "voice_call", "party"],
    ["status", "no_show", "done"],
    ["customerName", "Jo\nLi", "x".repeat(256)],
    ["customerEmail", "", "jo"],
    ["customerEmail", "jo@example.com", "jo@example.com\r\nBcc: all@example.com"],
    ["customerPhone", "any (1) 2", "1".repeat(51)],
    ["customerNotes", "", "half \ud800"],
    ["videoConferenceUrl", "", "javascript:alert(1)"],
    ["videoConferenceUrl", "https://meet.example.com/a?b=c#d", "https://meet.example.com/\r\nBEGIN:VEVENT"],
    ["videoConferenceProvider", "Any", "x".repeat(101)],
    ["remindBeforeMinutes", 0, -1],
    ["remindBeforeMinutes", 40_320, 40_321],
    ["remindBeforeMinutes", 15, 1.5],
    ["aiAgentId", 1, "1"],
    ["sendNotifications", false, "false"]
  ])("%s accepts %j and rejects %j", (field, valid, invalid) => {
    expect(accepts(PatchCalendarEvent, { [field]: valid })).toBe(true)
    expect(accepts(PatchCalendarEvent, { [field]: invalid })).toBe(false)
  })

  it("the reason of a cancel may be absent, null or empty", () => {
    expect([{}, { reason: null }, { reason: "" }].every((body) => accepts(CancelCalendarEvent, body))).toBe(true)
    expect(accepts(CancelCalendarEvent, { reason: 1 })).toBe(false)
  })
})

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
  ])("a time in another form fails with InvalidDatetimeFormat, which names its field: %j", (body, field) => {
    expect(CalendarEventFields.read(body, utc)).toMatchObject({ failure: { _tag: "InvalidDatetimeFormat", field } })
  })

  it("an end that is not after the start fails with InvalidTimeRange", () => {
    const times = (endTime: string) => CalendarEventFields.read({ startTime: "2026-06-01T10:00Z", endTime }, utc)
    expect(times("2026-06-01T10:00Z")).toMatchObject({ failure: { _tag: "InvalidTimeRange" } })
    expect(times("2026-06-01T09:59Z")).toMatchObject({ failure: { _tag: "InvalidTimeRange" } })
    expect(Result.isSuccess(times("2026-06-01T10:00:00.001Z"))).toBe(true)
  })

  it("read leaves out absent fields, and returns the customer's fields in one object", () => {
    expect(CalendarEventFields.read({}, utc)).toEqual(Result.succeed({ customer: {} }))
    expect(CalendarEventFields.read({ location: null, customerName: "Jo", aiAgentId: AgentId.make(1) }, utc)).toEqual(
      Result.succeed({ location: null, customer: { name: "Jo" } })
    )
  })
})

describe("CalendarEventKey", () => {
  it.each([
    ["7", { id: 7 }],
    ["9007199254740991", { id: 9007199254740991 }],
    ["0C9A3F0E-6B1D-4B8E-9C5A-1F2E3D4C5B6A", { uuid: "0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a" }]
  ])("%s is parsed as an id, or as a UUID in lower case (C-4.6-4)", (text, key) => {
    expect(CalendarEventKey.parse(text)).toEqual(Option.some(key))
  })

  it.each(["", "0", "07", "-1", "1.0", "1e3", " 7", "9999999999999999", "0c9a3f0e", "seven"])(
    "%j is neither an id nor a UUID",
    (text) => {
      expect(CalendarEventKey.parse(text)).toEqual(Option.none())
    }
  )
})

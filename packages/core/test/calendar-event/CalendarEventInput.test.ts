import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as CalendarEventFields from "@frontdesk/core/calendar-event/CalendarEventFields"
import {
  CancelCalendarEvent,
  CreateCalendarEvent,
  PatchCalendarEvent,
  PutCalendarEvent
} from "@frontdesk/core/calendar-event/CalendarEventInput"
import { utc } from "@frontdesk/core/values/TimeZone"
import * as Wire from "@frontdesk/core/values/Wire"

const accepts = (schema: Schema.Codec<unknown, unknown>, input: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(input))

const required = { title: "Demo", startTime: "2026-06-01T10:00", endTime: "2026-06-01T11:00" }

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

  it("a PUT accepts null for every field, which counts as absent, or for the location as none", () => {
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
    ["title", "Demo", "  "],
    ["hasVideoConference", true, "yes"],
    ["eventType", "voice_call", "party"],
    ["status", "no_show", "done"],
    ["customerName", "Jo\nLi", 1],
    ["customerEmail", "", "jo"],
    ["customerEmail", "jo@example.com", "jo@example.com\r\nBcc: all@example.com"],
    ["customerPhone", "any (1) 2", 12],
    ["customerNotes", "", "half \ud800"],
    ["videoConferenceUrl", "", "javascript:alert(1)"],
    ["videoConferenceUrl", "https://meet.example.com/a?b=c#d", "https://meet.example.com/\r\nBEGIN:VEVENT"],
    ["videoConferenceUrl", "http://a", "see https://meet.example.com/a"],
    ["remindBeforeMinutes", 0, -1],
    ["remindBeforeMinutes", 40_320, 40_321],
    ["remindBeforeMinutes", 15, 1.5],
    ["aiAgentId", 1, "1"],
    ["sendNotifications", false, "false"]
  ])("%s accepts %j and rejects %j", (field, valid, invalid) => {
    expect(accepts(PatchCalendarEvent, { [field]: valid })).toBe(true)
    expect(accepts(PatchCalendarEvent, { [field]: invalid })).toBe(false)
  })

  it.each([
    ["title", 255],
    ["customerName", 255],
    ["description", 10_000],
    ["customerNotes", 10_000],
    ["location", 1_000],
    ["videoConferenceUrl", 2_048],
    ["videoConferenceProvider", 100],
    ["customerPhone", 50]
  ])("%s has at most %i characters (D-CAL-13)", (field, max) => {
    const text = (length: number) => "https://meet.example.com/".slice(0, max).padEnd(length, "x")
    expect(accepts(PatchCalendarEvent, { [field]: text(max) })).toBe(true)
    expect(accepts(PatchCalendarEvent, { [field]: text(max + 1) })).toBe(false)
  })

  it("the reason of a cancel has at most 2,000 characters (D-CAL-13)", () => {
    expect(accepts(CancelCalendarEvent, { reason: "x".repeat(2_000) })).toBe(true)
    expect(accepts(CancelCalendarEvent, { reason: "x".repeat(2_001) })).toBe(false)
  })

  it("the reason of a cancel may be absent, null or empty", () => {
    expect([{}, { reason: null }, { reason: "" }].every((body) => accepts(CancelCalendarEvent, body))).toBe(true)
    expect(accepts(CancelCalendarEvent, { reason: 1 })).toBe(false)
  })
})

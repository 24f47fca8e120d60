import { describe, expect, it } from "@effect/vitest"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import type { DomainEvent } from "@frontdesk/core/webhook-event/DomainEvent"
import * as WebhookPayload from "@frontdesk/core/webhook-event/WebhookPayload"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { calendarEvent, call, at } from "../webhook/samples.ts"

const icsUrl = "/api/v1/calendar/events/uuid/ics?signature=abc"

describe("WebhookPayload", () => {
  it("a call event has the fields of C-6.2-1", () => {
    expect(parse(WebhookPayload.ofCall("call.ended", call(), at))).toEqual({
      event_type: "call.ended",
      call: {
        id: 12,
        service_call_id: "call_12",
        agent_id: 3,
        agent_name: "Ada",
        status: "completed",
        type: "outbound",
        phone_number: "+12025550123",
        started_at: "2026-03-08T12:00:00.000Z",
        ended_at: "2026-03-08T12:01:05.500Z",
        duration_seconds: 65,
        recording_url: "https://recordings.example/12",
        summary: "Booked.",
        contact: { id: 7, name: "Zoë", email: "zoe@example.com" }
      },
      timestamp: "2026-03-08T13:00:00.000Z"
    })
  })

  it("a summary is there only when it is available, and what is not known is null", () => {
    const payload = parse(
      WebhookPayload.ofCall(
        "call.started",
        call({ summary: null, contact: null, endedAt: null, recordingUrl: null, status: "in_progress" }),
        at
      )
    )
    expect(payload).toMatchObject({
      call: { contact: null, ended_at: null, duration_seconds: null, recording_url: null }
    })
    expect(payload).not.toHaveProperty("call.summary")
  })

  it("a call that was never answered lasted 0 seconds", () => {
    const payload = parse(WebhookPayload.ofCall("call.failed", call({ startedAt: null, status: "busy" }), at))
    expect(payload).toMatchObject({ call: { started_at: null, duration_seconds: 0 } })
  })

  it("a calendar event has the fields of C-6.2-2, without the customer's notes", () => {
    expect(parse(WebhookPayload.ofCalendarEvent("calendar.created", calendarEvent(), icsUrl, at))).toEqual({
      event_type: "calendar.created",
      calendar_event: {
        id: 5,
        uuid: "0198c0de-0000-7000-8000-000000000005",
        title: "Visit",
        event_type: "meeting",
        status: "scheduled",
        start_time: "2026-03-09T09:00:00.000Z",
        end_time: "2026-03-09T09:45:00.000Z",
        duration_minutes: 45,
        location: null,
        has_video_conference: false,
        video_conference_url: "",
        created_by_ai_agent: true,
        ai_agent: { id: 3, name: "Ada", assistant_id: "asst_3" },
        customer: { name: "Zoë", email: "zoe@example.com", phone: "" },
        ics_url: icsUrl
      },
      timestamp: "2026-03-08T13:00:00.000Z"
    })
  })

  it("the agent is absent when none is associated", () => {
    const body = WebhookPayload.ofCalendarEvent("calendar.created", calendarEvent({ aiAgent: null }), icsUrl, at)
    expect(parse(body)).not.toHaveProperty("calendar_event.ai_agent")
  })
})

describe("laws of WebhookPayload", () => {
  it("whatever texts an event has, the body is UTF-8 and JSON, and says the same again", () => {
    fc.assert(
      fc.property(Arbitrary.domainEvent(), (event) => {
        const bytes = body(event)
        expect(Utf8.decode(bytes)).not.toBeNull()
        if ("call" in event) {
          const { call } = Schema.decodeUnknownSync(WebhookPayload.CallPayload)(parse(bytes))
          expect(call).toMatchObject({ id: event.call.id, agentName: event.call.agent.name })
          expect(call.summary ?? null).toBe(event.call.summary)
        } else {
          const { calendarEvent } = Schema.decodeUnknownSync(WebhookPayload.CalendarPayload)(parse(bytes))
          expect(calendarEvent).toMatchObject({ title: event.event.title, location: event.event.location })
        }
      })
    )
  })
})

const parse = (bytes: Uint8Array): unknown => JSON.parse(Utf8.decode(bytes) ?? "")

const body = (event: DomainEvent): Uint8Array =>
  "call" in event
    ? WebhookPayload.ofCall(event.name, event.call, at)
    : WebhookPayload.ofCalendarEvent(event.name, event.event, icsUrl, at)

import { describe, expect, it } from "@effect/vitest"
import * as CalendarWebhookEvent from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { at, calendarEvent } from "../webhook/samples.ts"

const icsUrl = "/api/v1/calendar/events/uuid/ics?signature=abc"

describe("CalendarWebhookEvent.payload", () => {
  it("a calendar event has the fields of C-6.2-2, without the customer's notes", () => {
    expect(parse(CalendarWebhookEvent.payload("calendar.created", calendarEvent(), icsUrl, at))).toEqual({
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

  it("a calendar event without an agent has no field ai_agent", () => {
    const body = CalendarWebhookEvent.payload("calendar.created", calendarEvent({ aiAgent: null }), icsUrl, at)
    expect(parse(body)).not.toHaveProperty("calendar_event.ai_agent")
  })
})

describe("laws of CalendarWebhookEvent", () => {
  it("the payload of every calendar event is JSON in UTF-8 and has its texts unchanged", () => {
    fc.assert(
      fc.property(Arbitrary.announcedCalendarEvent(), (event) => {
        const bytes = CalendarWebhookEvent.payload("calendar.created", event, icsUrl, at)
        expect(Utf8.decode(bytes)).not.toBeNull()
        const shown = Schema.decodeUnknownSync(CalendarWebhookEvent.CalendarPayload)(parse(bytes)).calendarEvent
        expect(shown).toMatchObject({ title: event.title, location: event.location })
      })
    )
  })
})

const parse = (bytes: Uint8Array): unknown => JSON.parse(Utf8.decode(bytes) ?? "")

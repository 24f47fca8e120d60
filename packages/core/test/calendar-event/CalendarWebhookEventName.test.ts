import { describe, expect, it } from "@effect/vitest"
import { nameOf } from "@frontdesk/core/calendar-event/CalendarWebhookEventName"
import { calendarEvent } from "../webhook/samples.ts"

describe("CalendarWebhookEventName.nameOf", () => {
  it.each([
    ["scheduled", "cancelled", "calendar.cancelled"],
    ["completed", "cancelled", "calendar.cancelled"],
    ["cancelled", "cancelled", "calendar.updated"],
    ["confirmed", "completed", "calendar.completed"],
    ["completed", "completed", "calendar.updated"],
    ["cancelled", "scheduled", "calendar.updated"],
    ["scheduled", "no_show", "calendar.updated"]
  ] as const)("a change from %s to %s raises %s (C-6.1-8, C-6.1-9, C-6.1-10, D-EVT-2)", (from, to, name) => {
    const event = calendarEvent()
    expect(nameOf({ ...event, status: from }, { ...event, status: to, title: "New" })).toBe(name)
  })

  it("a creation raises calendar.created, also of a cancelled calendar event (C-6.1-7, D-EVT-2)", () => {
    expect(nameOf(null, { ...calendarEvent(), status: "cancelled" })).toBe("calendar.created")
  })
})

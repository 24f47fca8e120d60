import { describe, expect, it } from "vitest"
import { displayType, CalendarEventType } from "@frontdesk/core/calendar-event/CalendarEvent"
import { blocks, display, isAhead } from "@frontdesk/core/calendar-event/CalendarEventStatus"

describe("CalendarEventStatus", () => {
  it.each([
    ["scheduled", "Scheduled", true, true],
    ["confirmed", "Confirmed", true, true],
    ["cancelled", "Cancelled", false, false],
    ["completed", "Completed", true, false],
    ["no_show", "No Show", false, false]
  ] as const)("%s is shown as %s; blocks: %s; still to take place: %s", (status, label, blocking, ahead) => {
    expect([display(status), blocks(status), isAhead(status)]).toEqual([label, blocking, ahead])
  })

  it("event types have labels (C-2.5-4, event_type_display)", () => {
    expect(CalendarEventType.literals.map(displayType)).toEqual([
      "Meeting",
      "Appointment",
      "Busy",
      "Voice Call",
      "Video Call"
    ])
  })
})

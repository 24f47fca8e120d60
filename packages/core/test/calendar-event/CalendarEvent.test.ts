import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"
import { CalendarEventType, displayType, durationMinutes } from "@frontdesk/core/calendar-event/CalendarEvent"

const at = (text: string) => DateTime.makeUnsafe(`2026-06-01T${text}:00Z`)

describe("CalendarEvent", () => {
  it("every event type has the label of C-2.5-4", () => {
    expect(CalendarEventType.literals.map(displayType)).toEqual([
      "Meeting",
      "Appointment",
      "Busy",
      "Voice Call",
      "Video Call"
    ])
  })

  it("durationMinutes rounds down to whole minutes (D-CAL-14)", () => {
    expect(durationMinutes({ startTime: at("10:00"), endTime: at("11:30") })).toBe(90)
    expect(durationMinutes({ startTime: at("10:00"), endTime: DateTime.add(at("10:01"), { seconds: 59 }) })).toBe(1)
  })
})

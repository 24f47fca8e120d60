import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"
import {
  CalendarEventType,
  displayType,
  durationMinutes,
  isUpcoming
} from "@frontdesk/core/calendar-event/CalendarEvent"

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

  it.each([
    ["scheduled", "10:59", true],
    ["confirmed", "10:59", true],
    ["scheduled", "11:00", false],
    ["scheduled", "11:01", false],
    ["cancelled", "10:59", false],
    ["completed", "10:59", false]
  ] as const)("an event that is %s and ends at 11:00 is upcoming at %s: %s", (status, now, expected) => {
    expect(isUpcoming({ status, endTime: at("11:00") }, at(now))).toBe(expected)
  })

  it("durationMinutes rounds down to whole minutes (D-CAL-14)", () => {
    expect(durationMinutes({ startTime: at("10:00"), endTime: at("11:30") })).toBe(90)
    expect(durationMinutes({ startTime: at("10:00"), endTime: DateTime.add(at("10:01"), { seconds: 59 }) })).toBe(1)
  })
})

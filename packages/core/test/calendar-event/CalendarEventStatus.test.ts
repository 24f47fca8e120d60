import { describe, expect, it } from "vitest"
import { blocks, display, isAhead } from "@frontdesk/core/calendar-event/CalendarEventStatus"

describe("CalendarEventStatus", () => {
  it.each([
    ["scheduled", "Scheduled", true, true],
    ["confirmed", "Confirmed", true, true],
    ["cancelled", "Cancelled", false, false],
    ["completed", "Completed", true, false],
    ["no_show", "No Show", false, false]
  ] as const)(
    "%s has the label %s, blocks its time: %s, is expected to take place: %s",
    (status, label, blocking, ahead) => {
      expect([display(status), blocks(status), isAhead(status)]).toEqual([label, blocking, ahead])
    }
  )
})

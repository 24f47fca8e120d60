import { flagsOf, flagsOfCancel } from "@frontdesk/core/calendar-event/CalendarEventFlags"
import { describe, expect, it } from "vitest"
import { sampleEvent } from "../calendar/samples.ts"

describe("CalendarEventFlags.flagsOf", () => {
  it.each([
    [{}, { sync: true, notify: true }],
    [
      { syncExternalCalendars: null, sendNotifications: null },
      { sync: true, notify: true }
    ],
    [{ syncExternalCalendars: false }, { sync: false, notify: true }],
    [{ sendNotifications: false }, { sync: true, notify: false }]
  ])("a write with %j has the flags %j (C-3.1-3, C-3.1-4, C-4.6-8)", (body, flags) => {
    expect(flagsOf(body)).toEqual(flags)
  })
})

describe("CalendarEventFlags.flagsOfCancel", () => {
  it.each([true, false])("a cancel is synced, and mailed if send_notifications was on at creation: %s", (notify) => {
    const before = sampleEvent({ notifyOnCancel: notify })
    expect(flagsOfCancel(before)).toEqual({ sync: true, notify })
  })
})

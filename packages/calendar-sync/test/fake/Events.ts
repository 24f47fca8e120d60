import { type CalendarEvent, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import { connected } from "./Connections.ts"

/** Returns a calendar event of the account that has a connection. */
export const newEvent = (fields: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...Samples.newCalendarEvent(connected),
  id: CalendarEventId.make(1),
  ...fields
})

/** Returns a calendar event after a change, which was made a second later. */
export const changed = (event: CalendarEvent, fields: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...event,
  sequence: event.sequence + 1,
  updatedAt: DateTime.add(event.updatedAt, { seconds: 1 }),
  ...fields
})

import { type CalendarEvent, CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import { connected } from "./Connections.ts"

/** An event of the account that is connected. */
export const newEvent = (fields: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...Samples.newCalendarEvent(connected),
  id: CalendarEventId.make(1),
  ...fields
})

/** The event after a change, a second later. */
export const changed = (event: CalendarEvent, fields: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...event,
  sequence: event.sequence + 1,
  updatedAt: DateTime.add(event.updatedAt, { seconds: 1 }),
  ...fields
})

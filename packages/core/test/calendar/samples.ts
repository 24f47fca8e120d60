import * as DateTime from "effect/DateTime"
import { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarEvent, CalendarEventId, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventMerge from "@frontdesk/core/calendar-event/CalendarEventMerge"

/** Returns a calendar event of account 1 on 2026-06-01 from 10:00 to 11:00 UTC, created on 2026-05-01. */
export const sampleEvent = (fields: Partial<CalendarEvent> = {}): CalendarEvent => ({
  ...CalendarEventMerge.defaults,
  id: CalendarEventId.make(1),
  uuid: CalendarEventUuid.make("0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a"),
  accountId: AccountId.make(1),
  title: "Demo",
  startTime: DateTime.makeUnsafe("2026-06-01T10:00:00Z"),
  endTime: DateTime.makeUnsafe("2026-06-01T11:00:00Z"),
  contactId: null,
  createdByAiAgent: false,
  externalCalendars: {},
  externalCalendarsStatus: {},
  notifyOnCancel: true,
  invitation: null,
  sequence: 0,
  createdAt: DateTime.makeUnsafe("2026-05-01T00:00:00Z"),
  updatedAt: DateTime.makeUnsafe("2026-05-01T00:00:00Z"),
  ...fields
})

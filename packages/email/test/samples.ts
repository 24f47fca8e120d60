import { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarEvent, CalendarEventId, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Message, NotificationKind } from "@frontdesk/core/mail/Mailer"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { at, newCalendarEvent } from "@frontdesk/testing/suite/Samples"

/** Returns a message about a calendar event on 2026-06-01 at 10:00 in Paris. */
export const message = (kind: NotificationKind, fields: Partial<CalendarEvent> = {}): Message => ({
  kind,
  previous: {},
  account: { name: "Ada & Co.", timeZone: TimeZone.make("Europe/Paris") },
  event: {
    ...newCalendarEvent(AccountId.make(1)),
    id: CalendarEventId.make(1),
    uuid: CalendarEventUuid.make("0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a"),
    title: "Demo",
    startTime: at("2026-06-01T08:00:00Z"),
    endTime: at("2026-06-01T09:00:00Z"),
    updatedAt: at("2026-05-01T12:30:15.250Z"),
    customer: { name: "Zoë", email: "zoe@example.com", phone: "+12025550123", notes: "difficult" },
    ...fields
  }
})

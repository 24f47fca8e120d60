import type { AvailabilityAnswer } from "@frontdesk/core/availability/Availability"
import type { ExternalBusyAnswer } from "@frontdesk/core/availability/ExternalBusyTimes"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CancelledCalendarEvent } from "@frontdesk/core/calendar-event/Cancellation"
import type { ContactRecord } from "@frontdesk/core/erasure/ContactRecord"
import * as Page from "@frontdesk/core/values/Page"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import * as Plain from "./Plain.ts"

type View = (result: never) => unknown

/** Returns the free slots with their times in the time zone of the answer, as the API shows them. */
const availability = ({ nextStart, slots, timeZone, ...answer }: AvailabilityAnswer) => ({
  ...answer,
  timeZone,
  slots: slots.map(({ end, start }) => ({ start: formatOffset(start, timeZone), end: formatOffset(end, timeZone) })),
  nextStart: nextStart === null ? null : formatOffset(nextStart, timeZone)
})

/** Returns the busy times of external calendars in the time zone of the answer, as the API shows them. */
const externalBusy = ({ busyTimes, nextStart, timeZone, ...answer }: ExternalBusyAnswer) => ({
  ...answer,
  timeZone,
  busyTimes: busyTimes.map(({ end, providers, start }) => ({
    start: formatOffset(start, timeZone),
    end: formatOffset(end, timeZone),
    providers
  })),
  nextStart: nextStart === null ? null : formatOffset(nextStart, timeZone)
})

/**
 * Returns a calendar event without its contact, which is internal. Fields are copied one by one, because a rest pattern
 * takes ten times longer, and pages have many rows.
 */
const calendarEvent = (event: CalendarEvent): Omit<CalendarEvent, "contactId"> => ({
  id: event.id,
  uuid: event.uuid,
  accountId: event.accountId,
  title: event.title,
  description: event.description,
  eventType: event.eventType,
  status: event.status,
  startTime: event.startTime,
  endTime: event.endTime,
  location: event.location,
  hasVideoConference: event.hasVideoConference,
  videoConferenceUrl: event.videoConferenceUrl,
  videoConferenceProvider: event.videoConferenceProvider,
  createdByAiAgent: event.createdByAiAgent,
  isReminderEnabled: event.isReminderEnabled,
  remindBeforeMinutes: event.remindBeforeMinutes,
  customer: event.customer,
  aiAgent: event.aiAgent,
  team: event.team,
  externalCalendars: event.externalCalendars,
  externalCalendarsStatus: event.externalCalendarsStatus,
  notifyOnCancel: event.notifyOnCancel,
  invitation: event.invitation,
  sequence: event.sequence,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt
})

const calendarEvents = (page: Page.Page<CalendarEvent>) => Page.map(page, calendarEvent)

const cancelled = ({ event, ...result }: CancelledCalendarEvent) => ({ ...result, event: calendarEvent(event) })

const contactRecord = ({ calendarEvents, ...record }: ContactRecord) => ({
  ...record,
  calendarEvents: calendarEvents.map(calendarEvent)
})

const views: { readonly [method: string]: View } = {
  "availability.find": availability,
  "availability.busy": externalBusy,
  "calendar.create": calendarEvent,
  "calendar.get": calendarEvent,
  "calendar.list": calendarEvents,
  "calendar.put": calendarEvent,
  "calendar.patch": calendarEvent,
  "calendar.cancel": cancelled,
  "calendar.resolveCopy": calendarEvent,
  "contactRecords.get": contactRecord
}

/** Returns the result of a method as plain data. */
export const of = (method: string, result: unknown): unknown => {
  const view = views[method]
  return Plain.of(view === undefined ? result : Reflect.apply(view, undefined, [result]))
}

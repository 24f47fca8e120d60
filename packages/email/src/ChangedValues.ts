import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import type { PreviousValues } from "@frontdesk/core/calendar-event/MailFields"
import { mailedProvider } from "@frontdesk/core/mail/MailValues"
import type { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as EventTime from "./EventTime.ts"
import { truncate, oneLine } from "./PlainText.ts"

/** One changed value of a calendar event, as text for the mail. */
export interface Change {
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The maximum length of an old or new value, in characters. The mail also shows the complete new value. */
const maxValueLength = 500

/** The text for an empty value. */
const none = "none"

const change = (label: string, before: string, after: string): Change => {
  const [was, is] = [before, after].map((value) => truncate(maxValueLength, oneLine(value)) || none)
  return { label, before: was ?? none, after: is ?? none }
}

/**
 * Returns the changed values, old and new, in the order in which a mail lists them. A change of the start or the end is
 * one entry.
 *
 * @param previous the values that were replaced
 * @param event the calendar event as it is now
 */
export const describe = (previous: PreviousValues, event: CalendarEvent, zone: TimeZone): ReadonlyArray<Change> => {
  const before = { ...event, ...previous }
  const isMoved = previous.startTime !== undefined || previous.endTime !== undefined
  return [
    ...(previous.status === undefined
      ? []
      : [change("Status", CalendarEventStatus.display(previous.status), CalendarEventStatus.display(event.status))]),
    ...(previous.title === undefined ? [] : [change("Title", previous.title, event.title)]),
    ...(isMoved ? [change("When", EventTime.describe(before, zone), EventTime.describe(event, zone))] : []),
    ...(previous.location === undefined ? [] : [change("Where", previous.location ?? "", event.location ?? "")]),
    ...(previous.videoConferenceProvider === undefined
      ? []
      : [change("Video provider", previous.videoConferenceProvider, mailedProvider(event))]),
    ...(previous.videoConferenceUrl === undefined
      ? []
      : [change("Video", previous.videoConferenceUrl, event.videoConferenceUrl)]),
    ...(previous.description === undefined ? [] : [change("Description", previous.description, event.description)])
  ]
}

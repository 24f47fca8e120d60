import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import type { PreviousValues } from "@frontdesk/core/calendar-event/MailFields"
import { mailedProvider } from "@frontdesk/core/mail/MailValues"
import type { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as EventTime from "./EventTime.ts"
import { atMost, oneLine } from "./PlainText.ts"

/** One thing that has changed, in words. */
export interface Change {
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The most characters of an old or a new value. The whole new one stands elsewhere in the mail. */
const maximumValue = 500

/** What is written for a value that is empty. */
const none = "none"

const change = (label: string, before: string, after: string): Change => {
  const [was, is] = [before, after].map((value) => atMost(maximumValue, oneLine(value)) || none)
  return { label, before: was ?? none, after: is ?? none }
}

/**
 * Returns what has changed, old and new, in the order in which a mail shows it. Both times are one change.
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

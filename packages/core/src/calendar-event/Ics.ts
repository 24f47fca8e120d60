import type { CalendarEvent } from "./CalendarEvent.ts"
import * as CalendarEventStatus from "./CalendarEventStatus.ts"
import { contentLine, dateTime, parameter, text, uri } from "./IcsText.ts"

/** The organizer of a calendar event. */
export interface Organizer {
  readonly name: string
  /** Null when the organizer has no address. */
  readonly email: string | null
}

/**
 * The purpose of a calendar file (RFC 5546).
 *
 * - `PUBLISH`: people read the file or subscribe to it. It names the organizer and not the customer (RFC 5546 3.2.1).
 * - `REQUEST`: an organizer invites the customer. A mail must have the same `method` in its Content-Type (RFC 6047).
 * - `CANCEL`: ends the invitation of the customer, in a mail like `REQUEST`. With `isEventCancelled` false, only this
 *   customer is no longer invited, and the file has no STATUS (RFC 5546 3.2.5).
 * - `null`: the object is stored in a calendar, where METHOD is forbidden (RFC 4791 4.1).
 */
export type IcsPurpose =
  | { readonly method: null }
  | { readonly method: "PUBLISH"; readonly organizer: Organizer }
  | {
      readonly method: "REQUEST"
      readonly organizer: Organizer
      /** Whether the invitation requests a reply. False when no person would read the replies. */
      readonly asksForAnswer: boolean
    }
  | { readonly method: "CANCEL"; readonly organizer: Organizer; readonly isEventCancelled: boolean }

/** The purpose of a published file whose organizer has no name and no address. */
const anonymous: IcsPurpose = { method: "PUBLISH", organizer: { name: "", email: null } }

/** The STATUS of a calendar event in its file (D-ICS-3). */
const statuses: {
  readonly [Status in CalendarEventStatus.CalendarEventStatus]: "TENTATIVE" | "CONFIRMED" | "CANCELLED"
} = {
  scheduled: "TENTATIVE",
  confirmed: "CONFIRMED",
  cancelled: "CANCELLED",
  completed: "CONFIRMED",
  no_show: "CONFIRMED"
}

/**
 * Returns a calendar event as an iCalendar file (RFC 5545, D-ICS-2).
 *
 * Every line ends with CRLF and is folded at 75 octets. Times are in UTC, and the UID is the UUID of the event. All
 * values are escaped, so none can begin a new line. DTSTAMP is the last change of the event, so the same event and
 * purpose always give the same text. The file omits the customer's notes, which are only for the account (D-ICS-4).
 */
export const calendar = (event: CalendarEvent, purpose: IcsPurpose = anonymous): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Frontdesk//Frontdesk//EN",
    "CALSCALE:GREGORIAN",
    ...(purpose.method === null ? [] : [`METHOD:${purpose.method}`]),
    "BEGIN:VEVENT",
    `UID:${text(event.uuid)}`,
    `DTSTAMP:${dateTime(event.updatedAt)}`,
    `DTSTART:${dateTime(event.startTime)}`,
    ...end(event),
    `SEQUENCE:${event.sequence}`,
    ...status(event, purpose),
    `TRANSP:${CalendarEventStatus.blocks(event.status) ? "OPAQUE" : "TRANSPARENT"}`,
    `SUMMARY:${text(event.title)}`,
    ...(event.description === "" ? [] : [`DESCRIPTION:${text(event.description)}`]),
    ...(event.location === null || event.location === "" ? [] : [`LOCATION:${text(event.location)}`]),
    ...conference(event),
    ...people(event, purpose),
    `CREATED:${dateTime(event.createdAt)}`,
    `LAST-MODIFIED:${dateTime(event.updatedAt)}`,
    "END:VEVENT",
    "END:VCALENDAR"
  ]
    .map(contentLine)
    .join("")

// Times in iCalendar have no parts of a second, and DTEND must not equal DTSTART. An event that starts and ends in the
// same second therefore has no DTEND.
const end = ({ startTime, endTime }: CalendarEvent): ReadonlyArray<string> =>
  dateTime(startTime) === dateTime(endTime) ? [] : [`DTEND:${dateTime(endTime)}`]

/** Returns the link to a video conference twice: as CONFERENCE, and as URL for programs without RFC 7986. */
const conference = (event: CalendarEvent): ReadonlyArray<string> => {
  const url = uri(event.videoConferenceUrl)
  if (url === "") return []
  const label = event.videoConferenceProvider === "" ? "" : `;LABEL=${parameter(event.videoConferenceProvider)}`
  return [`URL:${url}`, `CONFERENCE;VALUE=URI;FEATURE=VIDEO${label}:${url}`]
}

const status = (event: CalendarEvent, purpose: IcsPurpose): ReadonlyArray<string> => {
  if (purpose.method !== "CANCEL") return [`STATUS:${statuses[event.status]}`]
  return purpose.isEventCancelled ? ["STATUS:CANCELLED"] : []
}

const people = (event: CalendarEvent, purpose: IcsPurpose): ReadonlyArray<string> => {
  if (purpose.method === null) return []
  const { email, name } = purpose.organizer
  // A published event must have an organizer. `invalid:nomail` is what Exchange writes for an organizer without an
  // address (D-ICS-5).
  const organizer = `ORGANIZER${commonName(name)}:${email === null ? "invalid:nomail" : mailto(email)}`
  if (purpose.method === "PUBLISH" || event.customer.email === "") return [organizer]
  const rsvp = purpose.method === "REQUEST" && purpose.asksForAnswer ? "TRUE" : "FALSE"
  const attendee = `ATTENDEE${commonName(event.customer.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=${rsvp}`
  return [organizer, `${attendee}:${mailto(event.customer.email)}`]
}

// Escapes the characters with which an address could begin another part of the URI: `jo?cc=eve@example.com` (RFC 6068
// 2).
const mailto = (email: string): string => uri(`mailto:${email.replace(/[%?#]/g, encodeURIComponent)}`)

const commonName = (name: string): string => (name === "" ? "" : `;CN=${parameter(name)}`)

import type { CalendarEvent } from "./CalendarEvent.ts"
import * as CalendarEventStatus from "./CalendarEventStatus.ts"
import { contentLine, dateTime, parameter, text, uri } from "./IcsText.ts"

/** In whose name a calendar event is. */
export interface Organizer {
  readonly name: string
  /** Null when there is no address to write to. */
  readonly email: string | null
}

/**
 * What the file is for (RFC 5546).
 *
 * - `PUBLISH`: to be read or subscribed to; names the organizer alone (RFC 5546 3.2.1).
 * - `REQUEST`, `CANCEL`: an invitation of the customer by an organizer, or its end. Mail them with the same `method`
 *   in their Content-Type (RFC 6047). A CANCEL with `isEventCancelled` false ends the invitation of this customer
 *   alone, and has no STATUS (RFC 5546 3.2.5).
 * - `null`: an object that is kept in a calendar, where METHOD is forbidden (RFC 4791 4.1).
 */
export type IcsPurpose =
  | { readonly method: null }
  | { readonly method: "PUBLISH"; readonly organizer: Organizer }
  | {
      readonly method: "REQUEST"
      readonly organizer: Organizer
      /** Whether answers reach somebody who reads them: only then the customer is asked for one. */
      readonly asksForAnswer: boolean
    }
  | { readonly method: "CANCEL"; readonly organizer: Organizer; readonly isEventCancelled: boolean }

/** A published file of an organizer without name and address. */
const anonymous: IcsPurpose = { method: "PUBLISH", organizer: { name: "", email: null } }

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
 * An event as an iCalendar file (RFC 5545, D-ICS-2).
 *
 * Every line ends in CRLF and is folded at 75 octets, times are UTC, the UID is the event's UUID, and no value can
 * start a line of its own. The text depends on the event alone: DTSTAMP is its last change. The customer's notes are
 * for the account and stay out.
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

// iCalendar counts in seconds: an event that ends in the second it starts in has no DTEND, which may not equal DTSTART.
const end = ({ startTime, endTime }: CalendarEvent): ReadonlyArray<string> =>
  dateTime(startTime) === dateTime(endTime) ? [] : [`DTEND:${dateTime(endTime)}`]

/** The way into a video conference, when its URL is one: for programs that know RFC 7986, and for the others. */
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
  // A published event must have an organizer. Exchange writes one without an address as this URI, which no mail reaches.
  const organizer = `ORGANIZER${commonName(name)}:${email === null ? "invalid:nomail" : mailto(email)}`
  if (purpose.method === "PUBLISH" || event.customer.email === "") return [organizer]
  const rsvp = purpose.method === "REQUEST" && purpose.asksForAnswer ? "TRUE" : "FALSE"
  const attendee = `ATTENDEE${commonName(event.customer.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=${rsvp}`
  return [organizer, `${attendee}:${mailto(event.customer.email)}`]
}

// An address may hold what would begin another part of the URI: `jo?cc=eve@example.com` (RFC 6068 2).
const mailto = (email: string): string => uri(`mailto:${email.replace(/[%?#]/g, encodeURIComponent)}`)

const commonName = (name: string): string => (name === "" ? "" : `;CN=${parameter(name)}`)

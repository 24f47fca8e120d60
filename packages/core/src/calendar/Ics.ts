import type { CalendarEvent } from "./CalendarEvent.ts"
import * as EventStatus from "./EventStatus.ts"
import { contentLine, dateTime, parameter, text, uri } from "./IcsText.ts"

/** Somebody with an e-mail address. */
export interface Mailbox {
  readonly name: string
  readonly email: string
}

/**
 * What the file is for (RFC 5546).
 *
 * - `PUBLISH`: to be read or subscribed to; names nobody.
 * - `REQUEST`, `CANCEL`: an invitation of the customer by an organizer, or its end. Mail them with the same `method`
 *   in their Content-Type (RFC 6047).
 * - `null`: an object that is kept in a calendar, where METHOD is forbidden (RFC 4791 4.1).
 */
export type IcsPurpose =
  | { readonly method: "PUBLISH" | null }
  | { readonly method: "REQUEST" | "CANCEL"; readonly organizer: Mailbox }

const statuses: { readonly [Status in EventStatus.EventStatus]: "TENTATIVE" | "CONFIRMED" | "CANCELLED" } = {
  scheduled: "TENTATIVE",
  confirmed: "CONFIRMED",
  cancelled: "CANCELLED",
  completed: "CONFIRMED",
  no_show: "CONFIRMED"
}

/**
 * An event as an iCalendar file (RFC 5545, Decisions 7).
 *
 * Every line ends in CRLF and is folded at 75 octets, times are UTC, the UID is the event's UUID, and no value can
 * start a line of its own. The text depends on the event alone: DTSTAMP is its last change. The customer's notes are
 * for the account and stay out.
 */
export const calendar = (event: CalendarEvent, purpose: IcsPurpose = { method: "PUBLISH" }): string =>
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
    `STATUS:${purpose.method === "CANCEL" ? "CANCELLED" : statuses[event.status]}`,
    `TRANSP:${EventStatus.blocks(event.status) ? "OPAQUE" : "TRANSPARENT"}`,
    `SUMMARY:${text(event.title)}`,
    ...(event.description === "" ? [] : [`DESCRIPTION:${text(event.description)}`]),
    ...(event.location === null || event.location === "" ? [] : [`LOCATION:${text(event.location)}`]),
    ...conference(event),
    ...("organizer" in purpose ? people(event, purpose.organizer) : []),
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

const people = (event: CalendarEvent, organizer: Mailbox): ReadonlyArray<string> => [
  `ORGANIZER${commonName(organizer.name)}:${mailto(organizer.email)}`,
  ...(event.customer.email === ""
    ? []
    : [
        `ATTENDEE${commonName(event.customer.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:` +
          mailto(event.customer.email)
      ])
]

// An address may hold what would begin another part of the URI: `jo?cc=eve@example.com` (RFC 6068 2).
const mailto = (email: string): string => uri(`mailto:${email.replace(/[%?#]/g, encodeURIComponent)}`)

const commonName = (name: string): string => (name === "" ? "" : `;CN=${parameter(name)}`)

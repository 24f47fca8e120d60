import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Ics from "@frontdesk/core/calendar-event/Ics"
import { contentLine } from "@frontdesk/core/calendar-event/IcsText"
import ICAL from "ical.js"
import { Budget } from "../recurrence/StepBudget.ts"
import * as ObjectZones from "../recurrence/ObjectZones.ts"
import { spanOf } from "../recurrence/Occurrences.ts"
import { utc } from "../recurrence/IcsZone.ts"
import type { RemoteCopy } from "../RemoteCalendar.ts"
import { digest, collapseSpace } from "../text/EventText.ts"

/** The property with the version of the calendar event that was written. */
const mark = "x-frontdesk-version"

/** The properties that Frontdesk writes or intentionally omits. All other properties of a copy stay as they are. */
const own = new Set([
  "dtstamp",
  "dtstart",
  "dtend",
  "duration",
  "rrule",
  "rdate",
  "exdate",
  "summary",
  "description",
  "location",
  "url",
  "conference",
  "status",
  "transp",
  "last-modified",
  "sequence",
  mark
])

/** Returns the object for a calendar event (RFC 4791 4.1): without METHOD, and marked with the version. */
export const objectOf = (event: CalendarEvent, version: string): string =>
  Ics.calendar(event, { method: null }).replace(
    "\r\nEND:VEVENT\r\n",
    `\r\n${contentLine(`${mark.toUpperCase()}:${version}`)}END:VEVENT\r\n`
  )

/** Returns an object as a copy. An object that cannot be read counts as changed by a person, so it has no version. */
export const copyOf = (text: string, uid: string, etag: string | null): RemoteCopy => {
  const event = readable(text, uid)
  if (event === undefined) return { id: uid, version: null, contentDigest: digest([text]), etag }
  const version = event.main.getFirstPropertyValue(mark)
  return { id: uid, version: typeof version === "string" ? version : null, contentDigest: contentDigestOf(event), etag }
}

/**
 * Returns the object `text` with the calendar event's values of the properties that Frontdesk writes. Attendees, alarms,
 * categories, colours and unknown properties stay as they are. A copy that a person has made a series becomes a single event
 * again. An object that cannot be read is replaced completely.
 *
 * SEQUENCE never decreases. It increases with a change of time, place, status or TRANSP (RFC 5546 2.1.4), also above the
 * value that another program has written.
 */
export const merged = (text: string, event: CalendarEvent, version: string): string => {
  const ours = objectOf(event, version)
  const theirs = readable(text, event.uuid)
  const next = readable(ours, event.uuid)
  if (theirs === undefined || next === undefined) return ours
  const { main, object } = theirs
  const before = Number(main.getFirstPropertyValue("sequence") ?? 0)
  const isRescheduled = scheduleOf(theirs).join() !== scheduleOf(next).join()
  for (const name of own) main.removeAllProperties(name)
  // `addProperty` removes a property from the component it was in, so the list is complete before the loop begins.
  const properties = next.main.getAllProperties().filter(({ name }) => own.has(name))
  for (const property of properties) main.addProperty(property)
  main.updatePropertyWithValue("sequence", Math.max(event.sequence, isRescheduled ? before + 1 : before))
  object.removeAllProperties("method")
  for (const other of object.getAllSubcomponents("vevent")) if (other !== main) object.removeSubcomponent(other)
  return folded(object.toString())
}

/** Folds the lines again. The continuation lines of ical.js are one octet longer than the standard allows. */
const folded = (text: string): string =>
  text
    .replace(/\r\n[ \t]/g, "")
    .split("\r\n")
    .map(contentLine)
    .join("")

interface Readable {
  readonly object: ICAL.Component
  readonly main: ICAL.Component
}

const readable = (text: string, uid: string): Readable | undefined => {
  try {
    const object = ICAL.Component.fromString(text)
    const main = object
      .getAllSubcomponents("vevent")
      .find((event) => event.getFirstPropertyValue("uid") === uid && !event.hasProperty("recurrence-id"))
    return main === undefined ? undefined : { object, main }
  } catch {
    return undefined
  }
}

/**
 * Returns a digest of the values whose change counts as a change by a person. It does not depend on how a server or a program
 * writes the object.
 */
const contentDigestOf = (event: Readable): string =>
  digest([
    ...scheduleOf(event),
    ...["summary", "description", "url"].map((name) => textOf(event, name)),
    ...["rrule", "rdate"].map((name) => String(event.main.hasProperty(name)))
  ])

/** Returns the values whose change increases SEQUENCE: time, place, status and whether the event is shown as busy. */
const scheduleOf = (event: Readable): ReadonlyArray<string> => [
  timeOf(event),
  textOf(event, "location"),
  textOf(event, "status") || "CONFIRMED",
  textOf(event, "transp") || "OPAQUE"
]

const textOf = ({ main }: Readable, name: string): string =>
  collapseSpace(String(main.getFirstPropertyValue(name) ?? ""))

const timeOf = ({ main, object }: Readable): string => {
  try {
    const { end, start } = spanOf(main, ObjectZones.ofObject(object, utc, new Budget()))
    return JSON.stringify([start, end, main.getFirstProperty("dtstart")?.type])
  } catch {
    // With an unknown time zone the times have no instants. The text of the properties is compared instead.
    return ["dtstart", "dtend", "duration"].map((name) => String(main.getFirstProperty(name)?.toICALString())).join()
  }
}

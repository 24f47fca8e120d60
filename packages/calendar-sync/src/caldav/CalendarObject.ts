import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Ics from "@frontdesk/core/calendar-event/Ics"
import { contentLine } from "@frontdesk/core/calendar-event/IcsText"
import ICAL from "ical.js"
import { Budget } from "../recurrence/StepBudget.ts"
import * as ObjectZones from "../recurrence/ObjectZones.ts"
import { spanOf } from "../recurrence/Occurrences.ts"
import { utc } from "../recurrence/IcsZone.ts"
import type { RemoteEvent } from "../RemoteCalendar.ts"
import { digest, squeezed } from "../text/EventText.ts"

/** The property that says which version of an event was written. */
const mark = "x-frontdesk-version"

/** What Frontdesk writes of an event, or leaves out on purpose. All else in a copy is other people's, and stays. */
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

/** The object that a calendar keeps of an event (RFC 4791 4.1): without METHOD, and marked with the version. */
export const written = (event: CalendarEvent, version: string): string =>
  Ics.calendar(event, { method: null }).replace(
    "\r\nEND:VEVENT\r\n",
    `\r\n${contentLine(`${mark.toUpperCase()}:${version}`)}END:VEVENT\r\n`
  )

/** The copy that an object is. One that cannot be read is somebody else's work: it bears no version. */
export const copyOf = (text: string, uid: string, etag: string | null): RemoteEvent => {
  const event = readable(text, uid)
  if (event === undefined) return { id: uid, version: null, shown: digest([text]), etag }
  const version = event.main.getFirstPropertyValue(mark)
  return { id: uid, version: typeof version === "string" ? version : null, shown: shownOf(event), etag }
}

/**
 * The object with the event as it is now in the place of its properties, and all else as it was: attendees, alarms,
 * categories, colours, properties that nobody knows. A copy that somebody has made a series is one event again.
 *
 * SEQUENCE never falls, and rises with time, place and status (RFC 5546 2.1.4), also above what another program made it.
 */
export const merged = (text: string, event: CalendarEvent, version: string): string => {
  const ours = written(event, version)
  const theirs = readable(text, event.uuid)
  const next = readable(ours, event.uuid)
  if (theirs === undefined || next === undefined) return ours
  const { main, object } = theirs
  const before = Number(main.getFirstPropertyValue("sequence") ?? 0)
  const isMoved = placeOf(theirs).join() !== placeOf(next).join()
  for (const name of own) main.removeAllProperties(name)
  // A property that is added leaves the component it was in.
  const properties = next.main.getAllProperties().filter(({ name }) => own.has(name))
  for (const property of properties) main.addProperty(property)
  main.updatePropertyWithValue("sequence", Math.max(event.sequence, isMoved ? before + 1 : before))
  object.removeAllProperties("method")
  for (const other of object.getAllSubcomponents("vevent")) if (other !== main) object.removeSubcomponent(other)
  return folded(object.toString())
}

/** The lines folded anew: those of ical.js that go on have an octet more than a line may have. */
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

/** A digest of what a person sees; the same however a server or a program writes it. */
const shownOf = (event: Readable): string =>
  digest([
    ...placeOf(event),
    ...["summary", "description", "url"].map((name) => textOf(event, name)),
    ...["rrule", "rdate"].map((name) => String(event.main.hasProperty(name)))
  ])

/** When and where, and whether at all: what SEQUENCE counts. */
const placeOf = (event: Readable): ReadonlyArray<string> => [
  timeOf(event),
  textOf(event, "location"),
  textOf(event, "status") || "CONFIRMED",
  textOf(event, "transp") || "OPAQUE"
]

const textOf = ({ main }: Readable, name: string): string => squeezed(String(main.getFirstPropertyValue(name) ?? ""))

const timeOf = ({ main, object }: Readable): string => {
  try {
    const { end, start } = spanOf(main, ObjectZones.ofObject(object, utc, new Budget()))
    return JSON.stringify([start, end, main.getFirstProperty("dtstart")?.type])
  } catch {
    // A zone that nobody knows: other than what was written.
    return ["dtstart", "dtend", "duration"].map((name) => String(main.getFirstProperty(name)?.toICALString())).join()
  }
}

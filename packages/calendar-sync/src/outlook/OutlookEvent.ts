import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as Schema from "effect/Schema"
import type { RemoteEvent } from "../RemoteCalendar.ts"
import { clean, descriptionOf, digest, instant, limited, squeezed } from "../text/EventText.ts"
import { fromText, textOf } from "../text/Html.ts"
import * as MeetingBody from "./MeetingBody.ts"

const When = Schema.Struct({ dateTime: Schema.String, timeZone: Schema.String })

/** What is read of an event, its times asked for in UTC. */
export const OutlookEvent = Schema.Struct({
  id: Schema.String,
  "@odata.etag": Schema.optionalKey(Schema.String),
  subject: Schema.NullOr(Schema.String),
  body: Schema.Struct({ content: Schema.String }),
  location: Schema.NullOr(Schema.Struct({ displayName: Schema.optionalKey(Schema.NullOr(Schema.String)) })),
  start: When,
  end: When,
  isAllDay: Schema.Boolean,
  showAs: Schema.String,
  createdDateTime: Schema.optionalKey(Schema.NullOr(Schema.String)),
  singleValueExtendedProperties: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, value: Schema.String }))
  )
})

/** What is read of an event. */
export type OutlookEvent = typeof OutlookEvent.Type

/** The fields of {@link OutlookEvent}, for `$select`. */
export const selected = "id,subject,body,location,start,end,isAllDay,showAs,createdDateTime"

// The extended properties of Frontdesk: named ones, in a set of its own (Graph, singleValueLegacyExtendedProperty).
const propertySet = "{6f0a1c52-8d0e-4f7b-9d55-2b1f3c7e94a1}"
const eventProperty = `String ${propertySet} Name FrontdeskEvent`
const versionProperty = `String ${propertySet} Name FrontdeskVersion`

/** `$expand` for the version that was written. */
export const expandVersion = `singleValueExtendedProperties($filter=id eq '${versionProperty}')`

/** `$filter` for the copies of an event. */
export const filterBy = ({ uuid }: Pick<CalendarEvent, "uuid">): string =>
  `singleValueExtendedProperties/Any(ep: ep/id eq '${eventProperty}' and ep/value eq '${uuid}')`

/** Exchange keeps no longer subject and no longer location, in UTF-16 code units. */
const maximumSubject = 255

/** How the subject of a cancelled event begins, as that of a meeting cancelled by its organizer does in Outlook. */
const cancelledPrefix = "Canceled: "

const marks = ({ uuid }: CalendarEvent, version: string) => ({
  singleValueExtendedProperties: [
    { id: eventProperty, value: uuid },
    { id: versionProperty, value: version }
  ]
})

const fieldsOf = (event: CalendarEvent) => ({
  subject: limited(clean(event.title), maximumSubject),
  location: { displayName: limited(clean(event.location ?? ""), maximumSubject) },
  start: { dateTime: instant(event.startTime).replace("Z", ""), timeZone: "UTC" },
  end: { dateTime: instant(event.endTime).replace("Z", ""), timeZone: "UTC" },
  isAllDay: false,
  showAs: CalendarEventStatus.blocks(event.status) ? "busy" : "free"
})

const htmlOf = (event: CalendarEvent): string => MeetingBody.withoutSeparator(fromText(descriptionOf(event)))

/**
 * The name under which a mailbox makes a copy once. It is good once in the whole mailbox: another calendar there has another
 * one, and so has the copy that replaces a deleted one.
 */
export const transactionIdOf = (
  { uuid }: Pick<CalendarEvent, "uuid">,
  calendar: string,
  ...deleted: ReadonlyArray<string>
): string => digest([calendar, uuid, ...deleted])

/**
 * What a new copy in a calendar is made of. Outlook reminds people by itself of what is in their calendars, as they have set
 * it.
 */
export const newCopy = (event: CalendarEvent, version: string, transactionId: string) => ({
  ...marks(event, version),
  ...fieldsOf(event),
  body: { contentType: "html", content: htmlOf(event) },
  transactionId
})

/**
 * What turns a copy into the event as it is now: only what differs, so that all else stays as somebody has made it.
 *
 * A cancelled event is one whose subject says so and that takes no time. Graph has no status to write, and a deleted
 * event cannot be brought back.
 */
export const patchOf = (event: CalendarEvent, version: string, copy: OutlookEvent) => {
  if (event.status === "cancelled") {
    const subject = copy.subject ?? ""
    const isMarked = subject.startsWith(cancelledPrefix)
    return {
      ...marks(event, version),
      ...(isMarked ? {} : { subject: limited(cancelledPrefix + subject, maximumSubject) }),
      showAs: "free"
    }
  }
  const { end, isAllDay, location, showAs, start, subject } = fieldsOf(event)
  const html = htmlOf(event)
  return {
    ...marks(event, version),
    ...(squeezed(subject) === squeezed(copy.subject ?? "") ? {} : { subject }),
    ...(placeOf({ location }) === placeOf(copy) ? {} : { location }),
    // Together: one alone might lie on the wrong side of the other.
    ...(instantOf(start) === instantOf(copy.start) && instantOf(end) === instantOf(copy.end) && !copy.isAllDay
      ? {}
      : { start, end, isAllDay }),
    ...(showAs === copy.showAs ? {} : { showAs }),
    ...(textOf(html) === ownText(copy)
      ? {}
      : { body: { contentType: "html", content: MeetingBody.replaceOwn(copy.body.content, html) } })
  }
}

/** The copy that an event is. */
export const copyOf = (event: OutlookEvent, version: string | null = versionOf(event)): RemoteEvent => ({
  id: event.id,
  version,
  etag: event["@odata.etag"] ?? null,
  shown: digest([
    squeezed(event.subject ?? ""),
    placeOf(event),
    instantOf(event.start),
    instantOf(event.end),
    event.isAllDay,
    event.showAs,
    ownText(event)
  ])
})

// Outlook names a Teams meeting beside the place, or in its stead, in the language of whoever adds it.
const placeOf = ({ location }: Pick<OutlookEvent, "location">): string =>
  (location?.displayName ?? "")
    .split(";")
    .map(squeezed)
    .filter((place) => !place.includes("Microsoft Teams"))
    .join(";")

// What Teams adds to a body is no change of what Frontdesk wrote.
const ownText = ({ body }: OutlookEvent): string => textOf(MeetingBody.own(body.content))

/** To the second: Graph tells seven digits more. */
const instantOf = ({ dateTime, timeZone }: typeof When.Type): string => `${dateTime.slice(0, 19)} ${timeZone}`

const versionOf = ({ singleValueExtendedProperties }: OutlookEvent): string | null =>
  singleValueExtendedProperties?.find(({ id }) => id.toLowerCase() === versionProperty.toLowerCase())?.value ?? null

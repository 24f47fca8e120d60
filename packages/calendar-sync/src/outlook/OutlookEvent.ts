import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as Schema from "effect/Schema"
import type { RemoteCopy } from "../RemoteCalendar.ts"
import { clean, descriptionOf, digest, instant, truncate, collapseSpace } from "../text/EventText.ts"
import { fromText, textOf } from "../text/Html.ts"
import * as MeetingBody from "./MeetingBody.ts"

const When = Schema.Struct({ dateTime: Schema.String, timeZone: Schema.String })

/** The fields of an event in Graph that are read. Its times are requested in UTC. */
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

/** The fields of an event in Graph that are read. */
export type OutlookEvent = typeof OutlookEvent.Type

/** The value of `$select` with the fields of {@link OutlookEvent}. */
export const selected = "id,subject,body,location,start,end,isAllDay,showAs,createdDateTime"

// Frontdesk's marks are named extended properties in a property set of its own (Graph, singleValueLegacyExtendedProperty).
const propertySet = "{6f0a1c52-8d0e-4f7b-9d55-2b1f3c7e94a1}"
const eventProperty = `String ${propertySet} Name FrontdeskEvent`
const versionProperty = `String ${propertySet} Name FrontdeskVersion`

/** The value of `$expand` that adds the version of the copy to the answer. */
export const expandVersion = `singleValueExtendedProperties($filter=id eq '${versionProperty}')`

/** Returns the value of `$filter` that selects the copies of a calendar event. */
export const filterBy = ({ uuid }: Pick<CalendarEvent, "uuid">): string =>
  `singleValueExtendedProperties/Any(ep: ep/id eq '${eventProperty}' and ep/value eq '${uuid}')`

/** The maximum length of a subject and of a location in Exchange, in UTF-16 code units. */
const maxTextLength = 255

/** The beginning of the subject of a cancelled event. Outlook uses the same for a meeting that its organizer cancels. */
const cancelledPrefix = "Canceled: "

const marks = ({ uuid }: CalendarEvent, version: string) => ({
  singleValueExtendedProperties: [
    { id: eventProperty, value: uuid },
    { id: versionProperty, value: version }
  ]
})

const fieldsOf = (event: CalendarEvent) => ({
  subject: truncate(clean(event.title), maxTextLength),
  location: { displayName: truncate(clean(event.location ?? ""), maxTextLength) },
  start: { dateTime: instant(event.startTime).replace("Z", ""), timeZone: "UTC" },
  end: { dateTime: instant(event.endTime).replace("Z", ""), timeZone: "UTC" },
  isAllDay: false,
  showAs: CalendarEventStatus.blocks(event.status) ? "busy" : "free"
})

const htmlOf = (event: CalendarEvent): string => MeetingBody.withoutSeparator(fromText(descriptionOf(event)))

/**
 * Returns the `transactionId` of a copy. A mailbox creates one event for each id, in whichever calendar. The id therefore
 * depends on the calendar, and on the deleted copy that this one replaces.
 */
export const transactionIdOf = (
  { uuid }: Pick<CalendarEvent, "uuid">,
  calendar: string,
  ...deleted: ReadonlyArray<string>
): string => digest([calendar, uuid, ...deleted])

/**
 * Returns the body of the request that creates a copy. It sets no reminder, so Outlook applies the one that the person has
 * configured.
 */
export const newCopy = (event: CalendarEvent, version: string, transactionId: string) => ({
  ...marks(event, version),
  ...fieldsOf(event),
  body: { contentType: "html", content: htmlOf(event) },
  transactionId
})

/**
 * Returns the body of the request that updates a copy. It has only the fields that differ, so that everything else stays as
 * a person has made it.
 *
 * Graph has no status that can be written, and a deleted event cannot be restored. A cancelled event therefore gets the
 * prefix "Canceled: " and is shown as free.
 */
export const patchOf = (event: CalendarEvent, version: string, copy: OutlookEvent) => {
  if (event.status === "cancelled") {
    const subject = copy.subject ?? ""
    const isMarked = subject.startsWith(cancelledPrefix)
    return {
      ...marks(event, version),
      ...(isMarked ? {} : { subject: truncate(cancelledPrefix + subject, maxTextLength) }),
      showAs: "free"
    }
  }
  const { end, isAllDay, location, showAs, start, subject } = fieldsOf(event)
  const html = htmlOf(event)
  return {
    ...marks(event, version),
    ...(collapseSpace(subject) === collapseSpace(copy.subject ?? "") ? {} : { subject }),
    ...(placeOf({ location }) === placeOf(copy) ? {} : { location }),
    // Start and end are sent together, because a new start alone might be after the old end.
    ...(instantOf(start) === instantOf(copy.start) && instantOf(end) === instantOf(copy.end) && !copy.isAllDay
      ? {}
      : { start, end, isAllDay }),
    ...(showAs === copy.showAs ? {} : { showAs }),
    ...(textOf(html) === ownText(copy)
      ? {}
      : { body: { contentType: "html", content: MeetingBody.replaceOwn(copy.body.content, html) } })
  }
}

/** Returns an event of Graph as a copy. */
export const copyOf = (event: OutlookEvent, version: string | null = versionOf(event)): RemoteCopy => ({
  id: event.id,
  version,
  etag: event["@odata.etag"] ?? null,
  contentDigest: digest([
    collapseSpace(event.subject ?? ""),
    placeOf(event),
    instantOf(event.start),
    instantOf(event.end),
    event.isAllDay,
    event.showAs,
    ownText(event)
  ])
})

// When a person adds a Teams meeting, Outlook adds its name to the location, in the language of that person.
const placeOf = ({ location }: Pick<OutlookEvent, "location">): string =>
  (location?.displayName ?? "")
    .split(";")
    .map(collapseSpace)
    .filter((place) => !place.includes("Microsoft Teams"))
    .join(";")

// The part of the body that Teams adds does not count as a change by a person.
const ownText = ({ body }: OutlookEvent): string => textOf(MeetingBody.own(body.content))

/** Returns a time without the seven digits of a second's fraction that Graph adds. */
const instantOf = ({ dateTime, timeZone }: typeof When.Type): string => `${dateTime.slice(0, 19)} ${timeZone}`

const versionOf = ({ singleValueExtendedProperties }: OutlookEvent): string | null =>
  singleValueExtendedProperties?.find(({ id }) => id.toLowerCase() === versionProperty.toLowerCase())?.value ?? null

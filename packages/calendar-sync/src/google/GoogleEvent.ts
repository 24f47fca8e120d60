import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { RemoteCopy } from "../RemoteCalendar.ts"
import { clean, descriptionOf, digest, instant, truncate, collapseSpace } from "../text/EventText.ts"
import { escaped, textOf } from "../text/Html.ts"

const When = Schema.Struct({ date: Schema.optionalKey(Schema.String), dateTime: Schema.optionalKey(Schema.String) })

/** The fields of an event at Google that are read. A deleted event may have only the id. */
export const GoogleEvent = Schema.Struct({
  id: Schema.String,
  etag: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.String),
  summary: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  location: Schema.optionalKey(Schema.String),
  transparency: Schema.optionalKey(Schema.String),
  start: Schema.optionalKey(When),
  end: Schema.optionalKey(When),
  extendedProperties: Schema.optionalKey(
    Schema.Struct({ private: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)) })
  )
})

/** The fields of an event at Google that are read. */
export type GoogleEvent = typeof GoogleEvent.Type

/** Returns the id of a copy in a Google calendar: the 32 digits of the UUID. Ids must be base32hex, which includes them. */
export const idOf = ({ uuid }: Pick<CalendarEvent, "uuid">): string => uuid.replaceAll("-", "")

/** The names of Frontdesk's marks among the private properties of a copy. */
const marks = { event: "frontdeskEvent", version: "frontdeskVersion", status: "frontdeskStatus" } as const

/** The maximum length of a description that Google accepts, in characters of its HTML. */
const maxDescriptionLength = 8_192

/** Returns the fields of a copy that Frontdesk writes. A patch with them leaves all other fields as they are. */
export const fieldsOf = (event: CalendarEvent, version: string) => {
  const isCancelled = event.status === "cancelled"
  const marked = {
    extendedProperties: {
      private: { [marks.event]: event.uuid, [marks.version]: version, [marks.status]: event.status }
    }
  }
  // A person may have changed the other fields, and a cancellation does not need them.
  if (isCancelled) return { ...marked, status: "cancelled" }
  return {
    ...marked,
    status: "confirmed",
    summary: clean(event.title),
    description: htmlOf(descriptionOf(event)),
    location: clean(event.location ?? ""),
    start: { dateTime: instant(event.startTime) },
    end: { dateTime: instant(event.endTime) },
    transparency: CalendarEventStatus.blocks(event.status) ? "opaque" : "transparent"
  }
}

/** Returns {@link fieldsOf} for a copy that a person may have made an all-day event, or moved to another zone. */
export const patchOf = (event: CalendarEvent, version: string) => {
  const fields = fieldsOf(event, version)
  if (!("start" in fields)) return fields
  const timed = { date: null, timeZone: null }
  return { ...fields, start: { ...fields.start, ...timed }, end: { ...fields.end, ...timed } }
}

const htmlOf = (description: string): string => {
  for (let length = maxDescriptionLength; ; length = Math.floor(length / 2)) {
    const html = escaped(truncate(description, length))
    if (html.length <= maxDescriptionLength) return html
  }
}

/** Returns whether a person has deleted the event. At Google, a deleted event and a cancelled one have the same status. */
export const isDeletedByHand = (event: GoogleEvent): boolean =>
  event.status === "cancelled" && event.extendedProperties?.private?.[marks.status] !== "cancelled"

/** Returns an event of Google as a copy. */
export const copyOf = (event: GoogleEvent): RemoteCopy => ({
  id: event.id,
  version: event.extendedProperties?.private?.[marks.version] ?? null,
  etag: event.etag ?? null,
  contentDigest: digest([
    event.status === "cancelled",
    collapseSpace(event.summary ?? ""),
    textOf(event.description ?? ""),
    collapseSpace(event.location ?? ""),
    timeOf(event.start),
    timeOf(event.end),
    event.transparency ?? "opaque"
  ])
})

/** Returns the same text for the same instant, whatever the zone of the answer is. */
const timeOf = (when: typeof When.Type | undefined): string =>
  Option.match(DateTime.make(when?.dateTime ?? ""), {
    onNone: () => when?.date ?? "",
    onSome: (time) => instant(DateTime.toUtc(time))
  })

import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { RemoteEvent } from "../RemoteCalendar.ts"
import { clean, descriptionOf, digest, instant, limited, squeezed } from "../text/EventText.ts"
import { escaped, textOf } from "../text/Html.ts"

const When = Schema.Struct({ date: Schema.optionalKey(Schema.String), dateTime: Schema.optionalKey(Schema.String) })

/** What is read of an event. Of one that is deleted only the id is certain. */
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

/** What is read of an event. */
export type GoogleEvent = typeof GoogleEvent.Type

/** The id of an event in each Google calendar: its UUID's 32 digits, all of them in base32hex as an id must be. */
export const idOf = ({ uuid }: Pick<CalendarEvent, "uuid">): string => uuid.replaceAll("-", "")

/** Under which names Frontdesk leaves its marks among the private properties. */
const marks = { event: "frontdeskEvent", version: "frontdeskVersion", status: "frontdeskStatus" } as const

/** How much of a description Google takes, in characters of its HTML. */
const maximumDescription = 8_192

/** What Frontdesk writes of an event; whatever else the copy has stays as it is when this is patched in. */
export const fieldsOf = (event: CalendarEvent, version: string) => {
  const isCancelled = event.status === "cancelled"
  const marked = {
    extendedProperties: {
      private: { [marks.event]: event.uuid, [marks.version]: version, [marks.status]: event.status }
    }
  }
  // What the copy shows besides may be somebody's; a cancel leaves it alone.
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

/** {@link fieldsOf} for a copy that may have been made an all-day event, or one in another zone. */
export const patchOf = (event: CalendarEvent, version: string) => {
  const fields = fieldsOf(event, version)
  if (!("start" in fields)) return fields
  const timed = { date: null, timeZone: null }
  return { ...fields, start: { ...fields.start, ...timed }, end: { ...fields.end, ...timed } }
}

const htmlOf = (description: string): string => {
  for (let length = maximumDescription; ; length = Math.floor(length / 2)) {
    const html = escaped(limited(description, length))
    if (html.length <= maximumDescription) return html
  }
}

/** Whether it was deleted by somebody else than Frontdesk: one that is cancelled is deleted. */
export const isDeletedByHand = (event: GoogleEvent): boolean =>
  event.status === "cancelled" && event.extendedProperties?.private?.[marks.status] !== "cancelled"

/** The copy that an event is. */
export const copyOf = (event: GoogleEvent): RemoteEvent => ({
  id: event.id,
  version: event.extendedProperties?.private?.[marks.version] ?? null,
  etag: event.etag ?? null,
  shown: digest([
    event.status === "cancelled",
    squeezed(event.summary ?? ""),
    textOf(event.description ?? ""),
    squeezed(event.location ?? ""),
    timeOf(event.start),
    timeOf(event.end),
    event.transparency ?? "opaque"
  ])
})

/** The same text for the same instant, whatever the zone it is told in. */
const timeOf = (when: typeof When.Type | undefined): string =>
  Option.match(DateTime.make(when?.dateTime ?? ""), {
    onNone: () => when?.date ?? "",
    onSome: (time) => instant(DateTime.toUtc(time))
  })

import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as DatabaseId from "../values/DatabaseId.ts"
import { CalendarEventId, CalendarEventUuid } from "./CalendarEvent.ts"

/** How a calendar event is named: by its database id or its UUID. */
export const CalendarEventKey = Schema.Union([
  Schema.Struct({ id: CalendarEventId }),
  Schema.Struct({ uuid: CalendarEventUuid })
])

/** How a calendar event is named. */
export type CalendarEventKey = typeof CalendarEventKey.Type

const isUuid = Schema.is(CalendarEventUuid)
const isId = Schema.is(CalendarEventId)

/**
 * The `event_id` of a path: a database id, or a UUID in any case (D-HTTP-8).
 *
 * None when the text is neither. A number too great to be an id is none as well.
 */
export const parse = (text: string): Option.Option<CalendarEventKey> => {
  const uuid = text.toLowerCase()
  if (isUuid(uuid)) return Option.some({ uuid })
  const id = DatabaseId.parse(text)
  return isId(id) ? Option.some({ id }) : Option.none()
}

/** Returns the id or the UUID that a key holds. */
export const value = (key: CalendarEventKey): number | string => ("id" in key ? key.id : key.uuid)

import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as DatabaseId from "../values/DatabaseId.ts"
import { CalendarEventId, CalendarEventUuid } from "./CalendarEvent.ts"

/** Identifies a calendar event: by its database id or by its UUID (C-4.6-4). */
export const CalendarEventKey = Schema.Union([
  Schema.Struct({ id: CalendarEventId }),
  Schema.Struct({ uuid: CalendarEventUuid })
])

/** Identifies a calendar event: by its database id or by its UUID. */
export type CalendarEventKey = typeof CalendarEventKey.Type

const isUuid = Schema.is(CalendarEventUuid)
const isId = Schema.is(CalendarEventId)

/**
 * Parses the key of a calendar event: a database id, or a UUID in upper or lower case (C-4.6-4, D-HTTP-8). Returns none
 * for any other text, also for a number above `Number.MAX_SAFE_INTEGER`.
 */
export const parse = (text: string): Option.Option<CalendarEventKey> => {
  const uuid = text.toLowerCase()
  if (isUuid(uuid)) return Option.some({ uuid })
  const id = DatabaseId.parse(text)
  return isId(id) ? Option.some({ id }) : Option.none()
}

/** Returns the id or the UUID of a key. */
export const value = (key: CalendarEventKey): number | string => ("id" in key ? key.id : key.uuid)

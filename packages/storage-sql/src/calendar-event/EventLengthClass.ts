import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { blocks } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as DateTime from "effect/DateTime"

/** The class of every event longer than 2^20 minutes, which is two years. */
const maxClass = 21

const lengthOf = (busyClass: number): number => 60_000 * 2 ** busyClass

/**
 * Returns the length class of a blocking event: the smallest `c` with a length of at most 2^c minutes, or 21 above 2^20
 * minutes. Returns null for an event that does not block.
 *
 * An index on the start alone cannot find events that begin before a range and reach into it, because any earlier event
 * could be long enough. An event of class `c` below 21 that reaches into a range began less than 2^c minutes before the
 * range.
 */
export const busyClass = (event: Pick<CalendarEvent, "status" | "startTime" | "endTime">): number | null => {
  if (!blocks(event.status)) return null
  const length = DateTime.toEpochMillis(event.endTime) - DateTime.toEpochMillis(event.startTime)
  let found = 0
  while (found < maxClass && length > lengthOf(found)) found++
  return found
}

/**
 * The bound for class 21, which has no maximum length. Every event begins after it, since none begins before the year
 * 0. SQLite and PostgreSQL can store it.
 */
const earliest = DateTime.toEpochMillis(DateTime.makeUnsafe("-001000-01-01T00:00:00Z"))

/**
 * Returns for each length class the instant after which an event of the class must begin to reach into a range that
 * starts at `from`.
 */
export const startsAfter = (from: DateTime.Utc): ReadonlyArray<DateTime.Utc> =>
  Array.from({ length: maxClass + 1 }, (_, busyClass) =>
    DateTime.makeUnsafe(
      busyClass === maxClass ? earliest : Math.max(earliest, DateTime.toEpochMillis(from) - lengthOf(busyClass))
    )
  )

import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { blocks } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as DateTime from "effect/DateTime"

/** The class of every event longer than two years. */
const longest = 21

const lengthOf = (busyClass: number): number => 60_000 * 2 ** busyClass

/**
 * How long a blocking event is: the least `c` so that it is at most 2^c minutes long, 21 for anything above 2^20; null
 * when it does not block.
 *
 * An index by start alone cannot find what began before a range and reaches into it: any event before could be long
 * enough. Within one class none is longer than 2^c minutes, so it began less than that before the range.
 */
export const busyClass = (event: Pick<CalendarEvent, "status" | "startTime" | "endTime">): number | null => {
  if (!blocks(event.status)) return null
  const length = DateTime.toEpochMillis(event.endTime) - DateTime.toEpochMillis(event.startTime)
  let found = 0
  while (found < longest && length > lengthOf(found)) found++
  return found
}

/** Long before every event, for none begins before the year 0000; and an instant that every database knows. */
const dawn = DateTime.toEpochMillis(DateTime.makeUnsafe("-001000-01-01T00:00:00Z"))

/** For each class, after which instant an event of it begins that meets a range from `from` on. */
export const startsAfter = (from: DateTime.Utc): ReadonlyArray<DateTime.Utc> =>
  Array.from({ length: longest + 1 }, (_, busyClass) =>
    DateTime.makeUnsafe(
      busyClass === longest ? dawn : Math.max(dawn, DateTime.toEpochMillis(from) - lengthOf(busyClass))
    )
  )

import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { Interval } from "../values/Interval.ts"
import type { TimeZone } from "../values/TimeZone.ts"
import * as WallTime from "../values/WallTime.ts"
import { InvalidDatetimeFormat, InvalidTimeRange } from "./CalendarEventError.ts"
import type { CalendarEvent } from "./CalendarEvent.ts"

/** The start and the end of a calendar event. */
export type CalendarEventTimes = Pick<CalendarEvent, "startTime" | "endTime">

/** Returns the interval between two times. */
export const toInterval = ({ endTime, startTime }: CalendarEventTimes): Interval => ({
  start: DateTime.toEpochMillis(startTime),
  end: DateTime.toEpochMillis(endTime)
})

/** Returns the start and the end of an interval as times. */
export const fromInterval = ({ end, start }: Interval): CalendarEventTimes => ({
  startTime: DateTime.makeUnsafe(start),
  endTime: DateTime.makeUnsafe(end)
})

/**
 * Returns the instant of a time in a body (C-0-3). A time without an offset is a wall time in `zone` (D-HTTP-13). Fails
 * with `InvalidDatetimeFormat` for a text that `WallTime.parse` refuses (C-7-8).
 */
export const read = (
  field: InvalidDatetimeFormat["field"],
  text: string,
  zone: TimeZone
): Result.Result<DateTime.Utc, InvalidDatetimeFormat> =>
  Result.mapBoth(WallTime.parse(text, zone), {
    onSuccess: (millis) => DateTime.makeUnsafe(millis),
    onFailure: () => new InvalidDatetimeFormat({ field })
  })

/** Returns the same as {@link read}, and null for an absent time. */
export const readOptional = (
  field: InvalidDatetimeFormat["field"],
  text: string | null | undefined,
  zone: TimeZone
): Result.Result<DateTime.Utc | null, InvalidDatetimeFormat> =>
  text === null || text === undefined ? Result.succeed(null) : read(field, text, zone)

/** Returns the given object when it ends after it starts, and fails with `InvalidTimeRange` otherwise (C-2.5-3, C-7-9). */
export const checkOrder = <E extends CalendarEventTimes>(event: E): Result.Result<E, InvalidTimeRange> =>
  DateTime.isGreaterThan(event.endTime, event.startTime)
    ? Result.succeed(event)
    : Result.fail(new InvalidTimeRange({ startTime: event.startTime, endTime: event.endTime }))

/** Returns whether two states of a calendar event differ in start or end. */
export const isMoved = (before: CalendarEventTimes, after: CalendarEventTimes): boolean =>
  !DateTime.Equivalence(before.startTime, after.startTime) || !DateTime.Equivalence(before.endTime, after.endTime)

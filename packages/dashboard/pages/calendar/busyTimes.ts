import type { CalendarEventItem, ExternalBusyTime } from "@frontdesk/client"
import type { Timed } from "./dayLayout.ts"
import { rangeOf, type TimeRange } from "./eventValues.ts"

/** A busy time of external calendars, as the layout of days has it. */
export interface BusyTime extends Timed {
  readonly providers: ExternalBusyTime["providers"]
}

/** The statuses of events whose copies are busy in external calendars. */
const blocking: ReadonlySet<CalendarEventItem["status"]> = new Set(["scheduled", "confirmed", "completed"])

/** Returns whether an event takes up its time, so that nothing else can be booked then. */
export const isBlocking = ({ status }: Pick<CalendarEventItem, "status">): boolean => blocking.has(status)

/** Returns whether some ranges, ordered by start, cover a range without a gap. */
const isCovered = ({ end, start }: TimeRange, ranges: ReadonlyArray<TimeRange>): boolean => {
  let until = start
  for (const range of ranges) {
    if (range.start > until) break
    until = Math.max(until, range.end)
  }
  return until >= end
}

/**
 * Returns the busy times that events do not cover. External calendars are also busy at the copies of events, which the
 * calendar shows already.
 */
export const besideEvents = (
  times: ReadonlyArray<ExternalBusyTime>,
  events: ReadonlyArray<CalendarEventItem>
): ReadonlyArray<BusyTime> => {
  const ranges = events
    .filter(isBlocking)
    .map(rangeOf)
    .toSorted((a, b) => a.start - b.start)
  return times
    .map(({ end, providers, start }, id): BusyTime => ({ id, start_time: start, end_time: end, providers }))
    .filter((time) => !isCovered(rangeOf(time), ranges))
}

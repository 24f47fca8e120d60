import type { Account, CalendarEventItem } from "@frontdesk/client"
import { daysAfter, type Formats, minutesOf } from "../ui/formats.ts"
import { isBlocking } from "./busyTimes.ts"
import { isOpenOn, weekdayNameLong, windowsOf } from "./openDays.ts"
import { isoOf, rangeOf, type TimeRange } from "./eventValues.ts"
import { dateOfWall, minutesOfWall, wallOf } from "./zonedTime.ts"

/** What decides whether a time is free. */
export interface Surroundings {
  readonly account: Account
  readonly events: ReadonlyArray<CalendarEventItem>
  /** The times at which external calendars are busy, with the names of the calendars. */
  readonly busy: ReadonlyArray<{ readonly range: TimeRange; readonly calendars: string }>
}

const minute = 60_000

const overlaps = (one: TimeRange, other: TimeRange): boolean => one.start < other.end && one.end > other.start

/** Returns a length in minutes as a person says it. */
const lengthOf = (minutes: number): string => {
  const [size, unit] =
    minutes > 0 && minutes % 1_440 === 0
      ? ([minutes / 1_440, "day"] as const)
      : minutes > 0 && minutes % 60 === 0
        ? ([minutes / 60, "hour"] as const)
        : ([minutes, "minute"] as const)
  return `${size} ${unit}${size === 1 ? "" : "s"}`
}

/** Returns why a time is outside of the working hours, or null when it is within them. */
const closedReason = (range: TimeRange, account: Account, { zone }: Formats): string | null => {
  const [start, end] = [wallOf(range.start, zone), wallOf(range.end, zone)]
  const date = dateOfWall(start)
  if (!isOpenOn(account, date)) return `The account is closed on this ${weekdayNameLong(date)}.`
  const isNextMidnight = end.endsWith("T00:00") && dateOfWall(end) === daysAfter(date, 1)
  if (dateOfWall(end) !== date && !isNextMidnight) return "It does not end on the day on which it starts."
  const [from, until] = [minutesOfWall(start), isNextMidnight ? 1_440 : minutesOfWall(end)]
  const windows = windowsOf(account, date)
  if (windows.some(([opens, closes]) => minutesOf(opens) <= from && minutesOf(closes) >= until)) return null
  return `The working hours of this day are ${windows.map(([opens, closes]) => `${opens} – ${closes}`).join(", ")}.`
}

/** Returns why a time is not free, as sentences. They are none when nothing that the pages can see is the reason. */
export const reasonsOf = (
  range: TimeRange,
  { account, busy, events }: Surroundings,
  formats: Formats
): ReadonlyArray<string> => {
  const { buffer_after_minutes: after, buffer_before_minutes: before, minimum_notice_minutes: notice } = account
  const time = ({ end, start }: TimeRange) => `${formats.clock(isoOf(start))} – ${formats.clock(isoOf(end))}`
  const closed = closedReason(range, account, formats)
  const early =
    range.start < Date.now()
      ? "It is in the past."
      : range.start < Date.now() + notice * minute
        ? `An appointment needs a notice of ${lengthOf(notice)}.`
        : null
  const taken = (taker: TimeRange, name: string): ReadonlyArray<string> => {
    if (overlaps(range, taker)) return [`${name} is at ${time(taker)}.`]
    const widened = { start: taker.start - before * minute, end: taker.end + after * minute }
    if (!overlaps(range, widened)) return []
    return range.start >= taker.end
      ? [`${name} ends at ${formats.clock(isoOf(taker.end))}, and ${lengthOf(after)} after it are kept free.`]
      : [`${name} starts at ${formats.clock(isoOf(taker.start))}, and ${lengthOf(before)} before it are kept free.`]
  }
  return [
    ...(closed === null ? [] : [closed]),
    ...(early === null ? [] : [early]),
    ...events.filter(isBlocking).flatMap((event) => taken(rangeOf(event), `“${event.title}”`)),
    ...busy.flatMap((one) => taken(one.range, `A busy time in ${one.calendars}`))
  ]
}

import * as Result from "effect/Result"
import { minuteOf } from "../values/ClockTime.ts"
import { type CalendarDate, dayMillis, dayOfWeekOf, exists, toDayNumber } from "../values/GregorianCalendar.ts"
import { startOfDay, type TimeZone, toInstant } from "../values/LocalTime.ts"
import { spanAt } from "../values/ZoneOffset.ts"
import { InvalidWindow } from "./AvailabilityError.ts"
import { type Interval, union } from "../values/Interval.ts"
import type { DateOverrides, Window, WorkingHours } from "../values/WorkingHours.ts"

/** The opening hours of an account: its working hours, and the dates that replace them, in its time zone. */
export interface OpeningHours {
  readonly timeZone: TimeZone
  readonly workingHours: WorkingHours
  readonly dateOverrides?: DateOverrides | undefined
}

/**
 * Returns the open instants from the start of `startDate` to the end of `endDate`, both local dates included. The
 * intervals are in order, and none overlaps or touches another (rule 1 of `Slots.find`).
 *
 * Each wall time is mapped to an instant on its own (D-AVL-6). When a change of offset moves the end of a window past
 * midnight, the window is open on both dates (D-AVL-7). Fails with `InvalidWindow` for a window that does not end after
 * it starts.
 */
export const openTime = (
  hours: OpeningHours,
  startDate: CalendarDate,
  endDate: CalendarDate
): Result.Result<ReadonlyArray<Interval>, InvalidWindow> => {
  const zone = hours.timeZone
  // The search begins a day early, because a change of offset may move a window of that day past midnight.
  const firstDay = toDayNumber(startDate) - 1
  const lastDay = toDayNumber(endDate)
  const week = readWeek(hours.workingHours)
  if (week instanceof InvalidWindow) return Result.fail(week)
  const overrides = readOverrides(hours.dateOverrides ?? {}, firstDay, lastDay)
  if (overrides instanceof InvalidWindow) return Result.fail(overrides)

  const from = startOfDay(firstDay + 1, zone)
  const to = startOfDay(lastDay + 1, zone)
  const windows: Array<Interval> = []
  const add = (start: number, end: number): void => {
    if (start < to && end > from) windows.push({ start: Math.max(start, from), end: Math.min(end, to) })
  }

  let span = spanAt(from, zone)
  for (let day = firstDay; day <= lastDay; day++) {
    const today = overrides.get(day) ?? week[dayOfWeekOf(day) - 1] ?? closed
    if (today.length === 0) continue
    const midnight = day * dayMillis
    if (midnight + dayMillis - span.offset >= span.end) span = spanAt(midnight - span.offset, zone)
    // From two days after a change of offset to a day before the next one, every wall time has this offset.
    const isSteady =
      midnight - span.offset >= span.start + 2 * dayMillis && midnight + dayMillis - span.offset < span.end
    if (isSteady) {
      for (const { end, start } of today) add(midnight + start - span.offset, midnight + end - span.offset)
      continue
    }
    const nextDay = startOfDay(day + 1, zone)
    // A date that the zone has skipped has no instants, so its windows are never open.
    if (startOfDay(day, zone) === nextDay) continue
    for (const { end, start } of today) {
      add(toInstant(midnight + start, zone), end === dayMillis ? nextDay : toInstant(midnight + end, zone))
    }
  }
  return Result.succeed(union(windows))
}

/** The windows of a day in milliseconds of wall time since 00:00. */
type Hours = ReadonlyArray<Interval>

const closed: Hours = []

/** Returns the windows of each weekday from Monday, or the first invalid one. */
const readWeek = ({ fri, mon, sat, sun, thu, tue, wed }: WorkingHours): ReadonlyArray<Hours> | InvalidWindow => {
  const week: Array<Hours> = []
  for (const windows of [mon, tue, wed, thu, fri, sat, sun]) {
    const hours = windows === undefined ? closed : readWindows(windows)
    if (hours instanceof InvalidWindow) return hours
    week.push(hours)
  }
  return week
}

/** Returns the overrides of the dates between two day numbers, both included, by day number (D-AVL-8). */
const readOverrides = (
  dateOverrides: DateOverrides,
  firstDay: number,
  lastDay: number
): ReadonlyMap<number, Hours> | InvalidWindow => {
  const overrides = new Map<number, Hours>()
  for (const [date, windows] of Object.entries(dateOverrides)) {
    const day = exists(date) ? toDayNumber(date) : Number.NaN
    if (!(day >= firstDay && day <= lastDay)) continue
    const hours = readWindows(windows)
    if (hours instanceof InvalidWindow) return hours
    overrides.set(day, hours)
  }
  return overrides
}

const readWindows = (windows: ReadonlyArray<Window>): Hours | InvalidWindow => {
  const hours: Array<Interval> = []
  for (const window of windows) {
    const [start, end] = [minuteOf(window[0]), minuteOf(window[1])]
    if (!(start < end)) return new InvalidWindow({ window })
    hours.push({ start: start * 60_000, end: end * 60_000 })
  }
  return hours
}

import { dayMillis, dayOfWeekOf } from "@frontdesk/core/values/CalendarDate"

export { dayMillis as day, fromParts as fromDate, toParts as toDate } from "@frontdesk/core/values/CalendarDate"

/** Returns the day of a wall time, as the number of days since 1970-01-01. */
export const dayOf = (wall: number): number => Math.floor(wall / dayMillis)

/** Returns the weekday of a day. 0 is Monday. */
export const weekdayOf = (dayNumber: number): number => dayOfWeekOf(dayNumber) - 1

/** Returns the first day of the week that a day is in. `weekStart` is the weekday on which weeks begin. */
export const weekBegin = (dayNumber: number, weekStart: number): number =>
  dayNumber - modulo(weekdayOf(dayNumber) - weekStart, 7)

/** Returns the remainder of a division, between 0 and `by` also for a negative value. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by

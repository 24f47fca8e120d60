import { dayMillis, dayOfWeekOf } from "@frontdesk/core/values/CalendarDate"

export { dayMillis as day, fromParts as fromDate, toParts as toDate } from "@frontdesk/core/values/CalendarDate"

/** The day of a wall time: how many days after 1970-01-01. */
export const dayOf = (wall: number): number => Math.floor(wall / dayMillis)

/** The weekday of a day: 0 is Monday. */
export const weekdayOf = (dayNumber: number): number => dayOfWeekOf(dayNumber) - 1

/** The first day of the week of a day, which begins on this weekday. */
export const weekBegin = (dayNumber: number, weekStart: number): number =>
  dayNumber - modulo(weekdayOf(dayNumber) - weekStart, 7)

/** The remainder that is never negative. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by

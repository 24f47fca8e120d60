import * as CalendarDay from "./CalendarDay.ts"
import type { Rule } from "./RecurrenceRule.ts"

/** Returns whether a day fulfils every condition of a rule on days: BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY and BYDAY. */
export const isIncluded = (rule: Rule, day: number): boolean => {
  const { byDay, byMonth, byMonthDay, byWeekNo, byYearDay } = rule
  // The weekday is checked first, because it is cheap and excludes most days.
  const weekday = CalendarDay.weekdayOf(day)
  const named = byDay.filter((one) => one.weekday === weekday)
  if (byDay.length > 0 && named.length === 0) return false
  const date = CalendarDay.toDate(day)
  if (byMonth.length > 0 && !byMonth.includes(date.month)) return false
  const month = positionIn(
    day,
    CalendarDay.fromDate(date.year, date.month, 1),
    CalendarDay.fromDate(date.year, date.month + 1, 1)
  )
  if (byMonthDay.length > 0 && !isAt(month, byMonthDay)) return false
  if (byYearDay.length > 0 && !isAt(inYear(day, date.year), byYearDay)) return false
  if (byWeekNo.length > 0 && !isAt(weekOf(day, date.year, rule.weekStart), byWeekNo)) return false
  return byDay.length === 0 || named.some(({ nth }) => nth === null || isNth(rule, day, nth, month))
}

/** The position of a day in a month or year, or of a week in a year. The first is 1, the last is `total`. */
interface Position {
  readonly number: number
  readonly total: number
}

const positionIn = (day: number, first: number, end: number): Position => ({
  number: day - first + 1,
  total: end - first
})

const inYear = (day: number, year: number): Position =>
  positionIn(day, CalendarDay.fromDate(year, 1, 1), CalendarDay.fromDate(year + 1, 1, 1))

/** Returns whether a list has a position. Negative entries of the list count from the end. */
const isAt = ({ number, total }: Position, positions: ReadonlyArray<number>): boolean =>
  positions.includes(number) || positions.includes(number - total - 1)

/**
 * Returns whether a day is the nth of its weekday: in the month, or in the year for a yearly rule without BYMONTH. In a rule
 * that is neither monthly nor yearly, `nth` has no meaning, and the result is true.
 */
const isNth = (rule: Rule, day: number, nth: number, month: Position): boolean => {
  if (rule.frequency !== "MONTHLY" && rule.frequency !== "YEARLY") return true
  const isOfMonth = rule.frequency === "MONTHLY" || rule.byMonth.length > 0
  const { number, total } = isOfMonth ? month : inYear(day, CalendarDay.toDate(day).year)
  return nth > 0 ? Math.ceil(number / 7) === nth : Math.ceil((total - number + 1) / 7) === -nth
}

/** Returns the week of a day. Week 1 is the first with at least four days in its year (ISO 8601, RFC 5545 3.3.10). */
const weekOf = (day: number, year: number, weekStart: number): Position => {
  const begin = (of: number): number => CalendarDay.weekBegin(CalendarDay.fromDate(of, 1, 4), weekStart)
  const of = day >= begin(year + 1) ? year + 1 : day < begin(year) ? year - 1 : year
  return { number: Math.floor((day - begin(of)) / 7) + 1, total: (begin(of + 1) - begin(of)) / 7 }
}

import * as CalendarDay from "./CalendarDay.ts"
import type { Rule } from "./RecurrenceRule.ts"

/** Whether a rule has the day, as far as its parts for days tell: each that is given must let it through. */
export const isIncluded = (rule: Rule, day: number): boolean => {
  const { byDay, byMonth, byMonthDay, byWeekNo, byYearDay } = rule
  // First what is cheap and leaves out most.
  const weekday = CalendarDay.weekdayOf(day)
  const named = byDay.filter((one) => one.weekday === weekday)
  if (byDay.length > 0 && named.length === 0) return false
  const date = CalendarDay.toDate(day)
  if (byMonth.length > 0 && !byMonth.includes(date.month)) return false
  const month = spanOf(
    day,
    CalendarDay.fromDate(date.year, date.month, 1),
    CalendarDay.fromDate(date.year, date.month + 1, 1)
  )
  if (byMonthDay.length > 0 && !isAt(month, byMonthDay)) return false
  if (byYearDay.length > 0 && !isAt(yearOf(day, date.year), byYearDay)) return false
  if (byWeekNo.length > 0 && !isAt(weekOf(day, date.year, rule.weekStart), byWeekNo)) return false
  return byDay.length === 0 || named.some(({ nth }) => nth === null || isNth(rule, day, nth, month))
}

/** Where something lies among its like: the first is 1, and of `total`. */
interface Place {
  readonly number: number
  readonly total: number
}

const spanOf = (day: number, first: number, end: number): Place => ({ number: day - first + 1, total: end - first })

const yearOf = (day: number, year: number): Place =>
  spanOf(day, CalendarDay.fromDate(year, 1, 1), CalendarDay.fromDate(year + 1, 1, 1))

/** Whether a place is among those that are counted from the front, or, below zero, from the back. */
const isAt = ({ number, total }: Place, places: ReadonlyArray<number>): boolean =>
  places.includes(number) || places.includes(number - total - 1)

/**
 * The nth such weekday: of the month, or of the year in a yearly rule without months. In other rules each one counts.
 */
const isNth = (rule: Rule, day: number, nth: number, month: Place): boolean => {
  if (rule.frequency !== "MONTHLY" && rule.frequency !== "YEARLY") return true
  const isOfMonth = rule.frequency === "MONTHLY" || rule.byMonth.length > 0
  const { number, total } = isOfMonth ? month : yearOf(day, CalendarDay.toDate(day).year)
  return nth > 0 ? Math.ceil(number / 7) === nth : Math.ceil((total - number + 1) / 7) === -nth
}

/** The week of a day: week 1 is the first with at least four days in its year (ISO 8601, RFC 5545 3.3.10). */
const weekOf = (day: number, year: number, weekStart: number): Place => {
  const begin = (of: number): number => CalendarDay.weekBegin(CalendarDay.fromDate(of, 1, 4), weekStart)
  const of = day >= begin(year + 1) ? year + 1 : day < begin(year) ? year - 1 : year
  return { number: Math.floor((day - begin(of)) / 7) + 1, total: (begin(of + 1) - begin(of)) / 7 }
}

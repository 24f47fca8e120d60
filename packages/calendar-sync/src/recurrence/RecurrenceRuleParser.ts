import ICAL from "ical.js"
import * as CalendarDay from "./CalendarDay.ts"
import { isUtc, type Moment, wallOf } from "./IcsTime.ts"
import type { Frequency, Rule } from "./RecurrenceRule.ts"

const frequencies = new Set(["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"])

const isFrequency = (text: string): text is Frequency => frequencies.has(text)

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

/**
 * Returns the recurrence rules of a component (RFC 5545 3.3.10).
 *
 * @param start the start of the component. It fills in what a rule omits, and its zone converts an UNTIL in UTC
 * @throws when a rule cannot be read, or uses another calendar than the Gregorian (RFC 7529)
 */
export const rulesOf = (component: ICAL.Component, start: Moment): ReadonlyArray<Rule> =>
  component.getAllProperties("rrule").map((property) => {
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur) || !isFrequency(rule.freq) || "rscale" in rule) {
      throw new Error("a recurrence rule cannot be read")
    }
    return completed(rule.freq, rule, start)
  })

const completed = (frequency: Frequency, { count, interval, parts, until, wkst }: ICAL.Recur, start: Moment) => {
  const { day, month } = CalendarDay.toDate(CalendarDay.dayOf(start.wall))
  const weekday = { weekday: CalendarDay.weekdayOf(CalendarDay.dayOf(start.wall)), nth: null }
  const rule: Rule = {
    frequency,
    interval,
    count: count || null,
    until: until ? untilOf(until, start) : null,
    weekStart: CalendarDay.modulo(wkst - 2, 7),
    byMonth: parts.BYMONTH ?? [],
    byWeekNo: parts.BYWEEKNO ?? [],
    byYearDay: parts.BYYEARDAY ?? [],
    byMonthDay: parts.BYMONTHDAY ?? [],
    byDay: (parts.BYDAY ?? []).map(namedDay),
    byHour: parts.BYHOUR ?? [],
    byMinute: parts.BYMINUTE ?? [],
    bySecond: parts.BYSECOND ?? [],
    bySetPos: parts.BYSETPOS ?? []
  }
  const namesDays = rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length > 0
  if (namesDays) return rule
  if (frequency === "WEEKLY" || rule.byWeekNo.length > 0) return { ...rule, byDay: [weekday] }
  if (frequency === "MONTHLY") return { ...rule, byMonthDay: [day] }
  if (frequency !== "YEARLY") return rule
  return { ...rule, byMonthDay: [day], byMonth: rule.byMonth.length === 0 ? [month] : rule.byMonth }
}

/** Returns UNTIL as a wall time. An UNTIL that is a date includes the whole day. */
const untilOf = (until: ICAL.Time, { isDate, zone }: Moment): number => {
  const wall = wallOf(until)
  if (until.isDate) return wall + CalendarDay.day - 1
  if (!isUtc(until)) return wall
  // RFC 5545 does not define a time in UTC for a series of dates. Programs mean its date either in UTC or in their zone. The
  // later one is taken, because a missing occurrence would show a busy day as free.
  return isDate ? Math.max(wall, zone.toWall(wall)) : zone.toWall(wall)
}

const namedDay = (text: string): Rule["byDay"][number] => {
  const nth = Number.parseInt(text, 10)
  return { weekday: weekdays.indexOf(text.slice(-2)), nth: Number.isNaN(nth) ? null : nth }
}

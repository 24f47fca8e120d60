import ICAL from "ical.js"
import * as Days from "./Days.ts"
import { isUtc, wallOf } from "./Moment.ts"
import type { Frequency, Rule } from "./Rule.ts"
import type { Zone } from "./Zone.ts"

const frequencies = new Set(["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"])

const isFrequency = (text: string): text is Frequency => frequencies.has(text)

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

/**
 * The rules of a component that begins at a wall time; what they leave open is as at the start (RFC 5545 3.3.10).
 *
 * @param zone in which an UNTIL in UTC is read
 * @throws when a rule cannot be read, or counts in another calendar than the Gregorian (RFC 7529)
 */
export const rulesOf = (component: ICAL.Component, start: number, zone: Zone): ReadonlyArray<Rule> =>
  component.getAllProperties("rrule").map((property) => {
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur) || !isFrequency(rule.freq) || "rscale" in rule) {
      throw new Error("it has a recurrence rule that cannot be read")
    }
    return completed(rule.freq, rule, start, zone)
  })

const completed = (
  frequency: Frequency,
  { count, interval, parts, until, wkst }: ICAL.Recur,
  start: number,
  zone: Zone
) => {
  const { day, month } = Days.toDate(Days.dayOf(start))
  const weekday = { weekday: Days.weekdayOf(Days.dayOf(start)), nth: null }
  const rule: Rule = {
    frequency,
    interval,
    count: count || null,
    until: until ? untilOf(until, zone) : null,
    weekStart: Days.modulo(wkst - 2, 7),
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

/** A date is over when its day is. */
const untilOf = (until: ICAL.Time, zone: Zone): number =>
  until.isDate ? wallOf(until) + Days.day - 1 : isUtc(until) ? zone.toWall(wallOf(until)) : wallOf(until)

const namedDay = (text: string): Rule["byDay"][number] => {
  const nth = Number.parseInt(text, 10)
  return { weekday: weekdays.indexOf(text.slice(-2)), nth: Number.isNaN(nth) ? null : nth }
}

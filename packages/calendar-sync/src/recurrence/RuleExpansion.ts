import type { Budget } from "./StepBudget.ts"
import * as CalendarDay from "./CalendarDay.ts"
import { isIncluded } from "./DayFilter.ts"
import type { Rule } from "./RecurrenceRule.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * Returns the occurrences of a rule between `from` and `until`, both included, in order and as wall times. The first
 * possible occurrence is `start`.
 *
 * The work depends on the distance between `from` and `until`. For a rule with COUNT it also depends on the age of `start`,
 * because every occurrence has to be counted.
 *
 * @throws when the budget is spent
 */
export const occurrences = (
  rule: Rule,
  start: number,
  from: number,
  until: number,
  budget: Budget
): ReadonlyArray<number> => {
  const last = Math.min(until, rule.until ?? until)
  const found: Array<number> = []
  let counted = 0
  for (let index = rule.count === null ? firstPeriod(rule, start, from) : 0; ; index++) {
    budget.spend()
    const period = periodAt(rule, start, index)
    if (period.begin > last) return found
    for (const time of timesIn(rule, start, period, budget)) {
      if (time < start) continue
      if (time > last) return found
      counted += 1
      if (time >= from) found.push(time)
      if (counted === rule.count) return found
    }
  }
}

/** The days of one repetition of a rule. A rule that repeats within the day has many periods on the same day. */
interface Period {
  /** The first wall time of the period. */
  readonly begin: number
  /** The days that may have occurrences: spans in order, each from its first day to the day after its last. */
  readonly spans: ReadonlyArray<readonly [first: number, end: number]>
}

const units: { readonly [F in "DAILY" | "HOURLY" | "MINUTELY" | "SECONDLY"]: number } = {
  DAILY: CalendarDay.day,
  HOURLY: hour,
  MINUTELY: minute,
  SECONDLY: second
}

const monthsOf = (wall: number): number => {
  const { month, year } = CalendarDay.toDate(CalendarDay.dayOf(wall))
  return year * 12 + month - 1
}

const weekOf = (wall: number, { weekStart }: Rule): number => CalendarDay.weekBegin(CalendarDay.dayOf(wall), weekStart)

const monthSpan = (months: number): readonly [number, number] => [
  CalendarDay.fromDate(0, months + 1, 1),
  CalendarDay.fromDate(0, months + 2, 1)
]

const periodAt = (rule: Rule, start: number, index: number): Period => {
  const steps = index * rule.interval
  const of = (...spans: Period["spans"]): Period => ({ begin: (spans[0]?.[0] ?? 0) * CalendarDay.day, spans })
  switch (rule.frequency) {
    case "YEARLY": {
      const year = Math.floor(monthsOf(start) / 12) + steps
      const months = rule.byMonth.toSorted((one, other) => one - other)
      return months.length === 0
        ? of([CalendarDay.fromDate(year, 1, 1), CalendarDay.fromDate(year + 1, 1, 1)])
        : of(...months.map((month) => monthSpan(year * 12 + month - 1)))
    }
    case "MONTHLY":
      return of(monthSpan(monthsOf(start) + steps))
    case "WEEKLY": {
      const week = weekOf(start, rule) + steps * 7
      return of([week, week + 7])
    }
    default: {
      const unit = units[rule.frequency]
      const begin = (Math.floor(start / unit) + steps) * unit
      return { begin, spans: [[CalendarDay.dayOf(begin), CalendarDay.dayOf(begin) + 1]] }
    }
  }
}

/** Returns the index of a period shortly before `from`: the last one that begins before it, or the one before that. */
const firstPeriod = (rule: Rule, start: number, from: number): number => {
  const { frequency, interval } = rule
  const passed =
    frequency === "YEARLY"
      ? Math.floor(monthsOf(from) / 12) - Math.floor(monthsOf(start) / 12)
      : frequency === "MONTHLY"
        ? monthsOf(from) - monthsOf(start)
        : frequency === "WEEKLY"
          ? (weekOf(from, rule) - weekOf(start, rule)) / 7
          : Math.floor((from - start) / units[frequency])
  return Math.max(0, Math.floor(passed / interval) - 1)
}

/** Returns the occurrences of a rule in a period, in order. */
const timesIn = (rule: Rule, start: number, period: Period, budget: Budget): ReadonlyArray<number> => {
  const ofDay = timesOfDay(rule, start, period)
  if (ofDay.length === 0) return []
  const times: Array<number> = []
  for (const [first, end] of period.spans) {
    for (let day = first; day < end; day++) {
      budget.spend()
      if (!isIncluded(rule, day)) continue
      budget.spend(ofDay.length)
      for (const time of ofDay) times.push(day * CalendarDay.day + time)
    }
  }
  return rule.bySetPos.length === 0 ? times : atPositions(times, rule.bySetPos)
}

/** Returns the times of day at which a rule has occurrences in a period, in milliseconds since midnight and in order. */
const timesOfDay = (rule: Rule, start: number, { begin }: Period): ReadonlyArray<number> => {
  const { byHour, byMinute, bySecond, frequency } = rule
  const isWithinHour = frequency === "MINUTELY" || frequency === "SECONDLY"
  const isWithinDay = frequency === "HOURLY" || isWithinHour
  // A unit smaller than the period takes its values from the rule, or from DTSTART when the rule has none. A unit that the
  // period fixes keeps the value of the period, and the rule can only exclude it.
  const valuesOf = (by: ReadonlyArray<number>, unit: number, size: number, isFixed: boolean): ReadonlyArray<number> => {
    const own = CalendarDay.modulo(Math.floor((isFixed ? begin : start) / unit), size)
    return by.length === 0 ? [own] : isFixed ? by.filter((value) => value === own) : by
  }
  const hours = valuesOf(byHour, hour, 24, isWithinDay)
  const minutes = valuesOf(byMinute, minute, 60, isWithinHour)
  const seconds = valuesOf(bySecond, second, 60, frequency === "SECONDLY")
  return hours
    .flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * hour + m * minute + s * second)))
    .toSorted((one, other) => one - other)
}

const atPositions = (times: ReadonlyArray<number>, positions: ReadonlyArray<number>): ReadonlyArray<number> => {
  const indexes = new Set(positions.map((position) => (position > 0 ? position - 1 : times.length + position)))
  return times.filter((_, index) => indexes.has(index))
}

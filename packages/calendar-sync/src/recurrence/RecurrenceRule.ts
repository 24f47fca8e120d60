import type { Budget } from "./StepBudget.ts"
import * as CalendarDay from "./CalendarDay.ts"
import { isIncluded } from "./DayFilter.ts"

/** How often a rule repeats. */
export type Frequency = "YEARLY" | "MONTHLY" | "WEEKLY" | "DAILY" | "HOURLY" | "MINUTELY" | "SECONDLY"

/**
 * A recurrence rule (RFC 5545 3.3.10), what it leaves open filled in from DTSTART.
 *
 * Times are wall times: the epoch milliseconds at which a clock in UTC shows the same date and time.
 */
export interface Rule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | null
  /** The last wall time that may be an occurrence. */
  readonly until: number | null
  /** 0 is Monday. */
  readonly weekStart: number
  readonly byMonth: ReadonlyArray<number>
  readonly byWeekNo: ReadonlyArray<number>
  readonly byYearDay: ReadonlyArray<number>
  readonly byMonthDay: ReadonlyArray<number>
  /** `nth` of the month or year; null: each one. */
  readonly byDay: ReadonlyArray<{ readonly weekday: number; readonly nth: number | null }>
  readonly byHour: ReadonlyArray<number>
  readonly byMinute: ReadonlyArray<number>
  readonly bySecond: ReadonlyArray<number>
  readonly bySetPos: ReadonlyArray<number>
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * The wall times of a rule that are not before its start, between `from` and `until`, both included, in order.
 *
 * The work grows with what lies between the two, not with the age of the start, unless the rule has a COUNT.
 *
 * @throws when it asks for too much work
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

/** What one repetition of a rule spans: some days, or a part of one when it repeats within the day. */
interface Period {
  /** The first wall time of it. */
  readonly begin: number
  /** Its days that are worth a look, each span from its first day to the day after its last, in order. */
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

/** The last period that begins before `from`, or the one before it. */
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

/** Every time that the rule has in a period, in order. */
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

/** The times of a day that the rule has, in order: of the days of a period, or of the part of a day that it is. */
const timesOfDay = (rule: Rule, start: number, { begin }: Period): ReadonlyArray<number> => {
  const { byHour, byMinute, bySecond, frequency } = rule
  const isWithinHour = frequency === "MINUTELY" || frequency === "SECONDLY"
  const isWithinDay = frequency === "HOURLY" || isWithinHour
  // What is finer than the period is chosen by the rule, or as DTSTART has it; what is not is only let through.
  const chosen = (by: ReadonlyArray<number>, unit: number, size: number, isFixed: boolean): ReadonlyArray<number> => {
    const own = CalendarDay.modulo(Math.floor((isFixed ? begin : start) / unit), size)
    return by.length === 0 ? [own] : isFixed ? by.filter((value) => value === own) : by
  }
  const hours = chosen(byHour, hour, 24, isWithinDay)
  const minutes = chosen(byMinute, minute, 60, isWithinHour)
  const seconds = chosen(bySecond, second, 60, frequency === "SECONDLY")
  return hours
    .flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * hour + m * minute + s * second)))
    .toSorted((one, other) => one - other)
}

const atPositions = (times: ReadonlyArray<number>, positions: ReadonlyArray<number>): ReadonlyArray<number> => {
  const indexes = new Set(positions.map((position) => (position > 0 ? position - 1 : times.length + position)))
  return times.filter((_, index) => indexes.has(index))
}

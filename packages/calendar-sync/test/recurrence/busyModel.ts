import type { Interval } from "@frontdesk/core/values/Interval"
import { TimeZone, toInstant } from "@frontdesk/core/values/TimeZone"
import * as fc from "fast-check"
import { calendar, event } from "./reading.ts"

/** A recurring event, in the simplest words. */
export interface Series {
  readonly zone: TimeZone
  /** Wall times in minutes. */
  readonly start: number
  readonly minutes: number
  readonly frequency: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY"
  readonly interval: number
  /** 0 is Monday; empty: as the start has it. */
  readonly weekdays: ReadonlyArray<number>
  /** Of the month, in monthly rules; empty: as the start has it. */
  readonly monthDays: ReadonlyArray<number>
  readonly end: { readonly count: number } | { readonly until: number } | null
  /** Which occurrences, by their number, are left out, cancelled, or moved by so many minutes. */
  readonly excluded: ReadonlyArray<number>
  readonly cancelled: ReadonlyArray<number>
  readonly moved: ReadonlyArray<readonly [number: number, minutes: number]>
}

const day = 1_440

/** The wall times, in minutes, at which a series has occurrences up to a wall time, found by trying every day. */
const starts = (series: Series, until: number): ReadonlyArray<number> => {
  const { end, frequency, interval, monthDays, weekdays } = series
  const first = dateOf(series.start)
  const found: Array<number> = []
  for (let wall = series.start; wall <= until; wall += day) {
    const date = dateOf(wall)
    const months = (date.getUTCFullYear() - first.getUTCFullYear()) * 12 + date.getUTCMonth() - first.getUTCMonth()
    const monday = (of: Date) => Math.floor(of.getTime() / 60_000 / day) - weekdayOf(of)
    const periods = {
      DAILY: (wall - series.start) / day,
      WEEKLY: (monday(date) - monday(first)) / 7,
      MONTHLY: months,
      YEARLY: date.getUTCFullYear() - first.getUTCFullYear()
    }[frequency]
    if (periods % interval !== 0) continue
    const isOnWeekday =
      weekdays.length > 0
        ? weekdays.includes(weekdayOf(date))
        : frequency !== "WEEKLY" || weekdayOf(date) === weekdayOf(first)
    const isMonthly = frequency === "MONTHLY" || frequency === "YEARLY"
    const isPlain = weekdays.length === 0 && monthDays.length === 0
    const isOnDay =
      monthDays.length > 0
        ? monthDays.includes(date.getUTCDate())
        : !isMonthly || !isPlain || date.getUTCDate() === first.getUTCDate()
    const isInMonth = frequency !== "YEARLY" || !isPlain || date.getUTCMonth() === first.getUTCMonth()
    if (!isOnWeekday || !isOnDay || !isInMonth) continue
    if (end !== null && "until" in end && wall > end.until) break
    found.push(wall)
    if (end !== null && "count" in end && found.length === end.count) break
  }
  return found.includes(series.start) ? found : [series.start, ...found]
}

/** When a series is busy between two instants. */
export const busyModel = (series: Series, window: Interval): ReadonlyArray<Interval> =>
  starts(series, window.end / 60_000 + 10 * day)
    .flatMap((wall, index) => {
      if (series.excluded.includes(index) || series.cancelled.includes(index)) return []
      const move = series.moved.find(([number]) => number === index)?.[1] ?? 0
      const start = toInstant((wall + move) * 60_000, series.zone)
      return [{ start, end: start + series.minutes * 60_000 }]
    })
    .filter(({ end, start }) => start < window.end && end > window.start)
    .toSorted((one, other) => one.start - other.start || one.end - other.end)

const dateOf = (wall: number): Date => new Date(wall * 60_000)

const weekdayOf = (date: Date): number => (date.getUTCDay() + 6) % 7

/** A wall time in minutes. */
export const minuteOf = (text: string) => Date.parse(text) / 60_000
const local = (wall: number) => new Date(wall * 60_000).toISOString().replace(/\.\d+Z|[-:]/g, "")
const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

/** A series between 2025 and the summer of 2026. */
export const anySeries: fc.Arbitrary<Series> = fc
  .record({
    zone: fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"),
    start: fc.integer({ min: minuteOf("2025-01-01"), max: minuteOf("2026-06-01") }),
    // Shorter than the time between two occurrences, or they would be told apart by nothing.
    minutes: fc.integer({ min: 1, max: 3_000 }),
    frequency: fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
    interval: fc.integer({ min: 1, max: 4 }),
    weekdays: fc.uniqueArray(fc.nat(6), { maxLength: 3 }),
    monthDays: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { maxLength: 3 }),
    end: fc.oneof(
      fc.constant(null),
      fc.record({ count: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ until: fc.integer({ min: minuteOf("2025-06-01"), max: minuteOf("2026-09-01") }) })
    ),
    excluded: fc.uniqueArray(fc.nat(30), { maxLength: 4 }),
    cancelled: fc.uniqueArray(fc.nat(30), { maxLength: 2 }),
    moved: fc.uniqueArray(fc.tuple(fc.nat(30), fc.integer({ min: -2_000, max: 2_000 })), {
      maxLength: 3,
      selector: ([number]) => number
    })
  })
  .map(({ monthDays, moved, zone, ...rest }) => ({
    ...rest,
    zone: TimeZone.make(zone),
    monthDays: rest.frequency === "WEEKLY" ? [] : monthDays,
    moved: moved.filter(([number]) => !rest.excluded.includes(number) && !rest.cancelled.includes(number))
  }))

/** The series as another program writes it. */
export const textOf = (of: Series): string => {
  const known = starts(of, minuteOf("2028-01-01"))
  const at = (name: string, wall: number) => `${name};TZID=${of.zone}:${local(wall)}`
  const named = (numbers: ReadonlyArray<number>) => numbers.flatMap((number) => known[number] ?? [])
  const duration = `DURATION:PT${of.minutes}M`
  const rule = [
    `FREQ=${of.frequency}`,
    `INTERVAL=${of.interval}`,
    ...(of.weekdays.length > 0 ? [`BYDAY=${of.weekdays.map((weekday) => weekdays[weekday]).join()}`] : []),
    ...(of.monthDays.length > 0 ? [`BYMONTHDAY=${of.monthDays.join()}`] : []),
    ...(of.end === null ? [] : "count" in of.end ? [`COUNT=${of.end.count}`] : [`UNTIL=${local(of.end.until)}`])
  ]
  return calendar(
    event(
      at("DTSTART", of.start),
      duration,
      `RRULE:${rule.join(";")}`,
      ...named(of.excluded).map((wall) => at("EXDATE", wall))
    ),
    ...named(of.cancelled).map((wall) =>
      event(at("RECURRENCE-ID", wall), at("DTSTART", wall), duration, "STATUS:CANCELLED")
    ),
    ...of.moved.flatMap(([number, minutes]) =>
      named([number]).map((wall) => event(at("RECURRENCE-ID", wall), at("DTSTART", wall + minutes), duration))
    )
  )
}

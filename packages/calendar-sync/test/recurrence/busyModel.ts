import type { Interval } from "@frontdesk/core/values/Interval"
import { TimeZone, toInstant } from "@frontdesk/core/values/TimeZone"
import * as fc from "fast-check"
import { calendar, event } from "./icsSamples.ts"

/** A recurring event in the simplest form. */
export interface Series {
  readonly zone: TimeZone
  /** The first start as a wall time, in minutes. */
  readonly start: number
  /** The length of each occurrence in minutes. */
  readonly minutes: number
  readonly frequency: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY"
  readonly interval: number
  /** The weekdays, where 0 is Monday. When empty, that of the start counts. */
  readonly weekdays: ReadonlyArray<number>
  /** The days of the month in a monthly rule. When empty, that of the start counts. */
  readonly monthDays: ReadonlyArray<number>
  readonly end: { readonly count: number } | { readonly until: number } | null
  /** The numbers of occurrences that EXDATE excludes. The first is 0. */
  readonly excluded: ReadonlyArray<number>
  /** The numbers of occurrences that are cancelled. */
  readonly cancelled: ReadonlyArray<number>
  /** The numbers of occurrences that are moved, and by how many minutes. */
  readonly moved: ReadonlyArray<readonly [number: number, minutes: number]>
}

const day = 1_440

/** Returns the starts of a series up to a wall time, as wall times in minutes. It examines every day. */
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

/** Returns the busy intervals of a series that overlap a window, in order. */
export const busyModel = (series: Series, window: Interval): ReadonlyArray<Interval> =>
  // Moves are below two days, and offsets from UTC below one. Starts up to ten days after the window cover both.
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

/** Returns a wall time in minutes. */
export const minuteOf = (text: string) => Date.parse(text) / 60_000
const local = (wall: number) => new Date(wall * 60_000).toISOString().replace(/\.\d+Z|[-:]/g, "")
const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

/** Generates a series that starts between January 2025 and June 2026. */
export const anySeries: fc.Arbitrary<Series> = fc
  .record({
    zone: fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"),
    start: fc.integer({ min: minuteOf("2025-01-01"), max: minuteOf("2026-06-01") }),
    // At most about two days, so that few occurrences overlap.
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

/** Returns a series as an iCalendar object, in the form in which other programs write it. */
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

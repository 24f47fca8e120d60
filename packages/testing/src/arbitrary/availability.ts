import { openTime } from "@frontdesk/core/availability/OpenTime"
import * as Slots from "@frontdesk/core/availability/Slots"
import type { Interval } from "@frontdesk/core/values/Interval"
import type { DateOverrides, Window, WorkingHours } from "@frontdesk/core/values/WorkingHours"
import { type CalendarDate, fromDayNumber, toDayNumber } from "@frontdesk/core/values/CalendarDate"
import { startOfDay, TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { show } from "./showQuestion.ts"

/**
 * Time zones with difficult cases: gaps of all sizes, gaps at midnight, offsets that are not whole hours, a missing
 * date.
 */
export const difficultZones: ReadonlyArray<TimeZone> = [
  "UTC",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "America/Havana",
  "America/Caracas",
  "America/Nuuk",
  "America/Scoresbysund",
  "Antarctica/Troll",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Beirut",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Asia/Pyongyang",
  "Asia/Tehran",
  "Atlantic/Azores",
  "Australia/Adelaide",
  "Australia/Eucla",
  "Australia/Lord_Howe",
  "Europe/Dublin",
  "Europe/London",
  "Europe/Istanbul",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Kiritimati"
].map((name) => TimeZone.make(name))

/** Generates a time zone. Default: one of {@link difficultZones}. */
export const timeZone = (options: { readonly zones?: ReadonlyArray<TimeZone> } = {}): fc.Arbitrary<TimeZone> =>
  fc.constantFrom(...(options.zones ?? difficultZones))

/** The days from 2006-01-01 to 2029-12-31, as numbers of days since 1970-01-01. */
const dayRange = { first: 13_149, last: 21_914 }

const changes = new Map<TimeZone, ReadonlyArray<CalendarDate>>()

/** Returns the local dates from 2006 to 2029 that do not last 24 hours in a zone. */
export const clockChangeDates = (zone: TimeZone): ReadonlyArray<CalendarDate> => {
  const known = changes.get(zone)
  if (known !== undefined) return known
  const found: Array<CalendarDate> = []
  for (let day = dayRange.first; day <= dayRange.last; day++) {
    if (startOfDay(day + 1, zone) - startOfDay(day, zone) !== 86_400_000) found.push(fromDayNumber(day))
  }
  changes.set(zone, found)
  return found
}

/**
 * Generates a date from 2006 to 2029. With a zone, most dates are at most one day from a clock change; with `around`,
 * all of a zone that changes its clocks are.
 */
export const date = (
  options: { readonly zone?: TimeZone; readonly around?: "clockChange" } = {}
): fc.Arbitrary<CalendarDate> => {
  const any = fc.integer({ min: dayRange.first, max: dayRange.last }).map(fromDayNumber)
  const special = options.zone === undefined ? [] : clockChangeDates(options.zone)
  if (special.length === 0) return any
  const near = fc
    .tuple(fc.constantFrom(...special), fc.integer({ min: -1, max: 1 }))
    .map(([change, days]) => fromDayNumber(toDayNumber(change) + days))
  if (options.around === "clockChange") return near
  return fc.oneof({ weight: 5, arbitrary: near }, { weight: 1, arbitrary: any })
}

const text = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`

/**
 * Generates a window of working hours. Its ends are often full or half hours, and often near midnight, where clocks
 * change.
 *
 * @param options.earliest the earliest start, in minutes from 00:00. Default: 0
 * @param options.latest the latest end, in minutes from 00:00. Default: 1,440
 */
export const window = (
  options: { readonly earliest?: number; readonly latest?: number } = {}
): fc.Arbitrary<Window> => {
  const [earliest, latest] = [options.earliest ?? 0, options.latest ?? 1_440]
  const minute = fc.oneof(
    fc.integer({ min: 0, max: Math.floor((latest - earliest) / 30) }).map((half) => earliest + half * 30),
    fc.integer({ min: earliest, max: Math.min(earliest + 240, latest) }),
    fc.integer({ min: Math.max(latest - 120, earliest), max: latest }),
    fc.constantFrom(earliest, latest)
  )
  return fc.tuple(minute, minute).map(([a, b]) => {
    if (a !== b) return [text(Math.min(a, b)), text(Math.max(a, b))]
    return b < latest ? [text(a), text(b + 1)] : [text(a - 1), text(b)]
  })
}

/** Generates the working hours of a week. Some days are missing, and some windows overlap. */
export const workingHours = (
  options: { readonly earliest?: number; readonly latest?: number } = {}
): fc.Arbitrary<WorkingHours> => {
  const day = fc.array(window(options), { maxLength: 3 })
  const days = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }
  return fc.record(days, { requiredKeys: [] })
}

/** Generates overrides for at most two dates, from the day before `from` to `days` days after it. */
export const dateOverrides = (options: {
  readonly from: CalendarDate
  readonly days: number
}): fc.Arbitrary<DateOverrides> =>
  fc
    .array(fc.tuple(fc.integer({ min: -1, max: options.days }), fc.array(window(), { maxLength: 2 })), { maxLength: 2 })
    .map((entries) =>
      Object.fromEntries(entries.map(([days, windows]) => [fromDayNumber(toDayNumber(options.from) + days), windows]))
    )

/** Generates busy intervals that start between two instants, in any order. Some are nested, empty or repeated. */
export const busy = (options: {
  readonly from: number
  readonly to: number
  readonly maxLength?: number
}): fc.Arbitrary<ReadonlyArray<Interval>> => {
  const unit = fc.constantFrom(900_000, 60_000, 1_000, 1)
  const length = fc.oneof(
    fc.constantFrom(0, 1, 900_000, 1_800_000, 3_600_000),
    fc.integer({ min: 0, max: 300 }).map((minutes) => minutes * 60_000),
    fc.integer({ min: 0, max: 40_000_000 })
  )
  const one = fc
    .tuple(fc.integer({ min: options.from, max: options.to }), unit, length)
    .map(([instant, unit, length]) => {
      const start = Math.floor(instant / unit) * unit
      return { start, end: start + length }
    })
  const maxLength = options.maxLength ?? 10
  return fc
    .tuple(fc.array(one, { maxLength }), fc.nat({ max: 2 }))
    .map(([intervals, twice]) => [...intervals, ...intervals.slice(0, twice)])
}

/** Options of {@link question}. */
export interface QuestionOptions {
  readonly zones?: ReadonlyArray<TimeZone>
  /** The maximum number of dates. Default: 3. */
  readonly maxDays?: number
  /** `someSlots`: every question has a slot, found by `Slots.find`. Default: at least 80 % have one. */
  readonly ensure?: "someSlots"
  /** `overlapsOpenTime`: a busy interval of every question lies in open time. Default: that of most questions does. */
  readonly busy?: "overlapsOpenTime"
  /** `clockChange`: every question begins at most one day from a clock change. Default: most questions do. */
  readonly around?: "clockChange"
}

const minuteMillis = 60_000

/**
 * Generates a question for free slots. At least 80 % of the questions have a slot, and in at least 60 % the busy times
 * change the slots. Counterexamples print in words, see `show`.
 *
 * @example
 * ```ts
 * const questions = question({ ensure: "someSlots", busy: "overlapsOpenTime", around: "clockChange" })
 * ```
 */
export const question = (options: QuestionOptions = {}): fc.Arbitrary<Slots.SlotQuery> => {
  const all = timeZone(options)
    .chain((zone) => withoutBusy(zone, options))
    .filter((query) => options.busy === undefined || openTimeOf(query).length > 0)
    .chain((query) => withBusy(query, options))
  const ensured =
    options.ensure === "someSlots" ? all.filter((query) => Result.getOrThrow(Slots.find(query)).length > 0) : all
  return ensured.map((query) =>
    // fast-check prints the value by this method, which is not enumerable, so that comparisons do not see it.
    Object.defineProperty({ ...query }, fc.toStringMethod, { value: () => show(query) })
  )
}

const withoutBusy = (zone: TimeZone, { around, maxDays = 3 }: QuestionOptions): fc.Arbitrary<Slots.SlotQuery> =>
  fc
    .tuple(date({ zone, ...(around === undefined ? {} : { around }) }), fc.integer({ min: 1, max: maxDays }))
    .chain(([startDate, days]) => {
      const firstDay = toDayNumber(startDate)
      const start = startOfDay(firstDay, zone)
      const [from, to] = [startOfDay(firstDay - 1, zone), startOfDay(firstDay + days + 1, zone)]
      const minutes = fc.oneof(fc.constantFrom(15, 20, 30, 45, 60, 90, 120, 180), fc.integer({ min: 1, max: 180 }))
      return fc.record(
        {
          timeZone: fc.constant(zone),
          startDate: fc.constant(startDate),
          endDate: fc.constant(fromDayNumber(firstDay + days - 1)),
          workingHours: fc.oneof({ weight: 8, arbitrary: longHours() }, { weight: 1, arbitrary: workingHours() }),
          dateOverrides: dateOverrides({ from: startDate, days }),
          duration: minutes,
          slotInterval: fc.oneof(minutes, fc.constantFrom(240, 720, 1_440)),
          bufferBefore: fc.constantFrom(0, 5, 15, 61),
          bufferAfter: fc.constantFrom(0, 5, 10, 90),
          notBefore: fc.oneof(
            { weight: 4, arbitrary: fc.integer({ min: from, max: start + 240 * minuteMillis }) },
            { weight: 1, arbitrary: fc.integer({ min: from, max: to }) }
          )
        },
        { requiredKeys: ["timeZone", "startDate", "endDate", "workingHours", "duration"] }
      )
    })

/** Hours of at least four hours on every weekday, often around midnight and the hours in which clocks change. */
const longHours = (): fc.Arbitrary<WorkingHours> => {
  const day = fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 8, max: 48 }), fc.array(window(), { maxLength: 2 }))
    .map(
      ([start, length, more]) =>
        [[text(start * 30), text(Math.min(48, start + length) * 30)] as const, ...more] as const
    )
  return fc.record({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day })
}

const openTimeOf = (query: Slots.SlotQuery): ReadonlyArray<Interval> =>
  Result.getOrThrow(openTime(query, query.startDate, query.endDate))

const withBusy = (query: Slots.SlotQuery, options: QuestionOptions): fc.Arbitrary<Slots.SlotQuery> => {
  const firstDay = toDayNumber(query.startDate)
  const anywhere = busy({
    from: startOfDay(firstDay - 1, query.timeZone),
    to: startOfDay(toDayNumber(query.endDate) + 2, query.timeZone)
  })
  const open = openTimeOf(query)
  const inOpenTime = open.length === 0 ? anywhere : busyWithin(open)
  const chosen =
    options.busy === "overlapsOpenTime"
      ? inOpenTime
      : fc.oneof({ weight: 7, arbitrary: inOpenTime }, { weight: 1, arbitrary: anywhere })
  return chosen.map((intervals) => ({ ...query, busy: intervals }))
}

/** Generates one to four busy intervals of at most two hours that start in open time. */
const busyWithin = (open: ReadonlyArray<Interval>): fc.Arbitrary<ReadonlyArray<Interval>> => {
  const one = fc
    .tuple(
      fc.constantFrom(...open),
      fc.double({ min: 0, max: 0.95, noNaN: true }),
      fc.constantFrom(15 * minuteMillis, 5 * minuteMillis, minuteMillis, 1),
      fc.integer({ min: 1, max: 120 })
    )
    .map(([{ end, start }, place, unit, length]) => {
      const instant = Math.max(start, Math.floor((start + (end - start) * place) / unit) * unit)
      return { start: instant, end: instant + length * minuteMillis }
    })
  return fc.array(one, { minLength: 1, maxLength: 4 })
}

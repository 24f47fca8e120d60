import type { Interval } from "@frontdesk/core/values/Interval"
import { openTime } from "@frontdesk/core/availability/OpenTime"
import * as Slots from "@frontdesk/core/availability/Slots"
import { defaultHours } from "@frontdesk/core/values/WorkingHours"
import { addDays, CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { startOfDate, TimeZone } from "@frontdesk/core/values/TimeZone"
import type { SuiteOptions } from "./Rounds.ts"

const minute = 60_000
const timeZone = TimeZone.make("America/New_York")
const startDate = CalendarDate.make("2026-01-05")

interface Case {
  readonly name: string
  readonly days: number
  readonly busy: number
  readonly duration: number
  readonly shuffled?: boolean
}

const cases: ReadonlyArray<Case> = [
  { name: "7 days, 20 busy", days: 7, busy: 20, duration: 30 },
  { name: "31 days, 200 busy", days: 31, busy: 200, duration: 30 },
  { name: "31 days, 2,000 busy", days: 31, busy: 2_000, duration: 30 },
  { name: "365 days, 5,000 busy", days: 365, busy: 5_000, duration: 30 },
  { name: "365 days, 5,000 busy, shuffled", days: 365, busy: 5_000, duration: 30, shuffled: true },
  { name: "90 days, 1,000 busy, 1 minute", days: 90, busy: 1_000, duration: 1 }
]

/** Finds the same slots with the least work. The open windows are given, and everything is an integer. */
const plainSweep = (
  windows: ReadonlyArray<Interval>,
  intervals: ReadonlyArray<Interval>,
  length: number,
  shuffled: boolean
): ReadonlyArray<Interval> => {
  const busy = shuffled ? intervals.toSorted((a, b) => a.start - b.start) : intervals
  const slots: Array<Interval> = []
  const fill = (from: number, to: number): void => {
    for (let start = Math.ceil(from / length) * length; start + length <= to; start += length) {
      slots.push({ start, end: start + length })
    }
  }
  let index = 0
  let free = 0
  for (const window of windows) {
    free = Math.max(free, window.start)
    for (let taken = busy[index]; taken !== undefined && taken.start < window.end; taken = busy[++index]) {
      if (taken.start > free) fill(free, taken.start)
      free = Math.max(free, taken.end)
    }
    if (free < window.end) fill(free, window.end)
  }
  return slots
}

/** Makes a generator of numbers that look random and are the same in every run. */
const makeRandom = (): ((below: number) => number) => {
  let state = 12_345
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const makeBusy = (from: number, days: number, count: number, shuffled: boolean): ReadonlyArray<Interval> => {
  const random = makeRandom()
  const busy = Array.from({ length: count }, () => {
    const start = from + random(days * 96) * 15 * minute
    return { start, end: start + (1 + random(4)) * 15 * minute }
  })
  return shuffled ? busy : busy.toSorted((a, b) => a.start - b.start)
}

const find = (query: Slots.SlotQuery): ReadonlyArray<Interval> => {
  const answer = Slots.find(query)
  if (answer._tag === "Failure") throw answer.failure
  return answer.success
}

const knownWindows = (query: Slots.SlotQuery): ReadonlyArray<Interval> => {
  const windows = openTime(query, query.startDate, query.endDate)
  if (windows._tag === "Failure") throw windows.failure
  return windows.success
}

const millisOf = (work: () => unknown, times: number): number => {
  const start = performance.now()
  for (let call = 0; call < times; call++) work()
  return (performance.now() - start) / times
}

const summary = (rounds: ReadonlyArray<number>) => {
  const sorted = rounds.toSorted((a, b) => a - b)
  return { best: sorted[0] ?? Number.NaN, median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN }
}

const row = (name: string, cells: ReadonlyArray<string>): string =>
  [name.padEnd(32), ...cells.map((cell) => cell.padStart(10))].join(" ")

const measure = ({ busy: count, days, duration, name, shuffled = false }: Case, rounds: number): string => {
  const endDate = addDays(startDate, days - 1)
  const busy = makeBusy(startOfDate(startDate, timeZone), days, count, shuffled)
  const query = { timeZone, workingHours: defaultHours, startDate, endDate, duration, busy }
  const windows = knownWindows(query)
  const ask = () => find(query)
  const sweep = () => plainSweep(windows, busy, duration * minute, shuffled)
  const found = ask()
  if (JSON.stringify(found) !== JSON.stringify(sweep()))
    throw new Error(`${name}: Slots.find and the plain sweep returned different slots.`)

  millisOf(ask, 20)
  const times = Math.max(1, Math.ceil(4 / millisOf(ask, 20)))
  const asked: Array<number> = []
  const swept: Array<number> = []
  // In turns, so that other load on the machine affects both alike.
  for (let round = 0; round < rounds; round++) {
    asked.push(millisOf(ask, times))
    swept.push(millisOf(sweep, times))
  }
  const [ours, plain] = [summary(asked), summary(swept)]
  return row(name, [
    String(found.length),
    ...[ours.best, ours.median, plain.best, plain.median].map((millis) => millis.toFixed(4)),
    (ours.best / plain.best).toFixed(2),
    (ours.median / plain.median).toFixed(2)
  ])
}

/** Measures a year in time zones that were not used before, so that every offset comes from the runtime. */
const measureFirst = (): string => {
  const endDate = addDays(startDate, 364)
  const times = ["Europe/Berlin", "Asia/Tokyo", "Australia/Sydney", "America/Chicago", "Africa/Cairo"].map((name) => {
    const query = { timeZone: TimeZone.make(name), workingHours: defaultHours, startDate, endDate, duration: 30 }
    return millisOf(() => find(query), 1)
  })
  const { best, median } = summary(times)
  return row("365 days, a zone's first call", ["", best.toFixed(4), median.toFixed(4)])
}

/** Prints the time of `Slots.find`, compared with a plain sweep over given open windows. */
export const run = async ({ quick }: SuiteOptions): Promise<void> => {
  console.log("Slots.find against a plain integer sweep over known windows, milliseconds a call")
  console.log(row("", ["slots", "best", "median", "sweep best", "median", "x best", "x median"]))
  for (const each of cases) console.log(measure(each, quick ? 1 : 41))
  console.log(measureFirst())
}

if (import.meta.main) await run({ quick: false })

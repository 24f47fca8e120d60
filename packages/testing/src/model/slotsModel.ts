import type { Interval } from "@frontdesk/core/values/Interval"
import type { SlotQuery, Slot } from "@frontdesk/core/availability/Slots"
import type { DateOverrides, WorkingHours } from "@frontdesk/core/values/WorkingHours"

const minute = 60_000
const day = 1_440 * minute

/**
 * One minute: its instant, and the local time that a clock shows in it, as the epoch milliseconds of the same UTC time.
 */
interface Tick {
  readonly instant: number
  readonly wall: number
}

/**
 * Returns the free slots by reading a local clock minute by minute. It is slow and simple, and `Slots.find` is compared
 * with it.
 *
 * It uses only types of core. It supports offsets of whole minutes, which all time zones have had since 1972.
 */
export const slotsModel = (query: SlotQuery): ReadonlyArray<Slot> => {
  const { duration, endDate, startDate } = query
  const slotInterval = query.slotInterval ?? duration
  const ticks = readClock(query.timeZone, Date.parse(startDate) - 2 * day, Date.parse(endDate) + 3 * day)
  const from = startOfDate(ticks, Date.parse(startDate))
  const to = startOfDate(ticks, Date.parse(endDate) + day)

  const open: Array<Interval> = []
  for (let date = Date.parse(startDate) - day; date <= Date.parse(endDate); date += day) {
    if (!ticks.some(({ wall }) => wall >= date && wall < date + day)) continue
    for (const [start, end] of windowsOf(date, query.workingHours, query.dateOverrides ?? {})) {
      open.push({
        start: instantOf(ticks, date + minutes(start) * minute),
        end: end === "24:00" ? startOfDate(ticks, date + day) : instantOf(ticks, date + minutes(end) * minute)
      })
    }
  }

  const isFree = ({ instant }: Tick): boolean =>
    instant >= from &&
    instant < to &&
    open.some(({ end, start }) => start <= instant && instant < end) &&
    !(query.busy ?? []).some(
      ({ end, start }) =>
        start < end &&
        start - (query.bufferBefore ?? 0) * minute < instant + minute &&
        end + (query.bufferAfter ?? 0) * minute > instant
    )

  const grid = [60, 30, 20, 15, 10, 5, 1].find((size) => slotInterval % size === 0) ?? 1
  const slots: Array<Slot> = []
  for (const piece of runsOf(ticks, isFree)) {
    const onGrid = piece.find(({ wall }) => (wall / minute) % grid === 0)
    if (onGrid === undefined) continue
    const end = piece[0] === undefined ? 0 : piece[0].instant + piece.length * minute
    const last = slots.at(-1)
    let start = last === undefined ? onGrid.instant : Math.max(onGrid.instant, last.start + slotInterval * minute)
    while (start + duration * minute <= end) {
      slots.push({ start, end: start + duration * minute })
      start += slotInterval * minute
    }
  }
  const { notBefore } = query
  return notBefore === undefined ? slots : slots.filter(({ start }) => start >= notBefore)
}

const readClock = (timeZone: string, from: number, to: number): ReadonlyArray<Tick> => {
  // Swedish has the format of ISO 8601 for dates and times.
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit"
  })
  const ticks: Array<Tick> = []
  for (let instant = from; instant < to; instant += minute) {
    ticks.push({ instant, wall: Date.parse(`${clock.format(instant).replace(" ", "T")}Z`) })
  }
  return ticks
}

/**
 * Returns the first instant that shows a local time. In a gap, the instant is as far after the gap as the time is into
 * it.
 */
const instantOf = (ticks: ReadonlyArray<Tick>, wall: number): number => {
  const shown = ticks.find((tick) => tick.wall === wall)
  if (shown !== undefined) return shown.instant
  const index = ticks.findIndex((tick, at) => tick.wall > wall && (ticks[at - 1]?.wall ?? wall) < wall)
  const before = ticks[index - 1]
  if (before === undefined) throw new Error("readClock covers too short a time for this question")
  return before.instant + (wall - before.wall)
}

/** Returns the first instant that shows this local date or a later one. */
const startOfDate = (ticks: ReadonlyArray<Tick>, date: number): number => {
  const first = ticks.find(({ wall }) => wall >= date)
  if (first === undefined) throw new Error("readClock covers too short a time for this question")
  return first.instant
}

const windowsOf = (date: number, week: WorkingHours, overrides: DateOverrides) => {
  const replaced = overrides[new Date(date).toISOString().slice(0, 10)]
  if (replaced !== undefined) return replaced
  switch (new Date(date).getUTCDay()) {
    case 0:
      return week.sun ?? []
    case 1:
      return week.mon ?? []
    case 2:
      return week.tue ?? []
    case 3:
      return week.wed ?? []
    case 4:
      return week.thu ?? []
    case 5:
      return week.fri ?? []
    default:
      return week.sat ?? []
  }
}

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const runsOf = (ticks: ReadonlyArray<Tick>, isIn: (tick: Tick) => boolean): ReadonlyArray<ReadonlyArray<Tick>> => {
  const runs: Array<Array<Tick>> = []
  let run: Array<Tick> | undefined
  for (const tick of ticks) {
    if (!isIn(tick)) run = undefined
    else if (run === undefined) runs.push((run = [tick]))
    else run.push(tick)
  }
  return runs
}

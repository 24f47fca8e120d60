import * as Result from "effect/Result"
import { type CalendarDate, compare } from "../values/GregorianCalendar.ts"
import {
  InvalidBuffer,
  InvalidDateRange,
  InvalidDuration,
  InvalidSlotInterval,
  type SlotQueryError
} from "./AvailabilityError.ts"
import { makeGrid } from "./Grid.ts"
import { type Interval, ordered } from "../values/Interval.ts"
import { type OpeningHours, openTime } from "./OpenTime.ts"

/** A free slot, `[start, end)` in epoch milliseconds. */
export type Slot = Interval

/** The minimum and the maximum duration of a slot, in minutes (C-4.6-13). */
export const durationBounds = { minimum: 1, maximum: 180 } as const

/** Returns whether a slot may have a duration, in minutes. */
export const isDuration = (minutes: number): boolean =>
  isWholeBetween(minutes, durationBounds.minimum, durationBounds.maximum)

/** A query for free slots. Durations are in whole minutes, instants in epoch milliseconds. */
export interface SlotQuery extends OpeningHours {
  /** The first local date. */
  readonly startDate: CalendarDate
  /** The last local date, included in the search. */
  readonly endDate: CalendarDate
  /** The duration of a slot, 1 to 180. */
  readonly duration: number
  /** The interval between the starts of slots, 1 to 1440. Null or absent: the duration. */
  readonly slotInterval?: number | null | undefined
  /**
   * The busy intervals, in any order. The search is fastest when they are ordered by start. Empty intervals are
   * ignored.
   */
  readonly busy?: ReadonlyArray<Interval> | undefined
  /** The minutes before each busy interval in which no slot may lie. Default: 0. */
  readonly bufferBefore?: number | undefined
  /** The minutes after each busy interval in which no slot may lie. Default: 0. */
  readonly bufferAfter?: number | undefined
  /** The earliest start of a slot. Default: none. */
  readonly notBefore?: number | undefined
}

/**
 * Returns the free slots between two local dates, in order (C-4.6-12, D-AVL-5 to D-AVL-13). Fails when an argument is
 * invalid.
 *
 * 1. Open time is the windows of all dates, cut to the dates of the query and joined where they touch or overlap.
 * 2. Free pieces are open time minus the busy intervals with their buffers. A slot may touch a busy interval.
 * 3. In every free piece the grid starts again: the largest of 60, 30, 20, 15, 10 and 5 minutes that divides
 *    `slotInterval`. The first slot starts at a whole local minute that is a multiple of it within the hour. Then a
 *    slot starts every `slotInterval` while it fits.
 * 4. When the first start of a piece would be less than `slotInterval` after the start of the slot before, it moves to
 *    exactly that distance.
 * 5. Slots that start before `notBefore` are dropped.
 *
 * The result depends only on the query, not on the clock or the time zone of the process. An earlier `startDate` adds
 * slots, and does not change the others, if the last `slotInterval` before the later date is closed or busy.
 * Otherwise rules 1, 3 and 4 begin again at the start of the range, and an earlier `startDate` may move starts.
 *
 * @example
 * ```ts
 * import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
 * import { TimeZone } from "@frontdesk/core/values/TimeZone"
 * import * as Slots from "@frontdesk/core/availability/Slots"
 *
 * const slots = Slots.find({
 *   timeZone: TimeZone.make("America/New_York"),
 *   workingHours: { mon: [["09:00", "12:00"]] },
 *   startDate: CalendarDate.make("2026-06-01"),
 *   endDate: CalendarDate.make("2026-06-01"),
 *   duration: 60
 * })
 * // a success with three slots: 13:00Z, 14:00Z and 15:00Z
 * ```
 */
export const find = (query: SlotQuery): Result.Result<ReadonlyArray<Slot>, SlotQueryError> =>
  Result.map(begin(query), (begun) => {
    const slots: Array<Slot> = []
    advance(begun, slots, Number.POSITIVE_INFINITY)
    return slots
  })

/** The number of starts and busy intervals that one step of {@link search} examines when none is given. */
export const stepSize = 1_000

/**
 * Returns the slots of {@link find} in steps. Each step examines `size` starts and busy intervals, at least 1, and yields
 * the slots among them, which may be none. Between steps a caller can let other fibers run, or stop when it has enough
 * slots.
 */
export const search = (
  query: SlotQuery,
  size = stepSize
): Result.Result<Iterable<ReadonlyArray<Slot>>, SlotQueryError> =>
  Result.map(begin(query), (begun) => steps(begun, size))

function* steps(begun: Search, size: number): Generator<ReadonlyArray<Slot>, void> {
  for (let isComplete = false; !isComplete;) {
    const slots: Array<Slot> = []
    isComplete = advance(begun, slots, size)
    yield slots
  }
}

/** Checks the query, finds its open time, and returns the search at its start. */
const begin = (query: SlotQuery): Result.Result<Search, SlotQueryError> => {
  const { bufferAfter = 0, bufferBefore = 0, duration, endDate, startDate } = query
  const slotInterval = query.slotInterval ?? duration
  if (compare(startDate, endDate) > 0) return Result.fail(new InvalidDateRange({ startDate, endDate }))
  if (!isDuration(duration)) return Result.fail(new InvalidDuration({ duration }))
  if (!isWholeBetween(slotInterval, 1, 1_440)) return Result.fail(new InvalidSlotInterval({ slotInterval }))
  if (!isBuffer(bufferBefore)) return Result.fail(new InvalidBuffer({ buffer: bufferBefore }))
  if (!isBuffer(bufferAfter)) return Result.fail(new InvalidBuffer({ buffer: bufferAfter }))
  return Result.map(openTime(query, startDate, endDate), (open) => ({
    length: duration * 60_000,
    step: slotInterval * 60_000,
    before: bufferBefore * 60_000,
    after: bufferAfter * 60_000,
    notBefore: query.notBefore ?? Number.NEGATIVE_INFINITY,
    roundUp: makeGrid(slotInterval, query.timeZone),
    open,
    busy: ordered(query.busy ?? []),
    window: 0,
    next: 0,
    free: beginning,
    start: beginning,
    pieceEnd: beginning
  }))
}

const isWholeBetween = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max

const isBuffer = (minutes: number): boolean => isWholeBetween(minutes, 0, Number.MAX_SAFE_INTEGER)

/** A search: what it looks for, and where it continues. Lengths are in milliseconds, instants in epoch milliseconds. */
interface Search {
  readonly length: number
  readonly step: number
  readonly before: number
  readonly after: number
  readonly notBefore: number
  readonly roundUp: (instant: number) => number
  readonly open: ReadonlyArray<Interval>
  /** In the order of their starts. */
  readonly busy: ReadonlyArray<Interval>
  /** The index of the open window that comes next. */
  window: number
  /** The index of the busy interval that comes next. */
  next: number
  /** The end of the busy time so far. */
  free: number
  /**
   * The start that comes next in the free piece that ends at `pieceEnd`. At the end of a piece it is the earliest start
   * by rule 4. It counts slots before `notBefore` too, so that `notBefore` never moves later slots.
   */
  start: number
  pieceEnd: number
}

/** Before every instant. An infinity would be within every piece. */
const beginning = Number.MIN_SAFE_INTEGER

/**
 * Continues a search for the slots in the free pieces of open time (rules 2 to 5): adds its next slots to `slots`, until
 * it has examined `limit` starts and busy intervals. Returns whether the search is complete.
 *
 * It works on local variables. A generator or a closure would allocate memory at every change of an instant, which takes
 * several times as long.
 */
const advance = (begun: Search, slots: Array<Slot>, limit: number): boolean => {
  const { after, before, busy, length, notBefore, open, roundUp, step } = begun
  let { free, next, pieceEnd, start, window } = begun
  let remaining = limit
  for (;;) {
    const lastStart = Math.min(pieceEnd - length, start + (remaining - 1) * step)
    for (; start <= lastStart; start += step) {
      remaining -= 1
      if (start >= notBefore) slots.push({ start, end: start + length })
    }
    const current = open[window]
    if (current === undefined) break
    const closes = current.end
    if (free < current.start) free = current.start
    // The next free piece of the window that has room for a slot. The last one ends with the window.
    let from = free
    let to = closes
    const stop = closes + before
    const room = before + length
    while (remaining > 0) {
      const taken = busy[next]
      if (taken === undefined || taken.start >= stop) break
      remaining -= 1
      next += 1
      if (!(taken.end > taken.start)) continue
      from = free
      free = Math.max(from, taken.end + after)
      if (taken.start - from >= room) {
        to = taken.start - before
        break
      }
    }
    if (to === closes) {
      from = free
      if (remaining === 0) break
      window += 1
    }
    if (to - from < length) continue
    start = Math.max(roundUp(from), start)
    pieceEnd = to
  }
  begun.free = free
  begun.next = next
  begun.pieceEnd = pieceEnd
  begun.start = start
  begun.window = window
  return remaining > 0
}

import * as Result from "effect/Result"
import type { CalendarDate } from "../values/CalendarDate.ts"
import {
  InvalidBuffer,
  InvalidDateRange,
  InvalidDuration,
  InvalidSlotInterval,
  type SlotQueryError
} from "./AvailabilityError.ts"
import { isReversed } from "../values/DateRange.ts"
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
  Result.map(search(query), (steps) => [...steps].flat())

/** The number of starts and busy intervals that one step of {@link search} examines. */
export const stepSize = 1_000

/**
 * Returns the slots of {@link find} in steps. Each step examines {@link stepSize} starts and busy intervals, and yields
 * the slots among them, which may be none. Between steps a caller can let other fibers run, or stop when it has enough
 * slots.
 */
export const search = (query: SlotQuery): Result.Result<Iterable<ReadonlyArray<Slot>>, SlotQueryError> => {
  const { bufferAfter = 0, bufferBefore = 0, duration, endDate, startDate } = query
  const slotInterval = query.slotInterval ?? duration
  if (isReversed(query)) return Result.fail(new InvalidDateRange({ startDate, endDate }))
  if (!isDuration(duration)) return Result.fail(new InvalidDuration({ duration }))
  if (!isWholeBetween(slotInterval, 1, 1_440)) return Result.fail(new InvalidSlotInterval({ slotInterval }))
  for (const buffer of [bufferBefore, bufferAfter]) {
    if (!isWholeBetween(buffer, 0, Number.MAX_SAFE_INTEGER)) return Result.fail(new InvalidBuffer({ buffer }))
  }
  return Result.map(openTime(query, startDate, endDate), (open) => cut(query, open, slotInterval))
}

const isWholeBetween = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max

/** Yields the slots in the free pieces of `open` (rules 2 to 5), in one pass over open and busy intervals. */
function* cut(
  query: SlotQuery,
  open: ReadonlyArray<Interval>,
  slotInterval: number
): Generator<ReadonlyArray<Slot>, void> {
  const length = query.duration * 60_000
  const step = slotInterval * 60_000
  const before = (query.bufferBefore ?? 0) * 60_000
  const after = (query.bufferAfter ?? 0) * 60_000
  const notBefore = query.notBefore ?? Number.NEGATIVE_INFINITY
  const roundUp = makeGrid(slotInterval, query.timeZone)
  const busy = ordered(query.busy ?? [])
  let slots: Array<Slot> = []
  let examined = 0

  // The earliest start by rule 4. It counts slots before `notBefore` too, so that `notBefore` never moves later slots.
  let earliest = Number.NEGATIVE_INFINITY
  function* fill(from: number, to: number) {
    let start = Math.max(roundUp(from), earliest)
    if (start + length > to) return
    for (; start + length <= to; start += step) {
      if (start >= notBefore) slots.push({ start, end: start + length })
      if (++examined % stepSize === 0) {
        yield slots
        slots = []
      }
    }
    earliest = start
  }

  let index = 0
  let free = Number.NEGATIVE_INFINITY
  for (const window of open) {
    free = Math.max(free, window.start)
    for (let taken = busy[index]; taken !== undefined; taken = busy[++index]) {
      const start = taken.start - before
      if (start >= window.end) break
      if (++examined % stepSize === 0) {
        yield slots
        slots = []
      }
      if (!(taken.end > taken.start)) continue
      if (start - free >= length) yield* fill(free, start)
      free = Math.max(free, taken.end + after)
    }
    if (window.end - free >= length) yield* fill(free, window.end)
  }
  yield slots
}

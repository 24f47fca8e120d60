import * as Result from "effect/Result"
import type { CalendarDate } from "../values/CalendarDate.ts"
import {
  type AvailabilityError,
  InvalidBuffer,
  InvalidDateRange,
  InvalidDuration,
  InvalidSlotInterval
} from "./AvailabilityError.ts"
import { isReversed } from "../values/DateRange.ts"
import { makeGrid } from "./Grid.ts"
import { type Interval, ordered } from "../values/Interval.ts"
import { type OpeningHours, openTime } from "./OpenTime.ts"

/** A free slot, `[start, end)` in epoch milliseconds. */
export type Slot = Interval

/** The shortest and the longest slot, in minutes. */
export const durationBounds = { minimum: 1, maximum: 180 } as const

/** Returns whether a slot may have this length, in minutes. */
export const isDuration = (minutes: number): boolean =>
  isWholeBetween(minutes, durationBounds.minimum, durationBounds.maximum)

/** What is asked. Durations are whole minutes, instants epoch milliseconds. */
export interface Question extends OpeningHours {
  /** The first local date. */
  readonly startDate: CalendarDate
  /** The last local date, inclusive. */
  readonly endDate: CalendarDate
  /** Length of a slot, 1 to 180. */
  readonly duration: number
  /** Distance between the starts of slots, 1 to 1440; null or absent: as long as a slot. */
  readonly slotInterval?: number | null | undefined
  /** What is taken, in any order; quickest in order of the starts. An empty interval takes nothing. */
  readonly busy?: ReadonlyArray<Interval> | undefined
  /** Minutes that are kept free before everything busy; 0 when absent. */
  readonly bufferBefore?: number | undefined
  /** Minutes that are kept free after everything busy; 0 when absent. */
  readonly bufferAfter?: number | undefined
  /** No slot starts earlier. */
  readonly notBefore?: number | undefined
}

/**
 * The free slots between two local dates, in order (C-4.6-12, D-AVL-5 to D-AVL-13).
 *
 * 1. Open time is the windows of all dates, cut to the asked ones and joined where they touch or overlap.
 * 2. Free pieces are open time minus everything busy with its buffers. Touching is free.
 * 3. In every piece the grid starts again, at the first whole local minute that is a multiple, in its hour, of the
 *    largest of 60, 30, 20, 15, 10 and 5 that divides `slotInterval`; then every `slotInterval` while a slot fits.
 * 4. A piece whose first start would be nearer than `slotInterval` to the last slot starts exactly that much after it.
 * 5. Slots that start before `notBefore` are dropped.
 *
 * The answer depends on nothing but the question: not on the clock, not on the time zone of the process. Nor does it
 * depend on `startDate`, beyond leaving out what is earlier, if the host is closed or busy for `slotInterval` before
 * that date begins. Without such a pause rules 1, 3 and 4 begin anew there, and a range that starts earlier may offer
 * other starts.
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
export const find = (question: Question): Result.Result<ReadonlyArray<Slot>, AvailabilityError> =>
  Result.map(search(question), (steps) => [...steps].flat())

/** How many starts and busy intervals are looked at in one step of {@link search}. */
export const stepSize = 1_000

/**
 * The slots of {@link find} in steps: each yields the slots among the next {@link stepSize} starts and busy intervals,
 * which may be none. A caller can let other fibers run between the steps, and can stop when it has enough slots.
 */
export const search = (question: Question): Result.Result<Iterable<ReadonlyArray<Slot>>, AvailabilityError> => {
  const { bufferAfter = 0, bufferBefore = 0, duration, endDate, startDate } = question
  const slotInterval = question.slotInterval ?? duration
  if (isReversed(question)) return Result.fail(new InvalidDateRange({ startDate, endDate }))
  if (!isDuration(duration)) return Result.fail(new InvalidDuration({ duration }))
  if (!isWholeBetween(slotInterval, 1, 1_440)) return Result.fail(new InvalidSlotInterval({ slotInterval }))
  for (const buffer of [bufferBefore, bufferAfter]) {
    if (!isWholeBetween(buffer, 0, Number.MAX_SAFE_INTEGER)) return Result.fail(new InvalidBuffer({ buffer }))
  }
  return Result.map(openTime(question, startDate, endDate), (open) => cut(question, open, slotInterval))
}

const isWholeBetween = (value: number, minimum: number, maximum: number): boolean =>
  Number.isInteger(value) && value >= minimum && value <= maximum

/** Slots in what is left of `open`: rules 2 to 5, in one sweep over both lists. */
function* cut(
  question: Question,
  open: ReadonlyArray<Interval>,
  slotInterval: number
): Generator<ReadonlyArray<Slot>, void> {
  const length = question.duration * 60_000
  const step = slotInterval * 60_000
  const before = (question.bufferBefore ?? 0) * 60_000
  const after = (question.bufferAfter ?? 0) * 60_000
  const notBefore = question.notBefore ?? Number.NEGATIVE_INFINITY
  const roundUp = makeGrid(slotInterval, question.timeZone)
  const busy = ordered(question.busy ?? [])
  let slots: Array<Slot> = []
  let looked = 0

  // Slots before `notBefore` count here too, so that the hour of asking never moves the others.
  let earliest = Number.NEGATIVE_INFINITY
  function* fill(from: number, to: number) {
    let start = Math.max(roundUp(from), earliest)
    if (start + length > to) return
    for (; start + length <= to; start += step) {
      if (start >= notBefore) slots.push({ start, end: start + length })
      if (++looked % stepSize === 0) {
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
      if (++looked % stepSize === 0) {
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

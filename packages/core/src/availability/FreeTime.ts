import * as Result from "effect/Result"
import { addDays } from "../values/GregorianCalendar.ts"
import type { Interval } from "../values/Interval.ts"
import { dateAt, startOfDate } from "../values/LocalTime.ts"
import type { InvalidWindow } from "./AvailabilityError.ts"
import { type OpeningHours, openTime } from "./OpenTime.ts"

/** The rules by which an account offers its time. Buffers are minutes, instants epoch milliseconds. */
export interface OfferRules extends OpeningHours {
  /** The minutes before each busy interval that are not offered. */
  readonly bufferBefore: number
  /** The minutes after each busy interval that are not offered. */
  readonly bufferAfter: number
  /** The earliest instant that is offered. */
  readonly notBefore: number
}

/** Returns a time with the buffers around it: no busy interval may overlap it. */
export const withBuffers = (
  { end, start }: Interval,
  { bufferAfter, bufferBefore }: Pick<OfferRules, "bufferAfter" | "bufferBefore">
): Interval => ({ start: start - bufferAfter * 60_000, end: end + bufferBefore * 60_000 })

/** The maximum number of local dates on which a free time may lie. It bounds the search for its opening hours. */
export const maxDates = 62

/**
 * Returns whether an account offers a time: it lies within opening hours, keeps the buffers of all busy intervals and does
 * not begin too early (D-CAL-11). Fails with `InvalidWindow` for a window that does not end after it starts.
 *
 * Every slot of `Slots.find` is free by the same rules. A free time need not be such a slot, because their starts
 * depend on the other events of the day. So a slot that was offered can still be booked when another event has moved
 * the later ones. A time on more than {@link maxDates} local dates is never free.
 */
export const isFree = (
  time: Interval,
  busy: ReadonlyArray<Interval>,
  rules: OfferRules
): Result.Result<boolean, InvalidWindow> => {
  const { notBefore, timeZone } = rules
  const startDate = dateAt(time.start, timeZone)
  if (time.start < notBefore || time.end > startOfDate(addDays(startDate, maxDates), timeZone)) {
    return Result.succeed(false)
  }
  const kept = withBuffers(time, rules)
  if (busy.some(({ end, start }) => end > start && start < kept.end && end > kept.start)) return Result.succeed(false)
  return Result.map(openTime(rules, startDate, dateAt(time.end - 1, timeZone)), (open) =>
    open.some(({ end, start }) => start <= time.start && time.end <= end)
  )
}

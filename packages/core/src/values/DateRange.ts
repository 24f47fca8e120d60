import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CalendarDate, toDayNumber } from "./CalendarDate.ts"
import { startOfDay, type TimeZone } from "./TimeZone.ts"
import { InvalidParameter } from "./ValidationError.ts"

/** The query parameters of a date range: its first and its last day, both included. Without one, that side is open. */
export const fields = {
  startDate: Schema.optional(CalendarDate),
  endDate: Schema.optional(CalendarDate)
}

/** A range of days, including the first and the last. Without one of them, that side is open. */
export interface DateRange {
  readonly startDate?: CalendarDate | undefined
  readonly endDate?: CalendarDate | undefined
}

/** Returns whether the last day is before the first. */
export const isReversed = ({ endDate, startDate }: DateRange): boolean =>
  startDate !== undefined && endDate !== undefined && endDate < startDate

/** Fails with `InvalidParameter` when the last day is before the first. */
export const requireOrder = (range: DateRange): Effect.Effect<void, InvalidParameter> =>
  isReversed(range)
    ? Effect.fail(new InvalidParameter({ parameter: "end_date", message: "end_date is before start_date" }))
    : Effect.void

/**
 * Returns the instants of a range in a time zone: `from` is the start of the first day, `until` the end of the last. An
 * open side is undefined.
 */
export const bounds = ({ endDate, startDate }: DateRange, zone: TimeZone) => {
  const startOf = (dayNumber: number) => DateTime.makeUnsafe(startOfDay(dayNumber, zone))
  return {
    from: startDate === undefined ? undefined : startOf(toDayNumber(startDate)),
    until: endDate === undefined ? undefined : startOf(toDayNumber(endDate) + 1)
  }
}

import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CalendarDate, toDayNumber } from "./CalendarDate.ts"
import { startOfDay, type TimeZone } from "./TimeZone.ts"
import { InvalidParameter } from "./ValidationError.ts"

/** The first and the last day that a query asks for, both included. An absent day does not bound it. */
export const fields = {
  startDate: Schema.optional(CalendarDate),
  endDate: Schema.optional(CalendarDate)
}

/** The days that a query asks for. */
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

/** Returns the start of the first day and the end of the last day in a time zone, where they are given. */
export const bounds = ({ endDate, startDate }: DateRange, zone: TimeZone) => {
  const startOf = (dayNumber: number) => DateTime.makeUnsafe(startOfDay(dayNumber, zone))
  return {
    from: startDate === undefined ? undefined : startOf(toDayNumber(startDate)),
    until: endDate === undefined ? undefined : startOf(toDayNumber(endDate) + 1)
  }
}

import * as Data from "effect/Data"
import type { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import type { CalendarDate } from "../values/GregorianCalendar.ts"
import type { Window } from "../values/WorkingHours.ts"

/** A range of dates ends before it starts. */
export class InvalidDateRange extends Data.TaggedError("InvalidDateRange")<{
  readonly startDate: CalendarDate
  readonly endDate: CalendarDate
}> {}

/** The duration of slots is not a whole number of minutes from 1 to 180 (C-4.6-13, C-7-12: 400 `invalid_duration`). */
export class InvalidDuration extends Data.TaggedError("InvalidDuration")<{ readonly duration: number }> {}

/** The interval between the starts of slots is not a whole number of minutes from 1 to 1440. */
export class InvalidSlotInterval extends Data.TaggedError("InvalidSlotInterval")<{ readonly slotInterval: number }> {}

/** A buffer is not a whole number of minutes, 0 or more. */
export class InvalidBuffer extends Data.TaggedError("InvalidBuffer")<{ readonly buffer: number }> {}

/** A window of working hours is not `[HH:MM, HH:MM]` with its start before its end. */
export class InvalidWindow extends Data.TaggedError("InvalidWindow")<{ readonly window: Window }> {}

/** An external calendar of the account cannot be read, so it is unknown which times are free. */
export class CalendarUnavailable extends Data.TaggedError("CalendarUnavailable")<{
  readonly provider: CalendarProviderKey
}> {}

/**
 * An external calendar of the account cannot be read, so it is unknown whether a time is free that is to be booked
 * (D-CAL-11: 503 `calendar_unavailable`).
 */
export class BookingUnchecked extends Data.TaggedError("BookingUnchecked")<{
  readonly provider: CalendarProviderKey
}> {}

/** The errors of `Slots.find` for invalid arguments. */
export type SlotQueryError = InvalidDateRange | InvalidDuration | InvalidSlotInterval | InvalidBuffer | InvalidWindow

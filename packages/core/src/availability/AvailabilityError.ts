import * as Schema from "effect/Schema"
import { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarDate } from "../values/CalendarDate.ts"

// @effect-diagnostics schemaNumber:off -- These errors contain the invalid value, which may be NaN or an infinity.

/** A range of dates ends before it starts. */
export class InvalidDateRange extends Schema.TaggedError<InvalidDateRange>(
  "@frontdesk/core/availability/InvalidDateRange"
)("InvalidDateRange", { startDate: CalendarDate, endDate: CalendarDate }) {}

/** The duration of slots is not a whole number of minutes from 1 to 180 (C-4.6-13, C-7-12: 400 `invalid_duration`). */
export class InvalidDuration extends Schema.TaggedError<InvalidDuration>(
  "@frontdesk/core/availability/InvalidDuration"
)("InvalidDuration", { duration: Schema.Number }) {}

/** The interval between the starts of slots is not a whole number of minutes from 1 to 1440. */
export class InvalidSlotInterval extends Schema.TaggedError<InvalidSlotInterval>(
  "@frontdesk/core/availability/InvalidSlotInterval"
)("InvalidSlotInterval", { slotInterval: Schema.Number }) {}

/** A buffer is not a whole number of minutes, 0 or more. */
export class InvalidBuffer extends Schema.TaggedError<InvalidBuffer>("@frontdesk/core/availability/InvalidBuffer")(
  "InvalidBuffer",
  { buffer: Schema.Number }
) {}

/** A window of working hours is not `[HH:MM, HH:MM]` with its start before its end. */
export class InvalidWindow extends Schema.TaggedError<InvalidWindow>("@frontdesk/core/availability/InvalidWindow")(
  "InvalidWindow",
  { window: Schema.Tuple([Schema.String, Schema.String]) }
) {}

/** An external calendar of the account cannot be read, so it is unknown which times are free. */
export class CalendarUnavailable extends Schema.TaggedError<CalendarUnavailable>(
  "@frontdesk/core/availability/CalendarUnavailable"
)("CalendarUnavailable", { provider: CalendarProviderKey }) {}

/** The errors of `Slots.find` for invalid arguments. */
export type SlotQueryError = InvalidDateRange | InvalidDuration | InvalidSlotInterval | InvalidBuffer | InvalidWindow

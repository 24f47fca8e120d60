import * as Schema from "effect/Schema"
import { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarDate } from "../values/CalendarDate.ts"

// @effect-diagnostics schemaNumber:off -- These carry what was refused, which may be NaN or an infinity.

/** A range of dates that ends before it starts. */
export class InvalidDateRange extends Schema.TaggedError<InvalidDateRange>(
  "@frontdesk/core/availability/InvalidDateRange"
)("InvalidDateRange", { startDate: CalendarDate, endDate: CalendarDate }) {}

/** A length of slots that is no whole number of minutes from 1 to 180 (C-4.6-13: `invalid_duration`). */
export class InvalidDuration extends Schema.TaggedError<InvalidDuration>(
  "@frontdesk/core/availability/InvalidDuration"
)("InvalidDuration", { duration: Schema.Number }) {}

/** A distance of slots that is no whole number of minutes from 1 to 1440. */
export class InvalidSlotInterval extends Schema.TaggedError<InvalidSlotInterval>(
  "@frontdesk/core/availability/InvalidSlotInterval"
)("InvalidSlotInterval", { slotInterval: Schema.Number }) {}

/** A buffer that is no whole number of minutes, or negative. */
export class InvalidBuffer extends Schema.TaggedError<InvalidBuffer>("@frontdesk/core/availability/InvalidBuffer")(
  "InvalidBuffer",
  { buffer: Schema.Number }
) {}

/** An opening window that is not `[HH:MM, HH:MM]` with its start before its end. */
export class InvalidWindow extends Schema.TaggedError<InvalidWindow>("@frontdesk/core/availability/InvalidWindow")(
  "InvalidWindow",
  { window: Schema.Tuple([Schema.String, Schema.String]) }
) {}

/** An outside calendar of the account that cannot be read, so that nobody knows which times are free. */
export class CalendarUnavailable extends Schema.TaggedError<CalendarUnavailable>(
  "@frontdesk/core/availability/CalendarUnavailable"
)("CalendarUnavailable", { provider: CalendarProviderKey }) {}

/** Why there is no answer to which slots are free. */
export type AvailabilityError = InvalidDateRange | InvalidDuration | InvalidSlotInterval | InvalidBuffer | InvalidWindow

import * as Schema from "effect/Schema"

/** No event the caller can see has this id or UUID (C-7-18: 404 `not_found`). */
export class CalendarEventNotFound extends Schema.TaggedError<CalendarEventNotFound>(
  "@frontdesk/core/calendar-event/CalendarEventNotFound"
)("CalendarEventNotFound", { event: Schema.Union([Schema.Int, Schema.String]) }) {}

/** A time is not written as the API accepts it (C-7-8: 400 `invalid_datetime_format`). */
export class InvalidDatetimeFormat extends Schema.TaggedError<InvalidDatetimeFormat>(
  "@frontdesk/core/calendar-event/InvalidDatetimeFormat"
)("InvalidDatetimeFormat", {
  /** Its name on the wire. */
  field: Schema.Literals(["start_time", "end_time"])
}) {}

/** The end is not after the start (C-7-9: 400 `invalid_time_range`). */
export class InvalidTimeRange extends Schema.TaggedError<InvalidTimeRange>(
  "@frontdesk/core/calendar-event/InvalidTimeRange"
)("InvalidTimeRange", { startTime: Schema.DateTimeUtc, endTime: Schema.DateTimeUtc }) {}

/** Something else is in the calendar at that time (D-CAL-9: 409 `slot_unavailable`). */
export class SlotUnavailable extends Schema.TaggedError<SlotUnavailable>(
  "@frontdesk/core/calendar-event/SlotUnavailable"
)("SlotUnavailable", { startTime: Schema.DateTimeUtc, endTime: Schema.DateTimeUtc }) {}

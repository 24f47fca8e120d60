import * as Schema from "effect/Schema"

/** No calendar event that the caller may see has this id or UUID (C-7-18: 404 `not_found`). */
export class CalendarEventNotFound extends Schema.TaggedError<CalendarEventNotFound>(
  "@frontdesk/core/calendar-event/CalendarEventNotFound"
)("CalendarEventNotFound", { event: Schema.Union([Schema.Int, Schema.String]) }) {}

/** A time does not have the form that the API accepts (C-7-8: 400 `invalid_datetime_format`). See `WallTime.parse`. */
export class InvalidDatetimeFormat extends Schema.TaggedError<InvalidDatetimeFormat>(
  "@frontdesk/core/calendar-event/InvalidDatetimeFormat"
)("InvalidDatetimeFormat", {
  /** The name of the field in JSON. */
  field: Schema.Literals(["start_time", "end_time"])
}) {}

/** The end is not after the start (C-7-9: 400 `invalid_time_range`). */
export class InvalidTimeRange extends Schema.TaggedError<InvalidTimeRange>(
  "@frontdesk/core/calendar-event/InvalidTimeRange"
)("InvalidTimeRange", { startTime: Schema.DateTimeUtc, endTime: Schema.DateTimeUtc }) {}

/** Another calendar event blocks this time (D-CAL-9: 409 `slot_unavailable`). */
export class SlotUnavailable extends Schema.TaggedError<SlotUnavailable>(
  "@frontdesk/core/calendar-event/SlotUnavailable"
)("SlotUnavailable", { startTime: Schema.DateTimeUtc, endTime: Schema.DateTimeUtc }) {}

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { CalendarEvent } from "./CalendarEvent.ts"
import * as EventKeys from "./CalendarEventKey.ts"
import type { CalendarEventKey } from "./CalendarEventKey.ts"

/** No calendar event that the caller may see has this id or UUID (C-7-18: 404 `not_found`). */
export class CalendarEventNotFound extends Schema.TaggedError<CalendarEventNotFound>(
  "@frontdesk/core/calendar-event/CalendarEventNotFound"
)("CalendarEventNotFound", { event: Schema.Union([Schema.Int, Schema.String]) }) {}

/** Returns the event that a query returns, and fails with {@link CalendarEventNotFound} when it returns none. */
export const found = <E, R>(
  event: Effect.Effect<Option.Option<CalendarEvent>, E, R>,
  key: CalendarEventKey
): Effect.Effect<CalendarEvent, E | CalendarEventNotFound, R> =>
  Effect.flatMap(event, (found) =>
    Option.isSome(found)
      ? Effect.succeed(found.value)
      : Effect.fail(new CalendarEventNotFound({ event: EventKeys.value(key) }))
  )

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

/** A time, from its start to its end. */
const Time = Schema.Struct({ startTime: Schema.DateTimeUtc, endTime: Schema.DateTimeUtc })

/**
 * The time of a calendar event cannot be booked (409 `slot_unavailable`): by the rule `reject_conflicts` because another
 * event blocks it (D-CAL-9), or by `require_available` because the account does not offer it (D-CAL-11).
 */
export class SlotUnavailable extends Schema.TaggedError<SlotUnavailable>(
  "@frontdesk/core/calendar-event/SlotUnavailable"
)("SlotUnavailable", {
  ...Time.fields,
  rule: Schema.Literals(["reject_conflicts", "require_available"]),
  /**
   * Why the time cannot be booked: `already_booked` when the conversation that asks has booked it itself, `too_late` when it
   * begins before the minimum notice of the account ends, else `not_free`. Default: `not_free`.
   */
  reason: Schema.Literals(["not_free", "already_booked", "too_late"]).pipe(
    Schema.withConstructorDefault(Effect.succeed("not_free" as const))
  ),
  /** The free times of the same length that are nearest to this one, in order. Default: none. */
  nearest: Schema.Array(Time).pipe(Schema.withConstructorDefault(Effect.succeed([])))
}) {}

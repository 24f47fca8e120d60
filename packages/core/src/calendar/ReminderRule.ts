import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { CalendarEvent } from "./CalendarEvent.ts"
import { isAhead } from "./EventStatus.ts"

/**
 * When the event's reminder is due: `start_time - remind_before_minutes`; none when the event does not want one, is
 * over, or is not scheduled or confirmed (Decisions 7).
 *
 * A time that has passed already is due at once, as long as the event is not over.
 */
export const dueAt = (event: CalendarEvent, now: DateTime.Utc): Option.Option<DateTime.Utc> =>
  event.isReminderEnabled && isAhead(event.status) && DateTime.isGreaterThan(event.endTime, now)
    ? Option.some(DateTime.subtract(event.startTime, { minutes: event.remindBeforeMinutes }))
    : Option.none()

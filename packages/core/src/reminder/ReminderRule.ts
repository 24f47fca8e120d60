import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type CalendarEvent, hasContactData, isUpcoming } from "../calendar-event/CalendarEvent.ts"

/**
 * When the event's reminder is due: `start_time - remind_before_minutes`; none when the event does not want one, is
 * over, or is not scheduled or confirmed (D-REM-1).
 *
 * A time that has passed already is due at once, as long as the event is not over.
 */
export const dueAt = (event: CalendarEvent, now: DateTime.Utc): Option.Option<DateTime.Utc> =>
  event.isReminderEnabled && isUpcoming(event, now)
    ? Option.some(DateTime.subtract(event.startTime, { minutes: event.remindBeforeMinutes }))
    : Option.none()

/**
 * Returns when to remind of an event after a change of it; none when there is nothing to remind of.
 *
 * Each start of an event is reminded of once, wherever it was moved in between and whatever `remind_before_minutes`
 * becomes. A due time that has passed when the change is made is due at once for an event of which no reminder was sent
 * yet. Once a reminder was sent, such a due time is left out: the mail about the move informs the customer.
 *
 * @param reminded the starts that were reminded of; null for one that is not known, of a reminder sent by a version that
 *   did not store it
 * @param now when the change is made
 */
export const next = (
  event: CalendarEvent,
  reminded: ReadonlyArray<DateTime.Utc | null>,
  now: DateTime.Utc
): Option.Option<DateTime.Utc> =>
  Option.filter(
    dueAt(event, now),
    (due) =>
      !reminded.some((start) => start !== null && DateTime.Equivalence(start, event.startTime)) &&
      (reminded.length === 0 || !DateTime.isLessThan(due, now))
  )

/**
 * Whether the reminder of an event is mailed to its customer: `send_notifications` was on when the event was created, and
 * the customer has an address.
 */
export const isMailed = (event: CalendarEvent): boolean => event.notifyOnCancel && hasContactData(event)

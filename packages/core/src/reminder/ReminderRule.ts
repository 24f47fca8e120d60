import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type CalendarEvent, hasContactData, isUpcoming } from "../calendar-event/CalendarEvent.ts"

/**
 * Returns when the reminder of a calendar event is due: `start_time - remind_before_minutes` (D-REM-1). Returns none
 * when the reminder is turned off, or when the event is over or is neither scheduled nor confirmed (D-REM-2).
 *
 * A due time in the past is returned too. Such a reminder is sent at once.
 */
export const dueAt = (event: CalendarEvent, now: DateTime.Utc): Option.Option<DateTime.Utc> =>
  event.isReminderEnabled && isUpcoming(event, now)
    ? Option.some(DateTime.subtract(event.startTime, { minutes: event.remindBeforeMinutes }))
    : Option.none()

/**
 * Returns when the reminder is due after a change of the calendar event, or none without a reminder.
 *
 * There is one reminder for each start time of an event (D-REM-5), even when the event was moved in between or
 * `remind_before_minutes` has changed. When the due time has passed at the change, the reminder is sent at once if no
 * reminder of the event was sent before. Otherwise there is none, because the mail about the change informs the
 * customer.
 *
 * @param reminded the start times for which reminders were sent. Null stands for an unknown start time: an older
 *   version of the software has sent that reminder and did not store it.
 * @param now the time of the change
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
 * Returns whether the reminder is mailed to the customer: when `send_notifications` was on at creation and the customer
 * has an address (D-REM-3).
 */
export const isMailed = (event: CalendarEvent): boolean => event.notifyOnCancel && hasContactData(event)

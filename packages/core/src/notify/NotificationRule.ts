import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type CalendarEvent, hasContactData } from "../calendar/CalendarEvent.ts"
import { isAhead } from "../calendar/EventStatus.ts"
import * as ReminderRule from "../calendar/ReminderRule.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import type { Notification } from "./Mailer.ts"

/**
 * What a notification says by now, which may be long after it became due: the event as it is, so that whatever mail
 * comes last shows the newest state; none when it is no longer true.
 *
 * Nobody is told of an event that has no address any more. What a write tells is meant for the address that it left:
 * when the event has another one by now, a write that tells of that has a notification of its own. A reminder goes to
 * the present address.
 */
export const current = (
  notification: Notification,
  event: Option.Option<CalendarEvent>,
  now: DateTime.Utc
): Option.Option<Notification> =>
  event.pipe(
    Option.filter((event) => hasContactData(event) && isTrue(notification, event, now)),
    Option.map((event) => ({ kind: notification.kind, event }))
  )

const isTrue = ({ event: then, kind }: Notification, event: CalendarEvent, now: DateTime.Utc): boolean => {
  if (kind === "reminder") return isStillDue(then, event, now)
  if (!EmailAddress.isSame(then.customer.email, event.customer.email)) return false
  switch (kind) {
    case "cancelled":
      return event.status === "cancelled"
    case "created":
      return isAhead(event.status) && isNoNewsOfThePast(then, event, now)
    case "updated":
      return event.status !== "cancelled" && isNoNewsOfThePast(then, event, now)
  }
}

/** Whether the event is to be reminded of at the time it was then: of one that is over or cancelled there is none. */
const isStillDue = (then: CalendarEvent, event: CalendarEvent, now: DateTime.Utc): boolean =>
  Option.exists(ReminderRule.dueAt(event, now), (at) =>
    // As of then: it may last longer by now.
    Option.exists(ReminderRule.dueAt(then, then.updatedAt), (before) => DateTime.Equivalence(at, before))
  )

/** Whether the event has not ended, or had already when it was written: a change after the end is told however late. */
const isNoNewsOfThePast = (then: CalendarEvent, event: CalendarEvent, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(event.endTime, now) || !DateTime.isGreaterThan(then.endTime, then.updatedAt)

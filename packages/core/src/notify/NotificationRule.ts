import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type CalendarEvent, hasContactData } from "../calendar/CalendarEvent.ts"
import * as ReminderRule from "../calendar/ReminderRule.ts"
import type { Notification } from "./Mailer.ts"

/**
 * What a notification says by now, which may be long after it became due: the event as it is, so that whatever mail
 * comes last shows the newest state; none when it is no longer true.
 *
 * That an event was made or changed is not told of one that is cancelled, nor a cancel of one that takes place after
 * all: another notification tells that. A reminder is dropped when its event is over, cancelled, or is to be reminded
 * of at another time.
 */
export const current = (
  { event: then, kind }: Notification,
  event: Option.Option<CalendarEvent>,
  now: DateTime.Utc
): Option.Option<Notification> =>
  event.pipe(
    Option.filter((event) => hasContactData(event)),
    Option.filter((event) => {
      if (kind === "reminder") {
        return Option.exists(ReminderRule.dueAt(event, now), (at) =>
          Option.exists(ReminderRule.dueAt(then, now), (before) => DateTime.Equivalence(at, before))
        )
      }
      return (event.status === "cancelled") === (kind === "cancelled")
    }),
    Option.map((event) => ({ kind, event }))
  )

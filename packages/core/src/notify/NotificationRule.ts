import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type CalendarEvent, hasContactData } from "../calendar/CalendarEvent.ts"
import { isAhead } from "../calendar/EventStatus.ts"
import * as ReminderRule from "../calendar/ReminderRule.ts"
import type { Notification } from "./Mailer.ts"

/**
 * What a notification says by now, which may be long after it became due: the event as it is, so that whatever mail
 * comes last shows the newest state; none when it is no longer true.
 *
 * That an event was made or changed is not told of one that is cancelled, nor a cancel of one that takes place after
 * all: another notification tells that. Nobody is invited to what does not take place any more, nor told of a change of
 * what is over meanwhile. A reminder is dropped when its event is over, cancelled, or is to be reminded of at another
 * time.
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
          // As of then: it may last longer by now.
          Option.exists(ReminderRule.dueAt(then, then.updatedAt), (before) => DateTime.Equivalence(at, before))
        )
      }
      if (kind === "cancelled" || event.status === "cancelled") return event.status === kind
      if (kind === "created" && !isAhead(event.status)) return false
      return DateTime.isGreaterThan(event.endTime, now) || !DateTime.isGreaterThan(then.endTime, then.updatedAt)
    }),
    Option.map((event) => ({ kind, event }))
  )

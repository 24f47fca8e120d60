import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Notification } from "../mail/Mailer.ts"
import type { CalendarEventName } from "../calendar-event/CalendarWebhookEvent.ts"
import type { CalendarEvent, CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import * as CalendarEventMail from "../mail/CalendarEventMail.ts"
import * as ReminderRule from "../reminder/ReminderRule.ts"

/** Something that follows from a change of an event. */
export type CalendarEventEffect =
  | { readonly _tag: "Publish"; readonly name: CalendarEventName }
  | { readonly _tag: "Sync"; readonly provider: CalendarProviderKey }
  | { readonly _tag: "Notify"; readonly notification: Notification }
  | { readonly _tag: "PlanReminder" }
  | { readonly _tag: "DropReminder" }

/** A change of an event. */
export interface CalendarEventTransition {
  /** The event as it was; null when it is new. */
  readonly before: CalendarEvent | null
  readonly after: CalendarEvent
  /** The outside calendars it goes to; none when the write says so. */
  readonly providers: ReadonlyArray<CalendarProviderKey>
  /**
   * Whether the customer hears of it: the flag of the write. For a cancel, whether mail was on at creation or the
   * customer has an invitation.
   */
  readonly notify: boolean
  readonly now: DateTime.Utc
}

/** What follows from a change, in the order in which it is written. A change that changes nothing has no effects. */
export const plan = (transition: CalendarEventTransition): ReadonlyArray<CalendarEventEffect> => {
  const { after, before, now, providers } = transition
  if (before === after) return []
  return [
    { _tag: "Publish", name: eventName(before, after) },
    ...reminder(before, after, now),
    ...providers.map((provider) => ({ _tag: "Sync" as const, provider })),
    ...(transition.notify
      ? CalendarEventMail.plan(before, after, now).map((notification) => ({ _tag: "Notify" as const, notification }))
      : [])
  ]
}

/**
 * Which event a change raises: exactly one (D-EVT-2). A change of status to cancelled or completed raises that one
 * instead of `calendar.updated`, a creation always `calendar.created`.
 */
const eventName = (before: CalendarEvent | null, after: CalendarEvent): CalendarEventName => {
  if (before === null) return "calendar.created"
  if (before.status !== after.status && after.status === "cancelled") return "calendar.cancelled"
  if (before.status !== after.status && after.status === "completed") return "calendar.completed"
  return "calendar.updated"
}

/** Whether the reminder has to be planned anew; `ReminderRule.next` then says when it is due. */
const reminder = (
  before: CalendarEvent | null,
  after: CalendarEvent,
  now: DateTime.Utc
): ReadonlyArray<CalendarEventEffect> => {
  const was = before === null ? Option.none() : ReminderRule.dueAt(before, now)
  const is = ReminderRule.dueAt(after, now)
  if (Option.isNone(is)) return Option.isNone(was) ? [] : [{ _tag: "DropReminder" }]
  const isSame =
    before !== null &&
    Option.isSome(was) &&
    DateTime.Equivalence(was.value, is.value) &&
    DateTime.Equivalence(before.startTime, after.startTime)
  return isSame ? [] : [{ _tag: "PlanReminder" }]
}

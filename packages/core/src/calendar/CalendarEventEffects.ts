import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Notification } from "../mail/Mailer.ts"
import { type CalendarWebhookEventName, nameOf } from "../calendar-event/CalendarWebhookEventName.ts"
import type { CalendarEvent, CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import * as CalendarEventMail from "../mail/CalendarEventMail.ts"
import * as ReminderRule from "../reminder/ReminderRule.ts"

/** One effect of a change of a calendar event. */
export type CalendarEventEffect =
  | { readonly _tag: "Publish"; readonly name: CalendarWebhookEventName }
  | { readonly _tag: "Sync"; readonly provider: CalendarProviderKey }
  | { readonly _tag: "Notify"; readonly notification: Notification }
  | { readonly _tag: "PlanReminder" }
  | { readonly _tag: "DropReminder" }

/** A change of a calendar event. */
export interface CalendarEventTransition {
  /** The event before the change; null when it is new. */
  readonly before: CalendarEvent | null
  readonly after: CalendarEvent
  /** The external calendars to which the change is written. Empty when the write turns synchronization off. */
  readonly providers: ReadonlyArray<CalendarProviderKey>
  /**
   * Whether the change may be mailed to the customer: the flag of the write, or `Cancellation.isMailed` for a cancel. It
   * is false when no mail can be sent.
   */
  readonly notify: boolean
  readonly now: DateTime.Utc
}

/**
 * Returns the effects of a change in the order in which they are stored. There are none when `before` and `after` are
 * the same object, which a merge without a difference returns.
 */
export const plan = (transition: CalendarEventTransition): ReadonlyArray<CalendarEventEffect> => {
  const { after, before, now, providers } = transition
  if (before === after) return []
  return [
    { _tag: "Publish", name: nameOf(before, after) },
    ...reminder(before, after, now),
    ...providers.map((provider) => ({ _tag: "Sync" as const, provider })),
    ...(transition.notify
      ? CalendarEventMail.plan(before, after, now).map((notification) => ({ _tag: "Notify" as const, notification }))
      : [])
  ]
}

/**
 * Returns the effect on the reminder: plan it again, drop it, or none. `ReminderRule.next` returns when a planned
 * reminder is due.
 */
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

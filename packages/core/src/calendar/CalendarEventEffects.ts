import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Notification } from "../mail/Mailer.ts"
import { type CalendarEventName, nameOf } from "../calendar-event/CalendarWebhookEvent.ts"
import type { CalendarEvent, CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import * as CalendarEventMail from "../mail/CalendarEventMail.ts"
import * as ReminderRule from "../reminder/ReminderRule.ts"

/** One effect of a change of a calendar event. */
export type CalendarEventEffect =
  | { readonly _tag: "Publish"; readonly name: CalendarEventName }
  | { readonly _tag: "Sync"; readonly provider: CalendarProviderKey }
  | { readonly _tag: "Notify"; readonly notification: Notification }
  | { readonly _tag: "PlanReminder" }
  | { readonly _tag: "DropReminder" }

/** A change of a calendar event. */
export interface CalendarEventTransition {
  /** The event before the change; null when it is new. */
  readonly before: CalendarEvent | null
  readonly after: CalendarEvent
  /** The external calendars that the change is written to. Empty when the write turns syncing off. */
  readonly providers: ReadonlyArray<CalendarProviderKey>
  /**
   * Whether the change is mailed to the customer: the flag of the write, and for a cancel `Cancellation.isMailed`.
   */
  readonly notify: boolean
  readonly now: DateTime.Utc
}

/** Returns the effects of a change in the order in which they are stored. A change without a difference has none. */
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

/** Returns whether the reminder is planned again or dropped. `ReminderRule.next` returns when it is due. */
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

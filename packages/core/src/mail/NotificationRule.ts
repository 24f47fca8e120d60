import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type CalendarEvent, hasContactData, isUpcoming } from "../calendar-event/CalendarEvent.ts"
import { invitationOf } from "../calendar-event/Invitation.ts"
import type { PreviousValues } from "../calendar-event/MailFields.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import * as InvitationRule from "./InvitationRule.ts"
import type { Message, Notification } from "./Mailer.ts"
import * as MailValues from "./MailValues.ts"

/** What is mailed, without the account in whose name. */
type Content = Omit<Message, "account">

/**
 * Returns what a waiting mail says at the time it is sent, which may be long after it became due; none when it is no
 * longer true.
 *
 * Every mail but `withdrawn` shows the calendar event as it is now, so that the mail that comes last shows the newest
 * state. It goes to the address that its change left, and is dropped when the event has another one: a change of the
 * address has mails of its own. A reminder goes to the present address. It is dropped when the event has another start
 * than the one that it was made for, is over or cancelled, or no longer wants reminders.
 */
export const current = (
  notification: Notification,
  event: Option.Option<CalendarEvent>,
  now: DateTime.Utc
): Option.Option<Content> =>
  Option.flatMap(event, (event) => {
    if (notification.kind === "withdrawn") return withdrawal(notification, event, now)
    if (!isTrue(notification, event, now)) return Option.none()
    const invitation = invitationOf(event)
    // A customer without an invitation does not know the values before the change.
    const kind = notification.kind === "updated" && invitation?.isSent !== true ? "created" : notification.kind
    if (kind !== "updated") {
      // Another mail that waited has brought the invitation already.
      const isInvited = kind === "created" && invitation?.isAccepted === true
      return isInvited ? Option.none() : Option.some({ kind, event, previous: {} })
    }
    const before = told(notification.previous, event)
    if (before === undefined) return Option.some({ kind, event, previous: {} })
    const previous = MailValues.replaced(before, event)
    if (!MailValues.isEmpty(previous)) return Option.some({ kind, event, previous })
    // A mail that perhaps arrived may have shown what was undone since, and one that perhaps did not was the invitation.
    return invitation?.isUnanswered === true
      ? Option.some({ kind: invitation.isAccepted === true ? kind : "created", event, previous })
      : Option.none()
  })

/**
 * The values that the last mail showed, of those that have changed since: several changes that wait are one mail.
 * Where a version that did not store them has sent the last mail, those before the change; undefined when these were not
 * stored either.
 */
const told = (previous: PreviousValues | undefined, { invitation }: CalendarEvent): PreviousValues | undefined => {
  if (invitation?.told !== undefined) return { ...invitation.told, status: invitation.status }
  if (previous?.status === undefined || invitation === null) return previous
  return { ...previous, status: invitation.status }
}

type Current = Exclude<Notification, { readonly kind: "withdrawn" }>

type Withdrawal = Extract<Notification, { readonly kind: "withdrawn" }>

const isTrue = (
  { event: { customer, startTime }, kind }: Current,
  event: CalendarEvent,
  now: DateTime.Utc
): boolean => {
  if (!hasContactData(event)) return false
  if (kind === "reminder") return isStillWanted(startTime, event, now)
  if (!EmailAddress.isSameMailbox(customer.email, event.customer.email)) return false
  return kind === "cancelled" ? event.status === "cancelled" : isUpcoming(event, now)
}

/**
 * Whether the event still wants the reminder of a start. The time at which the reminder is due now does not
 * matter: a start is reminded of once, so that no other mail would take the place of this one.
 */
const isStillWanted = (reminded: DateTime.Utc, event: CalendarEvent, now: DateTime.Utc): boolean =>
  event.isReminderEnabled && isUpcoming(event, now) && DateTime.Equivalence(reminded, event.startTime)

/**
 * Dropped when the event has the address again, so that the invitation stands again, and when what it withdraws would be
 * over.
 */
const withdrawal = (
  { event: known, kind }: Withdrawal,
  event: CalendarEvent,
  now: DateTime.Utc
): Option.Option<Content> =>
  (EmailAddress.isSameMailbox(known.customer.email, event.customer.email) &&
    InvitationRule.isInvitationValidAgain(event)) ||
  !DateTime.isGreaterThan(known.endTime, now)
    ? Option.none()
    : Option.some({
        kind,
        // The mail shows nothing that the receiver never saw, and no details of the present customer.
        event: {
          ...event,
          ...known,
          description: "",
          videoConferenceUrl: "",
          videoConferenceProvider: "",
          customer: { name: "", email: known.customer.email, phone: "", notes: "" }
        },
        previous: {}
      })

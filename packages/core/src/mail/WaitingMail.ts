import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type CalendarEvent, hasContactData, isUpcoming } from "../calendar-event/CalendarEvent.ts"
import { invitationOf } from "../calendar-event/Invitation.ts"
import type { PreviousValues } from "../calendar-event/MailFields.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import * as InvitationRule from "./InvitationRule.ts"
import type { Message, Notification } from "./Mailer.ts"
import * as MailValues from "./MailValues.ts"

/** A message without its account. */
type Content = Omit<Message, "account">

/**
 * Returns the content of a waiting mail when it is sent, or none when the mail is dropped because it is no longer valid. A
 * mail may be sent long after the change.
 *
 * Every mail but `withdrawn` shows the calendar event as it is now, so that the last mail shows the newest state. It is
 * dropped when nothing is left to report (D-MAIL-2), or when its kind no longer fits the event (D-MAIL-3).
 *
 * A mail about a change is also dropped when the event has another address than after that change (D-MAIL-10). A change
 * of the address has its own mails. A reminder goes to the present address instead (D-MAIL-4). It is dropped when the
 * event has another start than the reminder was planned for, has ended, is cancelled, or has reminders turned off.
 */
export const current = (
  notification: Notification,
  event: Option.Option<CalendarEvent>,
  now: DateTime.Utc
): Option.Option<Content> =>
  Option.flatMap(event, (event) => {
    if (notification.kind === "withdrawn") return withdrawal(notification, event, now)
    if (!isValid(notification, event, now)) return Option.none()
    const invitation = invitationOf(event)
    // A customer who has no invitation yet does not know the values before the change, so the update becomes an invitation.
    const kind = notification.kind === "updated" && invitation?.isSent !== true ? "created" : notification.kind
    if (kind !== "updated") {
      // Another mail that waited has already invited the customer.
      const isInvited = kind === "created" && invitation?.isAccepted === true
      return isInvited ? Option.none() : Option.some({ kind, event, previous: {} })
    }
    const before = lastShown(notification.previous, event)
    if (before === undefined) return Option.some({ kind, event, previous: {} })
    const previous = MailValues.replaced(before, event)
    if (!MailValues.isEmpty(previous)) return Option.some({ kind, event, previous })
    // The result of the last mail is unknown. If it arrived, it may have shown values that were reversed since. If it did
    // not, it may have been the invitation. So a mail is sent although no value differs.
    return invitation?.isUnanswered === true
      ? Option.some({ kind: invitation.isAccepted === true ? kind : "created", event, previous })
      : Option.none()
  })

/**
 * Returns the values that the last mail showed and that have changed since, so that several waiting changes become one
 * mail. When an older version sent the last mail, the result has the values before this change. It is undefined when an
 * older version also stored the task.
 */
const lastShown = (previous: PreviousValues | undefined, { invitation }: CalendarEvent): PreviousValues | undefined => {
  if (invitation?.told !== undefined) return { ...invitation.told, status: invitation.status }
  if (previous?.status === undefined || invitation === null) return previous
  return { ...previous, status: invitation.status }
}

type Current = Exclude<Notification, { readonly kind: "withdrawn" }>

type Withdrawal = Extract<Notification, { readonly kind: "withdrawn" }>

const isValid = (
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
 * Returns whether the reminder of a start is still to be sent. The time at which the reminder would be due now does not
 * matter. Each start has one reminder, so no other mail would replace this one.
 */
const isStillWanted = (reminded: DateTime.Utc, event: CalendarEvent, now: DateTime.Utc): boolean =>
  event.isReminderEnabled && isUpcoming(event, now) && DateTime.Equivalence(reminded, event.startTime)

/**
 * Returns the content of a withdrawal. It is none when the event has the address again and
 * {@link InvitationRule.isInvitationValidAgain}, or when the event as the address knows it has ended (D-MAIL-12).
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
        // The recipient must see neither what no mail showed before, nor the details of the present customer.
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

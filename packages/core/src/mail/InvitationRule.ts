import * as Struct from "effect/Struct"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import { type Invitation, invitationOf } from "../calendar-event/Invitation.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import type { Notification, NotificationKind } from "./Mailer.ts"
import * as MailValues from "./MailValues.ts"

/**
 * Returns whether a waiting withdrawal is unnecessary for an event that has the withdrawn address again. It is necessary
 * when the event is cancelled and did not invite the address again. Without it the recipient would still expect the event.
 */
export const isInvitationValidAgain = (event: CalendarEvent): boolean =>
  event.status !== "cancelled" || invitationOf(event) !== null

/**
 * Returns the event to store before a mail is sent. Its invitation has what the recipient may know from then on, also when
 * the mail server's answer is lost (D-NOTIFY-6, D-MAIL-11).
 */
export const begin = (kind: NotificationKind, event: CalendarEvent): CalendarEvent => {
  const known = invitationOf(event)
  if (kind === "created" || kind === "updated") {
    if (known?.isSent === true) return withoutAnswer(event, known.status)
    const { email } = event.customer
    const status = known?.status ?? event.status
    return { ...event, invitation: { email, isSent: true, status, told: {}, isUnanswered: true } }
  }
  return kind === "cancelled" ? withoutAnswer(event, "cancelled") : event
}

/**
 * Returns the event to store after a mail was sent. Its invitation has what the mail showed. Storing this before the mail
 * is sent would be wrong: a repeat of the mail would find no change to show.
 *
 * @param shown the event as the mail showed it
 */
export const end = (kind: NotificationKind, shown: CalendarEvent, event: CalendarEvent): CalendarEvent => {
  const known = invitationOf(event)
  if (known === null || !isSameAddress(shown, event) || kind === "reminder" || kind === "withdrawn") return event
  const told = MailValues.changedSinceMail({}, shown, event)
  const answered = { ...answer(known), isSent: true, isAccepted: true, status: shown.status, told }
  return { ...event, invitation: answered }
}

/** Returns the event to store when a mail was certainly not sent. It reverses {@link begin}. */
export const undo = (before: CalendarEvent, event: CalendarEvent): CalendarEvent => {
  const known = invitationOf(event)
  if (known === null || !isSameAddress(before, event)) return event
  const was = invitationOf(before)
  // An invitation that was sent before keeps the values that have changed since `begin`.
  if (was?.isSent !== true) return { ...event, invitation: before.invitation }
  const invitation = was.isUnanswered === true ? known : answer(known)
  return { ...event, invitation: { ...invitation, status: was.status } }
}

const answer = (invitation: Invitation): Invitation => Struct.omit(invitation, ["isUnanswered"])

/**
 * Returns the event to store when a waiting mail is dropped.
 *
 * - For an invitation, the event has no invitation then, so that a later change invites the customer.
 * - For the withdrawal from an address that the event has again, the event has the old invitation again. So it is withdrawn
 *   when the event loses that address once more.
 */
export const drop = (notification: Notification, event: CalendarEvent): CalendarEvent => {
  const known = invitationOf(event)
  const { email } = event.customer
  if (known?.isSent === true || !EmailAddress.isSameMailbox(email, notification.event.customer.email)) return event
  if (notification.kind === "created") return known === null ? event : { ...event, invitation: null }
  if (notification.kind !== "withdrawn" || !isInvitationValidAgain(event)) return event
  const told = MailValues.changedSinceMail({}, { ...event, ...notification.event }, event)
  // While the event is not cancelled, mails show only these two statuses.
  const status = event.status === "confirmed" ? "confirmed" : "scheduled"
  return { ...event, invitation: { email, status, ...known, isSent: true, told } }
}

const isSameAddress = (a: CalendarEvent, b: CalendarEvent): boolean =>
  EmailAddress.isSameMailbox(a.customer.email, b.customer.email)

const withoutAnswer = (event: CalendarEvent, status: CalendarEvent["status"]): CalendarEvent => {
  const known = invitationOf(event)
  return known === null || (known.status === status && known.isUnanswered === true)
    ? event
    : { ...event, invitation: { ...known, status, isUnanswered: true } }
}

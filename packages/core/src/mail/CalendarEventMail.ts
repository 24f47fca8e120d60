import * as DateTime from "effect/DateTime"
import type { Notification } from "./Mailer.ts"
import * as MailValues from "./MailValues.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import { type CalendarEvent, hasContactData, isUpcoming } from "../calendar-event/CalendarEvent.ts"
import { type Invitation, invitationOf } from "../calendar-event/Invitation.ts"
import { isAhead } from "../calendar-event/CalendarEventStatus.ts"

/**
 * Returns the invitation that a calendar event has after a change: the one that its address has already, or the one that
 * the change causes. Null when the address was not invited and the change does not invite it.
 *
 * A change invites when it gives the event an address, or changes something that a mail shows, and the event is
 * scheduled or confirmed and has not ended.
 *
 * @param before the event before the change; null when it is new
 * @param isMailed whether the change sends mail
 */
export const invitationAfter = (
  before: CalendarEvent | null,
  after: Omit<CalendarEvent, "id">,
  isMailed: boolean,
  now: DateTime.Utc
): Invitation | null => {
  const known = before === null ? null : invitationOf(before)
  const { email } = after.customer
  if (before !== null && known !== null && EmailAddress.isSameMailbox(known.email, email)) {
    return known.told === undefined ? known : { ...known, told: MailValues.changedSinceMail(known.told, before, after) }
  }
  if (!isMailed || !hasContactData(after) || !isUpcoming(after, now)) return null
  const isChanged =
    before === null ||
    !EmailAddress.isSameMailbox(before.customer.email, email) ||
    !MailValues.isEmpty(MailValues.replaced(before, after))
  return isChanged ? { email, isSent: false, status: after.status } : null
}

/**
 * Returns the mails that a change of a calendar event causes, when its customer is to be notified.
 *
 * - An invitation (`created`) goes to an address that the change has invited: see {@link invitationAfter}.
 * - `updated` goes to an address that was invited before, only when something that a mail shows has changed, while the
 *   event is scheduled or confirmed and has not ended. After `completed` and `no_show` that includes what the customer was
 *   not told before.
 * - `cancelled` goes out once, when the event becomes cancelled, to an address that was invited. It also goes to an
 *   address that was not invited when `send_notifications` was on at creation (C-3.1-7).
 * - An address that the event loses, to another one or to none, gets a cancellation (`withdrawn`) of what it was invited
 *   to, unless the invitation still waits, or the event was cancelled already or has ended. It shows what the last mail
 *   to that address showed. Another spelling of the same mailbox is the same address.
 *
 * @param before the event before the change; null when it is new
 * @param after the event after the change, with the invitation that {@link invitationAfter} has returned
 */
export const plan = (
  before: CalendarEvent | null,
  after: CalendarEvent,
  now: DateTime.Utc
): ReadonlyArray<Notification> => {
  const known = before === null ? null : invitationOf(before)
  const invitation = invitationOf(after)
  const isKept = known !== null && EmailAddress.isSameMailbox(known.email, after.customer.email)
  const created: ReadonlyArray<Notification> =
    invitation !== null && !isKept ? [{ kind: "created", event: basics(after) }] : []
  if (before === null) return created
  if (!EmailAddress.isSameMailbox(before.customer.email, after.customer.email)) {
    if (known === null) return created
    const shown = { ...before, ...known.told }
    return isStillExpected(known, shown, now) ? [withdrawal(shown, after), ...created] : created
  }
  if (after.status === "cancelled") {
    const isTold = before.status === "cancelled" || !hasContactData(after) || (known === null && !after.notifyOnCancel)
    return isTold ? [] : [{ kind: "cancelled", event: basics(after) }]
  }
  if (known === null || !isUpcoming(after, now)) return created
  const previous = MailValues.replaced(lastMailed(before, known, after), after)
  // The customer may know another state from a mail that perhaps arrived, and whose repeat may have been dropped.
  const isReopened = !isAhead(before.status) && known.isUnanswered === true
  return MailValues.isEmpty(previous) && !isReopened ? [] : [{ kind: "updated", event: basics(after), previous }]
}

/** The event before a change, as far as its customer knows it. */
const lastMailed = (
  before: CalendarEvent,
  { status, told }: Invitation,
  after: CalendarEvent
): MailValues.MailValues => {
  if (before.status === after.status) return before
  // No mail tells these two statuses, so a later change is compared with what was mailed before them. A mail that waited
  // meanwhile was dropped: the mail of this change has to name its values too.
  if (before.status === "completed" || before.status === "no_show") return { ...before, ...told, status }
  // A mail of the status before may be under way, so that the sending of this one decides.
  return status === after.status ? before : { ...before, status }
}

/** Returns the mail that reminds a customer of a calendar event. */
export const reminder = (event: CalendarEvent): Notification => ({ kind: "reminder", event: basics(event) })

/** Whether the receiver of the invitation may still expect the event. */
const isStillExpected = (
  { isSent, isUnanswered, status }: Invitation,
  { endTime }: CalendarEvent,
  now: DateTime.Utc
): boolean => isSent && (status !== "cancelled" || isUnanswered === true) && DateTime.isGreaterThan(endTime, now)

const basics = ({ accountId, customer, id, startTime }: CalendarEvent) => ({
  id,
  accountId,
  startTime,
  customer: { email: customer.email }
})

/** The cancellation of what an address knew, as of the change that removed the address. */
const withdrawal = (known: CalendarEvent, { sequence, updatedAt }: CalendarEvent): Notification => ({
  kind: "withdrawn",
  event: {
    ...basics(known),
    title: known.title,
    endTime: known.endTime,
    location: known.location,
    sequence,
    updatedAt
  }
})

import * as DateTime from "effect/DateTime"
import type { Notification } from "./Mailer.ts"
import * as MailValues from "./MailValues.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import { type CalendarEvent, hasContactData, isUpcoming } from "../calendar-event/CalendarEvent.ts"
import { type Invitation, invitationOf } from "../calendar-event/Invitation.ts"
import { isAhead } from "../calendar-event/CalendarEventStatus.ts"

/**
 * Returns the invitation that a calendar event has after a change. That is the invitation of its email address, or a new
 * one when the change invites the address. Returns null when the address was not invited and the change does not invite it.
 *
 * A change that sends mail invites the address when it creates the event, gives it another address, or changes
 * something that a mail shows (D-NOTIFY-7). The event must be scheduled or confirmed, and must not have ended
 * (D-NOTIFY-3).
 *
 * @param before the event before the change; null when the event is new
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
 * Returns the mails that follow from a change of a calendar event, when the change sends mail (D-NOTIFY-3 to D-NOTIFY-10).
 *
 * - `created` is an invitation. It goes to an address that the change invites: see {@link invitationAfter}.
 * - `updated` goes to an address that was invited before, when something that a mail shows has changed. The event must be
 *   scheduled or confirmed, and must not have ended. After `completed` and `no_show`, it also names the changes that were
 *   not mailed before.
 * - `cancelled` is sent once, when the event becomes cancelled, to an address that was invited. It also goes to an address
 *   that was not invited when `send_notifications` was on at creation (C-3.1-7).
 * - `withdrawn` goes to an address that the event loses. It cancels the event for that address, and shows what the last
 *   mail to it showed. It is sent only when the invitation was sent and the event, as last shown, has not ended
 *   (D-MAIL-11). After a cancellation it is sent only if the result of that mail is unknown. Two spellings of one
 *   mailbox are the same address.
 *
 * @param before the event before the change; null when the event is new
 * @param after the event after the change, with the invitation that {@link invitationAfter} returned
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
    const isMailed = before.status !== "cancelled" && hasContactData(after) && (known !== null || after.notifyOnCancel)
    return isMailed ? [{ kind: "cancelled", event: basics(after) }] : []
  }
  if (known === null || !isUpcoming(after, now)) return created
  const previous = MailValues.replaced(lastMailed(before, known, after), after)
  // An earlier mail may have arrived although its sending failed, and its repeat may have been dropped. The customer then
  // knows another state, and this mail corrects it.
  const isReopened = !isAhead(before.status) && known.isUnanswered === true
  return MailValues.isEmpty(previous) && !isReopened ? [] : [{ kind: "updated", event: basics(after), previous }]
}

/** Returns the values of the event before a change as its customer knows them (D-NOTIFY-5). */
const lastMailed = (
  before: CalendarEvent,
  { status, told }: Invitation,
  after: CalendarEvent
): MailValues.MailValues => {
  if (before.status === after.status) return before
  // A change to `completed` or `no_show` is never mailed, so the change is compared with what was mailed before it. A mail
  // that waited meanwhile was dropped, so the mail of this change must name that mail's values too.
  if (before.status === "completed" || before.status === "no_show") return { ...before, ...told, status }
  // The mail about the earlier status may be on its way. So this mail is planned, and it is dropped when it is sent if
  // nothing has changed then.
  return status === after.status ? before : { ...before, status }
}

/** Returns the mail that reminds a customer of a calendar event (D-REM-3). */
export const reminder = (event: CalendarEvent): Notification => ({ kind: "reminder", event: basics(event) })

/** Returns whether the recipient of the invitation may still expect the event. */
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

/**
 * Returns the cancellation for an address, which shows what the address knew (D-MAIL-12). Its revision is that of the
 * present change.
 */
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

import * as DateTime from "effect/DateTime"
import type { Notification } from "../notify/Mailer.ts"
import * as ShownValues from "../notify/ShownValues.ts"
import * as EmailAddress from "../values/EmailAddress.ts"
import { type CalendarEvent, hasContactData, isUpcoming } from "./CalendarEvent.ts"

/**
 * Returns the mails that a change of a calendar event causes, when its customer is to be notified.
 *
 * - An invitation (`created`) goes to an address that the event did not have before, `updated` only when something that
 *   a mail shows has changed. Both require that the event is scheduled or confirmed, and has not ended.
 * - `cancelled` goes out once, when the event becomes cancelled (Contract 3.1).
 * - An address that the event loses, to another one or to none, gets a cancellation (`withdrawn`) of what it was invited
 *   to, unless that was cancelled already or has ended. Upper and lower case do not make another address.
 *
 * @param before the event before the change; null when it is new
 */
export const plan = (
  before: CalendarEvent | null,
  after: CalendarEvent,
  now: DateTime.Utc
): ReadonlyArray<Notification> => {
  const invited = before !== null && hasContactData(before) ? before : null
  const isInvited = hasContactData(after) && isUpcoming(after, now)
  if (invited === null) return isInvited ? [{ kind: "created", event: basics(after) }] : []
  if (!EmailAddress.isSame(invited.customer.email, after.customer.email)) {
    return [
      ...(isStanding(invited, now) ? [withdrawal(invited, after)] : []),
      ...(isInvited ? [{ kind: "created" as const, event: basics(after) }] : [])
    ]
  }
  if (after.status === "cancelled") {
    return invited.status === "cancelled" ? [] : [{ kind: "cancelled", event: basics(after) }]
  }
  const previous = ShownValues.replaced(invited, after)
  return isInvited && !ShownValues.isEmpty(previous) ? [{ kind: "updated", event: basics(after), previous }] : []
}

/** Returns the mail that reminds a customer of a calendar event. */
export const reminder = (event: CalendarEvent): Notification => ({ kind: "reminder", event: basics(event) })

/** Whether whoever was invited to the event still expects it. */
const isStanding = ({ endTime, status }: CalendarEvent, now: DateTime.Utc): boolean =>
  status !== "cancelled" && DateTime.isGreaterThan(endTime, now)

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

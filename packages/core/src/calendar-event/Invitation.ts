import * as Schema from "effect/Schema"
import * as EmailAddress from "../values/EmailAddress.ts"
import { CalendarEventStatus } from "./CalendarEventStatus.ts"
import { PreviousValues } from "./MailFields.ts"

/** The invitation that the customer of a calendar event has, or gets once the outbox has sent it. */
export const Invitation = Schema.Struct({
  /** The invited address. It is another one than the event's when a version that does not know invitations changed that. */
  email: Schema.String,
  /** Whether the mail server may have the invitation. While it is false, the invitation waits in the outbox. */
  isSent: Schema.Boolean,
  /** The status that the customer was told last. */
  status: CalendarEventStatus,
  /** True once the mail server has certainly accepted a mail to the address. */
  isAccepted: Schema.optionalKey(Schema.Boolean),
  /**
   * True from when a mail is given to the mail server, reminders left out, until one to the address is certainly accepted,
   * or that mail is certainly not sent. The customer may know what that mail showed, beside what is stored here.
   */
  isUnanswered: Schema.optionalKey(Schema.Boolean),
  /**
   * What the last mail showed, of the values that the event has changed since; without the status. Absent while the
   * invitation waits, and when a version that did not store it has sent the last mail.
   */
  told: Schema.optionalKey(PreviousValues)
})

/** The invitation that the customer of a calendar event has, or gets once the outbox has sent it. */
export type Invitation = typeof Invitation.Type

/** What of a calendar event decides whether its present address was invited. */
interface Invited {
  readonly customer: { readonly email: string }
  readonly invitation: Invitation | null
}

/** Returns the invitation of the address that the event has now; null when that address was not invited. */
export const invitationOf = ({ customer, invitation }: Invited): Invitation | null =>
  invitation !== null && EmailAddress.isSameMailbox(invitation.email, customer.email) ? invitation : null

/** Whether the mail server may have an invitation for the event's present address. */
export const isSent = (event: Invited): boolean => invitationOf(event)?.isSent === true

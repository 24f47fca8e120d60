import * as Schema from "effect/Schema"
import * as EmailAddress from "../values/EmailAddress.ts"
import { CalendarEventStatus } from "./CalendarEventStatus.ts"
import { PreviousValues } from "./MailFields.ts"

/** The invitation of a calendar event's customer, sent or still in the outbox. */
export const Invitation = Schema.Struct({
  /**
   * The invited address. It differs from the event's address only when an older version of the software, which had no
   * invitations, changed the event's address.
   */
  email: Schema.String,
  /** Whether the mail server may have the invitation. While it is false, the invitation waits in the outbox. */
  isSent: Schema.Boolean,
  /** The status that the last mail showed. */
  status: CalendarEventStatus,
  /** True once the mail server has certainly accepted a mail to the address. */
  isAccepted: Schema.optionalKey(Schema.Boolean),
  /**
   * True while it is uncertain whether a mail to the address arrived. It becomes true when a mail other than a reminder
   * is given to the mail server. It is removed when the server certainly accepts a mail, or when the mail was certainly
   * not sent. While it is true, the customer may know either what this mail showed or what is stored here.
   */
  isUnanswered: Schema.optionalKey(Schema.Boolean),
  /**
   * The values that the last mail showed and that the event no longer has, without the status. Absent while the
   * invitation waits, and when an older version of the software, which did not store them, has sent the last mail.
   */
  told: Schema.optionalKey(PreviousValues)
})

/** The invitation of a calendar event's customer, sent or still in the outbox. */
export type Invitation = typeof Invitation.Type

/** The fields of a calendar event that decide whether its present address was invited. */
interface Invited {
  readonly customer: { readonly email: string }
  readonly invitation: Invitation | null
}

/** Returns the invitation of the customer's present address, or null when that address was not invited. */
export const invitationOf = ({ customer, invitation }: Invited): Invitation | null =>
  invitation !== null && EmailAddress.isSameMailbox(invitation.email, customer.email) ? invitation : null

/** Returns whether the mail server may have an invitation for the customer's present address. */
export const isSent = (event: Invited): boolean => invitationOf(event)?.isSent === true

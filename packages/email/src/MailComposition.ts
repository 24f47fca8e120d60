import * as Ics from "@frontdesk/core/calendar-event/Ics"
import { identityOf, type Message } from "@frontdesk/core/mail/Mailer"
import * as DateTime from "effect/DateTime"
import { createHash } from "node:crypto"
import type { SendMailOptions } from "nodemailer"
import { domainOf } from "./MailAddress.ts"
import { truncate, lines, oneLine } from "./PlainText.ts"
import { type Correspondent, organizerOf } from "./Sender.ts"
import type { Template } from "./MailTemplate.ts"

/** The maximum number of characters of a subject. */
export const maxSubjectLength = 150
// A name without a space cannot be folded, and a line may have at most 998 octets (RFC 5322 2.1.1).
const maxNameLength = 255

/**
 * Returns the mail for a message. `recipient` is an address in the form of {@link MailAddress.smtpAddress}.
 *
 * The same message always gives the same bytes. Message-ID (RFC 5322 3.6.4), boundaries and Date depend only on the
 * event, its revision, the changed values, the kind and the recipient. The layout follows RFC 6047: text, HTML and the
 * invitation are alternatives, and the invitation is attached a second time as a file.
 */
export const compose = (
  message: Message,
  sender: Correspondent,
  recipient: string,
  template: Template
): SendMailOptions => {
  const { account, event } = message
  const content = template(message)
  const identity = identify(message)
  return {
    envelope: { from: sender.address, to: [recipient] },
    from: { name: displayName(sender.name === "" ? account.name : sender.name), address: sender.address },
    ...(sender.replyTo === null ? {} : { replyTo: sender.replyTo }),
    to: { name: displayName(event.customer.name), address: recipient },
    subject: truncate(maxSubjectLength, headerText(content.subject)),
    date: DateTime.toDateUtc(sentAt(message)),
    messageId: `<${identity}@${domainOf(sender.address)}>`,
    // Tells out-of-office programs not to reply (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    text: lines(content.text),
    html: lines(content.html),
    ...invitation(message, sender, recipient),
    // Quoted-printable text never contains "=_", so no text can end its part early (RFC 2045 6.7).
    encoding: "quoted-printable",
    baseBoundary: `=_${identity}`,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

/** Returns a name as a header has it, shortened. */
export const displayName = (name: string): string => truncate(maxNameLength, headerText(name))

/** Returns a header value on one line. Encoded words (RFC 2047) are broken up, so that no mail program decodes them. */
export const headerText = (value: string): string => oneLine(value).replaceAll("=?", "= ?")

/** Returns a digest of the message. It reveals no personal data, and is short enough for a header of one line. */
const identify = (message: Message): string =>
  createHash("sha256").update(identityOf(message)).digest("hex").slice(0, 32)

/** Returns the time of the change, or of the reminder. The time of sending would differ when a message is sent again. */
const sentAt = ({ event, kind }: Message): DateTime.Utc =>
  kind === "reminder"
    ? DateTime.max(DateTime.subtract(event.startTime, { minutes: event.remindBeforeMinutes }), event.updatedAt)
    : event.updatedAt

/**
 * Returns the invitation or its cancellation as an attachment. A reminder has none: the customer already has the event,
 * and a second request would show it as new.
 */
const invitation = (
  { account, event, kind }: Message,
  sender: Correspondent,
  recipient: string
): Pick<SendMailOptions, "icalEvent"> => {
  if (kind === "reminder") return {}
  const invited = { ...event, customer: { ...event.customer, email: recipient } }
  const organizer = { name: oneLine(account.name), email: organizerOf(sender) }
  const purpose =
    kind === "cancelled" || kind === "withdrawn"
      ? { method: "CANCEL" as const, organizer, isEventCancelled: kind === "cancelled" }
      : { method: "REQUEST" as const, organizer, asksForAnswer: sender.replyTo !== null }
  return { icalEvent: { method: purpose.method, filename: "invite.ics", content: Ics.calendar(invited, purpose) } }
}

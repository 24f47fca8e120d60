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
const maxSubjectLength = 150
// A name without a space cannot be folded, and a line may have at most 998 octets (RFC 5322 2.1.1).
const maxNameLength = 255

/** What a mail says, and to whom. */
interface MailContent {
  /** The name of the account, for a sender without a name. */
  readonly accountName: string
  /** The name of the recipient. */
  readonly name: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly date: DateTime.Utc
  /** What the mail is about. It decides the Message-ID and the boundaries, so equal mails have equal bytes. */
  readonly about: string
}

/** Returns a mail without attachments. `recipient` is an address in the form of {@link MailAddress.smtpAddress}. */
export const mailTo = (
  sender: Correspondent,
  recipient: string,
  { about, accountName, date, html, name, subject, text }: MailContent
): SendMailOptions => {
  // A digest reveals no personal data, and is short enough for a header of one line.
  const identity = createHash("sha256").update(about).digest("hex").slice(0, 32)
  return {
    envelope: { from: sender.address, to: [recipient] },
    from: { name: displayName(sender.name === "" ? accountName : sender.name), address: sender.address },
    ...(sender.replyTo === null ? {} : { replyTo: sender.replyTo }),
    to: { name: displayName(name), address: recipient },
    subject: truncate(maxSubjectLength, headerText(subject)),
    date: DateTime.toDateUtc(date),
    messageId: `<${identity}@${domainOf(sender.address)}>`,
    // Tells out-of-office programs not to reply (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    text,
    html,
    // Quoted-printable text never contains "=_", so no text can end its part early (RFC 2045 6.7).
    encoding: "quoted-printable",
    baseBoundary: `=_${identity}`,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

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
  const mail = mailTo(sender, recipient, {
    accountName: account.name,
    name: event.customer.name,
    subject: content.subject,
    text: lines(content.text),
    html: lines(content.html),
    date: sentAt(message),
    about: identityOf(message)
  })
  return { ...mail, ...invitation(message, sender, recipient) }
}

/** Returns a name as a header has it, shortened. */
const displayName = (name: string): string => truncate(maxNameLength, headerText(name))

/** Returns a header value on one line. Encoded words (RFC 2047) are broken up, so that no mail program decodes them. */
const headerText = (value: string): string => oneLine(value).replaceAll("=?", "= ?")

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

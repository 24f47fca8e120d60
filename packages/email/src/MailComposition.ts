import * as Ics from "@frontdesk/core/calendar-event/Ics"
import { identityOf, type Message } from "@frontdesk/core/mail/Mailer"
import * as DateTime from "effect/DateTime"
import { createHash } from "node:crypto"
import type { SendMailOptions } from "nodemailer"
import { domainOf } from "./MailAddress.ts"
import { atMost, lines, oneLine } from "./PlainText.ts"
import { type Correspondent, organizerOf } from "./Sender.ts"
import type { Template } from "./MailTemplate.ts"

const maximumSubject = 150
// A name without a space cannot be folded, and a line has at most 998 octets (RFC 5322 2.1.1).
const maximumName = 255

/**
 * The mail of a message, to an address as SMTP carries it.
 *
 * The same message gives the same bytes: its Message-ID (RFC 5322 3.6.4), its boundaries and its Date follow from the
 * event, its revision, what has changed, the kind and the receiver alone. The layout is that of RFC 6047: text, HTML and the invitation as
 * alternatives, and the invitation once more as a file.
 */
export const compose = (
  message: Message,
  sender: Correspondent,
  recipient: string,
  template: Template
): SendMailOptions => {
  const { account, event } = message
  const said = template(message)
  const identity = identify(message)
  return {
    envelope: { from: sender.address, to: [recipient] },
    from: { name: displayName(sender.name === "" ? account.name : sender.name), address: sender.address },
    ...(sender.replyTo === null ? {} : { replyTo: sender.replyTo }),
    to: { name: displayName(event.customer.name), address: recipient },
    subject: atMost(maximumSubject, headerText(said.subject)),
    date: DateTime.toDateUtc(sentAt(message)),
    messageId: `<${identity}@${domainOf(sender.address)}>`,
    // Nobody's out-of-office answers it (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    text: lines(said.text),
    html: lines(said.html),
    ...invitation(message, sender, recipient),
    // What is quoted-printable has no "=_", so no text can end its part (RFC 2045 6.7).
    encoding: "quoted-printable",
    baseBoundary: `=_${identity}`,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

const displayName = (name: string): string => atMost(maximumName, headerText(name))

/** On one line, and shown as it is: what looks like an encoded word would be decoded (RFC 2047), into whatever it holds. */
const headerText = (value: string): string => oneLine(value).replaceAll("=?", "= ?")

/** Nothing of it tells whom or what the mail is about; short, so that the header is one line. */
const identify = (message: Message): string =>
  createHash("sha256").update(identityOf(message)).digest("hex").slice(0, 32)

/** When the message became due: not when it is sent, which a repeat would move. */
const sentAt = ({ event, kind }: Message): DateTime.Utc =>
  kind === "reminder"
    ? DateTime.max(DateTime.subtract(event.startTime, { minutes: event.remindBeforeMinutes }), event.updatedAt)
    : event.updatedAt

/**
 * The invitation, or its end. A reminder has none: the customer has the event already, and a second request would show
 * it as new.
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

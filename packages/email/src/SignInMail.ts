import type { SignInMailKind, SignInMessage } from "@frontdesk/core/mail/Mailer"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import type { SendMailOptions } from "nodemailer"
import * as EventTime from "./EventTime.ts"
import { mailTo } from "./MailComposition.ts"
import { escapeHtml, oneLine } from "./PlainText.ts"
import type { Correspondent } from "./Sender.ts"

const texts: { readonly [K in SignInMailKind]: { readonly subject: string; readonly sentence: string } } = {
  sign_in: { subject: "Sign in to", sentence: "With this link you sign in to the dashboard of" },
  invitation: { subject: "Invitation to", sentence: "You are invited to the dashboard of" }
}

const ignore = "The link works once. Do not pass it on. If you did not ask for it, ignore this mail."

/**
 * Returns the mail with a sign-in link. `recipient` is an address in the form of `MailAddress.smtpAddress`. The link is in the
 * body alone, and never in a header, which mail servers log.
 */
export const composeSignIn = (
  { accountName, createdAt, expiresAt, kind, linkId, name, timeZone, url }: SignInMessage,
  sender: Correspondent,
  recipient: string
): SendMailOptions => {
  const { sentence, subject: opening } = texts[kind]
  const account = oneLine(accountName)
  const subject = `${opening} ${account}`
  const link = Redacted.value(url)
  const greeting = oneLine(name) === "" ? "Hello," : `Hello ${oneLine(name)},`
  const until = `It works until ${EventTime.instant(expiresAt, timeZone)}.`
  return mailTo(sender, recipient, {
    accountName,
    name,
    subject,
    date: createdAt,
    about: `sign-in ${linkId} ${DateTime.toEpochMillis(createdAt)} ${recipient}`,
    text: `${[greeting, `${sentence} ${account}:`, link, until, ignore].join("\n\n")}\n`,
    html: [
      '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
      `<title>${escapeHtml(subject)}</title></head><body>`,
      `<p dir="auto">${escapeHtml(greeting)}</p>`,
      `<p>${escapeHtml(sentence)} <bdi>${escapeHtml(account)}</bdi>:</p>`,
      `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
      `<p>${escapeHtml(until)}</p>`,
      `<p>${escapeHtml(ignore)}</p>`,
      "</body></html>",
      ""
    ].join("\n")
  })
}

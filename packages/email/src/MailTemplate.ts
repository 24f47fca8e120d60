import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Message, NotificationKind } from "@frontdesk/core/mail/Mailer"
import * as ChangedValues from "./ChangedValues.ts"
import * as EventTime from "./EventTime.ts"
import { escapeHtml, lines, oneLine } from "./PlainText.ts"

/** The text of a mail. */
export interface MailText {
  /** The subject. The mailer converts it to one line and shortens it to 150 characters. */
  readonly subject: string
  readonly text: string
  /** A complete HTML document. The template must escape every value of the event. */
  readonly html: string
}

/**
 * Returns the text of the mail for a message. It must return the same text for the same message, so that a repeated mail
 * is identical to the first.
 */
export type Template = (message: Message) => MailText

const openings: { readonly [Kind in NotificationKind]: { readonly subject: string; readonly sentence: string } } = {
  created: { subject: "Invitation", sentence: "You are invited to this event." },
  updated: { subject: "Changed", sentence: "This event has changed." },
  cancelled: { subject: "Cancelled", sentence: "This event is cancelled." },
  withdrawn: { subject: "Withdrawn", sentence: "The invitation of this address to this event is withdrawn." },
  reminder: { subject: "Reminder", sentence: "This is a reminder of your event." }
}

/**
 * The default template, in English. A mail has the changed values, the time in the account's zone, the place, the video
 * conference, the description, and the account's name at the end. It omits the customer's notes, which are for the account.
 */
export const standard: Template = (message) => {
  const { account, event, kind, previous } = message
  const { sentence, subject } = openings[kind]
  const title = oneLine(event.title)
  const name = oneLine(event.customer.name)
  const parts = {
    title,
    sentence,
    greeting: name === "" ? "Hello," : `Hello ${name},`,
    details: details(event, EventTime.describe(event, account.timeZone)),
    changes: ChangedValues.describe(previous, event, account.timeZone),
    description: lines(event.description),
    signature: oneLine(account.name)
  }
  return { subject: `${subject}: ${title}`, text: plain(parts), html: html(parts) }
}

interface Detail {
  readonly label: string
  readonly value: string
  /** The URL when the value is a link. */
  readonly href?: string
}

interface MailParts {
  readonly greeting: string
  readonly sentence: string
  readonly title: string
  readonly details: ReadonlyArray<Detail>
  readonly changes: ReadonlyArray<ChangedValues.Change>
  readonly description: string
  readonly signature: string
}

const details = (event: CalendarEvent, when: string): ReadonlyArray<Detail> => {
  const place = oneLine(event.location ?? "")
  const link = oneLine(event.videoConferenceUrl)
  const provider = oneLine(event.videoConferenceProvider)
  return [
    { label: "When", value: when },
    ...(place === "" ? [] : [{ label: "Where", value: place }]),
    ...(link === "" ? [] : [{ label: provider === "" ? "Video" : provider, value: link, ...hrefOf(link) }])
  ]
}

/** Returns the `href` of a link. Only http and https are links, because another scheme could start a program. */
const hrefOf = (link: string): { readonly href: string } | undefined =>
  /^https?:$/.test(URL.parse(link)?.protocol ?? "") ? { href: link } : undefined

const plain = ({ changes, description, details, greeting, sentence, signature, title }: MailParts): string => {
  const facts = [title, ...details.map(({ label, value }) => `${label}: ${value}`)].join("\n")
  const paragraphs = [greeting, sentence, ...changes.map(changed), facts, description, signature]
  return `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`
}

const changed = ({ after, before, label }: ChangedValues.Change): string =>
  [`${label} has changed`, `Before: ${before}`, `Now: ${after}`].join("\n")

// Each value is in an element of its own with `dir="auto"`, so that right-to-left text does not reorder its surroundings.
const html = ({ changes, description, details, greeting, sentence, signature, title }: MailParts): string =>
  [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(title)}</title></head><body>`,
    `<p dir="auto">${escapeHtml(greeting)}</p>`,
    `<p>${escapeHtml(sentence)}</p>`,
    ...(changes.length === 0 ? [] : ["<table>", changedHead, ...changes.map(changedRow), "</table>"]),
    `<h1 dir="auto" style="font-size:1.2em">${escapeHtml(title)}</h1>`,
    "<table>",
    ...details.map(row),
    "</table>",
    ...(description === "" ? [] : [`<p dir="auto" style="white-space:pre-line">${escapeHtml(description)}</p>`]),
    ...(signature === "" ? [] : [`<p dir="auto">${escapeHtml(signature)}</p>`]),
    "</body></html>",
    ""
  ].join("\n")

const changedHead = '<tr><td></td><th align="left">Before</th><th align="left">Now</th></tr>'

const changedRow = ({ after, before, label }: ChangedValues.Change): string => {
  const cells = [`<td dir="auto"><s>${escapeHtml(before)}</s></td>`, `<td dir="auto">${escapeHtml(after)}</td>`]
  return `<tr><th dir="auto" align="left">${escapeHtml(label)}</th>${cells.join("")}</tr>`
}

const row = ({ href, label, value }: Detail): string => {
  const text = escapeHtml(value)
  const cell = href === undefined ? text : `<a href="${escapeHtml(href)}">${text}</a>`
  return `<tr><th dir="auto" align="left">${escapeHtml(label)}</th><td dir="auto">${cell}</td></tr>`
}

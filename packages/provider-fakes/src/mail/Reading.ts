import ICAL from "ical.js"
import PostalMime, { type Email } from "postal-mime"

/** A parsed mail. */
export type Mail = Email

/** Parses a mail with another library than the one that writes mails. */
export const read = (bytes: string): Promise<Mail> => PostalMime.parse(bytes)

/** Returns the calendar files of a mail: the alternative and the attachment, in this order. */
export const files = (mail: Mail): ReadonlyArray<string> =>
  mail.attachments.map(({ content }) => (typeof content === "string" ? content : new TextDecoder().decode(content)))

/**
 * Parses a calendar file. Returns its method, the number of its events, and a function for properties of the first
 * event.
 */
export const calendar = (file: string) => {
  const component = ICAL.Component.fromString(file)
  const events = component.getAllSubcomponents("vevent")
  const value = (name: string) => events[0]?.getFirstPropertyValue(name)?.toString() ?? ""
  return { method: component.getFirstPropertyValue("method")?.toString() ?? "", count: events.length, value }
}

import ICAL from "ical.js"
import PostalMime, { type Email } from "postal-mime"

/** A mail that was read. */
export type Mail = Email

/** Reads a mail, independently of what wrote it. */
export const read = (bytes: string): Promise<Mail> => PostalMime.parse(bytes)

/** The calendar files of a mail: the alternative and the attachment, in this order. */
export const files = (mail: Mail): ReadonlyArray<string> =>
  mail.attachments.map(({ content }) => (typeof content === "string" ? content : new TextDecoder().decode(content)))

/** A calendar file: its method, how many events it has, and the properties of the first. */
export const calendar = (file: string) => {
  const component = ICAL.Component.fromString(file)
  const events = component.getAllSubcomponents("vevent")
  const value = (name: string) => events[0]?.getFirstPropertyValue(name)?.toString() ?? ""
  return { method: component.getFirstPropertyValue("method")?.toString() ?? "", count: events.length, value }
}

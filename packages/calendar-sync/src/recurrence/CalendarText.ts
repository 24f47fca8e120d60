import ICAL from "ical.js"

/**
 * Reads an iCalendar object: one VCALENDAR (RFC 5545 3.4). Case counts in no part of a rule (RFC 5545 2.1, 3.1), but
 * does for the parser.
 *
 * @throws when it is something else, or cannot be read
 */
export const parse = (text: string): ICAL.Component => {
  const object = ICAL.Component.fromString(
    text.replace(/^RRULE[;:].*(?:\r?\n[\t ].*)*/gim, (rule) => rule.toUpperCase())
  )
  if (object.name !== "vcalendar") throw new Error("it is not one VCALENDAR")
  return object
}

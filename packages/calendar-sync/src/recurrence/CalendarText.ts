import ICAL from "ical.js"

/**
 * Parses an iCalendar object: one VCALENDAR (RFC 5545 3.4). Recurrence rules are converted to upper case first, because
 * they are case-insensitive (RFC 5545 2.1, 3.1) and the parser is not.
 *
 * @throws when the text is not a VCALENDAR, or cannot be parsed
 */
export const parse = (text: string): ICAL.Component => {
  const object = ICAL.Component.fromString(
    text.replace(/^RRULE[;:].*(?:\r?\n[\t ].*)*/gim, (rule) => rule.toUpperCase())
  )
  if (object.name !== "vcalendar") throw new Error("the object is not one VCALENDAR")
  return object
}

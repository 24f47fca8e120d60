import type { Interval } from "@frontdesk/core/values/Interval"
import * as CalendarDay from "./CalendarDay.ts"

/** Properties with which an event can be busy outside its DTSTART and DTEND. */
const extending = new Set(["RRULE", "RDATE", "DURATION", "RECURRENCE-ID"])

/**
 * How far the text of a date may be from its instants. It covers the largest offset from UTC, the length of the day, and
 * three days for a date such as 31 February.
 */
const margin = 6 * CalendarDay.day

/**
 * Returns whether an iCalendar object may be busy in a window. It scans the text, at a fraction of the cost of parsing it.
 *
 * Returns false only when each event has a DTSTART and none of the properties above, and its dates do not reach the window:
 * all dates of the object are days before it, or all are days after it. Returns true for every other text, also for one that
 * cannot be parsed.
 */
export const mayBeBusy = (text: string, window: Interval): boolean => {
  const first = dateOf(window.start - margin)
  const last = dateOf(window.end + margin)
  let isInZone = false
  let events = 0
  let starts = 0
  let isBefore = true
  let isAfter = true
  for (const line of text.replace(/\r?\n[\t ]/g, "").split("\n")) {
    const name = /^[a-z-]+/i.exec(line)?.[0].toUpperCase() ?? ""
    if (name === "BEGIN" || name === "END") {
      if (/^BEGIN:VEVENT\s*$/i.test(line)) events++
      if (/:VTIMEZONE\s*$/i.test(line)) isInZone = name === "BEGIN"
    } else if (!isInZone && extending.has(name)) {
      return true
    } else if (!isInZone && (name === "DTSTART" || name === "DTEND")) {
      const date = /:(\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:T\d{4,6}Z?)?\s*$/i.exec(line)?.[1]
      if (date === undefined) return true
      if (name === "DTSTART") starts++
      isBefore &&= date < first
      isAfter &&= date > last
    }
  }
  return events === 0 || starts !== events || !(isBefore || isAfter)
}

const dateOf = (instant: number): string => {
  const { day, month, year } = CalendarDay.toDate(CalendarDay.dayOf(instant))
  return [`${year}`.padStart(4, "0"), ...[month, day].map((part) => `${part}`.padStart(2, "0"))].join("")
}

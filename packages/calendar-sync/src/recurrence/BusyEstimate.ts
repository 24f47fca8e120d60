import type { Interval } from "@frontdesk/core/values/Interval"
import * as CalendarDay from "./CalendarDay.ts"

/** What makes an event busy at other times than its DTSTART and DTEND say. */
const spreading = new Set(["RRULE", "RDATE", "DURATION", "RECURRENCE-ID"])

/** How far a date may be from where it counts: more than any offset, the day that it is itself, and three for 31 February. */
const margin = 6 * CalendarDay.day

/**
 * Whether an iCalendar object may be busy in a window, told from its text at a fraction of the cost of reading it: not
 * when each of its events has a DTSTART and no recurrence, and every date lies on one side, days away.
 *
 * It is true of all that cannot be told so, also of what cannot be read.
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
    } else if (!isInZone && spreading.has(name)) {
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

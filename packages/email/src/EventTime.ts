import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as TimeZone from "@frontdesk/core/values/TimeZone"
import * as DateTime from "effect/DateTime"

/**
 * Returns the time of an event as text in a time zone: `Monday 1 June 2026, 10:00 to 11:00 (Europe/Paris, UTC+02:00)`.
 * An end on another date, or at another offset, includes its date.
 */
export const describe = (event: Pick<CalendarEvent, "startTime" | "endTime">, zone: TimeZone.TimeZone): string => {
  const [start, end] = [inZone(event.startTime, zone), inZone(event.endTime, zone)]
  const from = `${start.date}, ${start.time}`
  if (start.offset !== end.offset) {
    return `${from} (${start.offset}) to ${end.date}, ${end.time} (${end.offset}), ${zone}`
  }
  const to = start.date === end.date ? end.time : `${end.date}, ${end.time}`
  return `${from} to ${to} (${zone}, ${start.offset})`
}

/** Returns an instant as text in a time zone: `Monday 1 June 2026, 10:00 (Europe/Paris, UTC+02:00)`. */
export const instant = (at: DateTime.Utc, zone: TimeZone.TimeZone): string => {
  const { date, offset, time } = inZone(at, zone)
  return `${date}, ${time} (${zone}, ${offset})`
}

const inZone = (time: DateTime.Utc, zone: TimeZone.TimeZone) => {
  const instant = DateTime.toEpochMillis(time)
  return { date: date(instant, zone), time: time24(instant, zone), offset: offset(instant, zone) }
}

// Joined from parts, because the commas in a complete date differ between versions of Node.
const date = (instant: number, zone: TimeZone.TimeZone): string => {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric"
  }).formatToParts(instant)
  return parts.flatMap(({ type, value }) => (type === "literal" ? [] : [value])).join(" ")
}

const time24 = (instant: number, zone: TimeZone.TimeZone): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    instant
  )

const offset = (instant: number, zone: TimeZone.TimeZone): string =>
  `UTC${TimeZone.formatOffset(instant, zone).slice(-6)}`

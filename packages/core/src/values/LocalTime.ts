import type * as Brand from "effect/Brand"
import { type CalendarDate, dayMillis, fromDayNumber, toDayNumber } from "./GregorianCalendar.ts"
import { resolvedName, spanAt } from "./ZoneOffset.ts"

/** The name of an IANA time zone that the runtime knows. */
export type TimeZone = string & Brand.Brand<"TimeZone">

/** The form of the names of IANA time zones. Intl also accepts an offset such as `+05:00`, which is no such name. */
export const nameForm = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/u

/**
 * Returns the name under which a zone is stored. `america/new_york` becomes `America/New_York`. A name that the runtime
 * resolves to another name stays as it is, because the runtime often prefers the older one (`Asia/Calcutta`).
 */
export const canonicalName = (name: string): string => {
  const resolved = nameForm.test(name) ? resolvedName(name) : undefined
  return resolved !== undefined && resolved.toLowerCase() === name.toLowerCase() ? resolved : name
}

/** Returns whether the runtime knows a zone under a name, and {@link canonicalName} returns the name unchanged. */
export const isTimeZone = (name: string): name is TimeZone =>
  // Every runtime knows UTC. A lookup would load the data of Intl, which every program would wait for at its start.
  name === "UTC" || (nameForm.test(name) && resolvedName(name) !== undefined && canonicalName(name) === name)

const known = (name: string): TimeZone => {
  if (!isTimeZone(name)) throw new RangeError(`unknown time zone: ${name}`)
  return name
}

/** Coordinated universal time, the default zone of an account (D-ACC-2). */
export const utc = known("UTC")

/** Returns local time minus UTC at an instant, in milliseconds. All instants in this module are epoch milliseconds. */
export const offsetAt = (instant: number, zone: TimeZone): number => spanAt(instant, zone).offset

/**
 * Returns the wall time at an instant: the epoch milliseconds at which a clock in UTC shows the local date and time.
 * All wall times in this module have this form.
 */
export const toWall = (instant: number, zone: TimeZone): number => instant + offsetAt(instant, zone)

/** Returns the whole minutes since 00:00 of a wall time. */
export const minuteOfDay = (wall: number): number =>
  Math.floor((wall - Math.floor(wall / dayMillis) * dayMillis) / 60_000)

/**
 * Returns the instant of a wall time. Of a wall time that occurs twice it returns the first instant. A wall time in a
 * gap moves forward by the length of the gap (D-HTTP-13; RFC 5545 3.3.5; `compatible` in Temporal).
 */
export const toInstant = (wall: number, zone: TimeZone): number => {
  // Every zone is less than a day away from UTC, so the search begins before every occurrence.
  let span = spanAt(wall - dayMillis, zone)
  for (;;) {
    const instant = wall - span.offset
    if (instant < span.end) return instant
    const next = spanAt(span.end, zone)
    if (wall - next.offset < next.start) return instant
    span = next
  }
}

/**
 * Returns the first instant of a local date, which is not always 00:00.
 *
 * A date that a zone has skipped (2011-12-30 in Pacific/Apia) begins where the next date begins.
 */
export const startOfDate = (date: CalendarDate, zone: TimeZone): number => startOfDay(toDayNumber(date), zone)

/**
 * Returns the first instant of the local date with a day number (`CalendarDate.fromParts`), see {@link startOfDate}.
 */
export const startOfDay = (dayNumber: number, zone: TimeZone): number => {
  const midnight = dayNumber * dayMillis
  let span = spanAt(midnight - dayMillis, zone)
  while (midnight - span.offset >= span.end) span = spanAt(span.end, zone)
  return Math.max(midnight - span.offset, span.start)
}

/** Returns the local date at an instant. */
export const dateAt = (instant: number, zone: TimeZone): CalendarDate =>
  fromDayNumber(Math.floor(toWall(instant, zone) / dayMillis))

/**
 * Returns an instant as local time with its offset: `2026-03-08T09:00:00-04:00`. Milliseconds appear when they are not
 * 0.
 *
 * An offset of zero is `+00:00`, also in UTC, because `Z` means in RFC 9557 that the local time is unknown. Offsets in
 * ISO 8601 have minutes only. Where a zone used local mean time, offset and local time are rounded to the minute
 * together, so the text names the same instant.
 */
export const formatOffset = (instant: number, zone: TimeZone): string => {
  const minutes = Math.round(offsetAt(instant, zone) / 60_000)
  const wall = instant + minutes * 60_000
  const day = Math.floor(wall / dayMillis)
  const time = wall - day * dayMillis
  const [hour, minute, second] = [time / 3_600_000, (time / 60_000) % 60, (time / 1_000) % 60].map(two)
  const millis = time % 1_000 === 0 ? "" : `.${String(Math.floor(time % 1_000)).padStart(3, "0")}`
  const [ahead, size] = [minutes < 0 ? "-" : "+", Math.abs(minutes)]
  return `${fromDayNumber(day)}T${hour}:${minute}:${second}${millis}${ahead}${two(size / 60)}:${two(size % 60)}`
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, "0")

import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { type CalendarDate, dayMillis, fromDayNumber, toDayNumber } from "./CalendarDate.ts"
import { resolvedName, spanAt } from "./ZoneOffset.ts"

// An offset such as `+05:00` is a zone to Intl but no IANA name.
const form = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/

/**
 * The spelling under which a zone is kept: capitals are put right (`america/new_york`), other names of a zone stay as
 * they are. The runtime's own choice among those is not taken, because it is often the older name (`Asia/Calcutta`).
 */
const canonical = (name: string): string => {
  const resolved = form.test(name) ? resolvedName(name) : undefined
  return resolved !== undefined && resolved.toLowerCase() === name.toLowerCase() ? resolved : name
}

const isKnown = (name: string): boolean =>
  form.test(name) && resolvedName(name) !== undefined && canonical(name) === name

/** The name of an IANA time zone that the runtime knows, `America/New_York`; read in any capitals. */
export const TimeZone = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.makeFilter(isKnown, { identifier: "TimeZone", description: "the name of an IANA time zone" })
    ).pipe(Schema.brand("TimeZone")),
    SchemaTransformation.transform({ decode: canonical, encode: (name: string) => name })
  )
)

/** The name of an IANA time zone that the runtime knows. */
export type TimeZone = typeof TimeZone.Type

/** Coordinated universal time, the default zone of an account (D-ACC-2). */
export const utc: TimeZone = TimeZone.make("UTC")

/** Local time minus UTC at an instant, in milliseconds. Instants are epoch milliseconds, here and below. */
export const offsetAt = (instant: number, zone: TimeZone): number => spanAt(instant, zone).offset

/**
 * The local time at an instant, as the epoch milliseconds at which a clock in UTC shows the same date and time. This is
 * what the functions here mean by a wall time.
 */
export const toWall = (instant: number, zone: TimeZone): number => instant + offsetAt(instant, zone)

/**
 * The instant of a wall time: one that happens twice is its first occurrence, one in a gap moves forward by the length
 * of the gap (D-HTTP-13; RFC 5545 3.3.5; `compatible` in Temporal).
 */
export const toInstant = (wall: number, zone: TimeZone): number => {
  // No zone is a day away from UTC, so the search begins before every occurrence.
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
 * The first instant of a local date, which is not always 00:00.
 *
 * A date without instants (Pacific/Apia 2011-12-30) begins where the next one begins.
 */
export const startOfDate = (date: CalendarDate, zone: TimeZone): number => startOfDay(toDayNumber(date), zone)

/** {@link startOfDate} by day number. */
export const startOfDay = (dayNumber: number, zone: TimeZone): number => {
  const midnight = dayNumber * dayMillis
  let span = spanAt(midnight - dayMillis, zone)
  while (midnight - span.offset >= span.end) span = spanAt(span.end, zone)
  return Math.max(midnight - span.offset, span.start)
}

/** The local date at an instant. */
export const dateAt = (instant: number, zone: TimeZone): CalendarDate =>
  fromDayNumber(Math.floor(toWall(instant, zone) / dayMillis))

/**
 * An instant as local time with its offset, `2026-03-08T09:00:00-04:00`; milliseconds are written when there are any.
 *
 * An offset of zero is `+00:00`, also in UTC: by RFC 9557 `Z` would say that the local time is not known. Offsets have
 * minutes in ISO 8601, so local mean time is written with its offset rounded to the minute and names the same instant.
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

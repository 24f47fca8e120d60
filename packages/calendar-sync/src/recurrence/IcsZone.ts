import * as TimeZone from "@frontdesk/core/values/TimeZone"

/**
 * Converts between wall times and instants, both in epoch milliseconds. A wall time is the instant at which a clock in UTC
 * shows the same date and time. A wall time that occurs twice becomes the earlier instant. A wall time that the clocks skip
 * becomes the instant of a later wall time (RFC 5545 3.3.5).
 */
export interface Zone {
  readonly toInstant: (wall: number) => number
  readonly toWall: (instant: number) => number
}

/** Returns the zone with an IANA name. */
export const ofName = (timeZone: TimeZone.TimeZone): Zone => ({
  toInstant: (wall) => TimeZone.toInstant(wall, timeZone),
  toWall: (instant) => TimeZone.toWall(instant, timeZone)
})

/** The zone UTC. */
export const utc: Zone = { toInstant: (wall) => wall, toWall: (instant) => instant }

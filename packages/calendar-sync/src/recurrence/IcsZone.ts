import * as TimeZone from "@frontdesk/core/values/TimeZone"

/**
 * How the wall times of a place lie in time, both in epoch milliseconds: a wall time is the instant at which a clock in
 * UTC shows the same. One that happens twice is the first, one in a gap moves forward (RFC 5545 3.3.5).
 */
export interface Zone {
  readonly toInstant: (wall: number) => number
  readonly toWall: (instant: number) => number
}

/** The zone of an IANA name. */
export const ofName = (timeZone: TimeZone.TimeZone): Zone => ({
  toInstant: (wall) => TimeZone.toInstant(wall, timeZone),
  toWall: (instant) => TimeZone.toWall(instant, timeZone)
})

/** Universal time. */
export const utc: Zone = { toInstant: (wall) => wall, toWall: (instant) => instant }

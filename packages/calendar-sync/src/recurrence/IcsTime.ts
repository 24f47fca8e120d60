import ICAL from "ical.js"
import * as CalendarDay from "./CalendarDay.ts"
import { utc, type Zone } from "./IcsZone.ts"

/** A date, or a date and time, of an iCalendar object. */
export interface Moment {
  /** The wall time (see `Zone`). For a date it is midnight. */
  readonly wall: number
  readonly zone: Zone
  readonly isDate: boolean
}

/** Returns the zone of a TZID. With null, returns the zone of times without a TZID. */
export type ZoneOf = (tzid: string | null) => Zone

/** Returns a moment in epoch milliseconds. */
export const instantOf = ({ wall, zone }: Moment): number => zone.toInstant(wall)

/** Returns the wall time of a time. For a date it is midnight. */
export const wallOf = (time: ICAL.Time): number => {
  const day = CalendarDay.fromDate(time.year, time.month, time.day)
  return time.isDate
    ? day * CalendarDay.day
    : day * CalendarDay.day + ((time.hour * 60 + time.minute) * 60 + time.second) * 1_000
}

/** Returns whether a time is in UTC. A time that ends in `Z` is, even if its property has a TZID. */
export const isUtc = (time: ICAL.Time): boolean => time.zone === ICAL.Timezone.utcTimezone

/** Converts a time of a property to a moment in the zone that the property names. */
export const ofTime = (time: ICAL.Time, property: ICAL.Property, zoneOf: ZoneOf): Moment => {
  const tzid = property.getFirstParameter("tzid")
  const zone = isUtc(time) ? utc : zoneOf(time.isDate || !tzid ? null : tzid)
  return { wall: wallOf(time), zone, isDate: time.isDate }
}

/**
 * Returns the moment of a property, or undefined when the component has no such property.
 *
 * @throws when the value is not a date or time
 */
export const find = (component: ICAL.Component, name: string, zoneOf: ZoneOf): Moment | undefined => {
  const property = component.getFirstProperty(name)
  if (property === null) return undefined
  const value = property.getFirstValue()
  if (!(value instanceof ICAL.Time)) throw new Error(`${name.toUpperCase()} is not a date or time`)
  return ofTime(value, property, zoneOf)
}

import ICAL from "ical.js"
import * as CalendarDay from "./CalendarDay.ts"
import { utc, type Zone } from "./IcsZone.ts"

/** A date, or a date and time, of an iCalendar object. */
export interface Moment {
  /** What a clock shows, see `Zone`; a date is its midnight. */
  readonly wall: number
  readonly zone: Zone
  readonly isDate: boolean
}

/** The zone of a TZID; null: of a time that names none. */
export type ZoneOf = (tzid: string | null) => Zone

/** A moment in epoch milliseconds. */
export const instantOf = ({ wall, zone }: Moment): number => zone.toInstant(wall)

/** What a clock shows at a time. */
export const wallOf = (time: ICAL.Time): number => {
  const day = CalendarDay.fromDate(time.year, time.month, time.day)
  return time.isDate
    ? day * CalendarDay.day
    : day * CalendarDay.day + ((time.hour * 60 + time.minute) * 60 + time.second) * 1_000
}

/** Whether a time is in UTC, whatever zone its property names. */
export const isUtc = (time: ICAL.Time): boolean => time.zone === ICAL.Timezone.utcTimezone

/** A time of a property, which names its zone. */
export const ofTime = (time: ICAL.Time, property: ICAL.Property, zoneOf: ZoneOf): Moment => {
  const tzid = property.getFirstParameter("tzid")
  const zone = isUtc(time) ? utc : zoneOf(time.isDate || !tzid ? null : tzid)
  return { wall: wallOf(time), zone, isDate: time.isDate }
}

/** The moment of a property; absent when the component has no such property. @throws when it cannot be read */
export const find = (component: ICAL.Component, name: string, zoneOf: ZoneOf): Moment | undefined => {
  const property = component.getFirstProperty(name)
  if (property === null) return undefined
  const value = property.getFirstValue()
  if (!(value instanceof ICAL.Time)) throw new Error(`its ${name.toUpperCase()} cannot be read`)
  return ofTime(value, property, zoneOf)
}

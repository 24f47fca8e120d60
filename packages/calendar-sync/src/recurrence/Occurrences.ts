import type { Interval } from "@frontdesk/core/values/Interval"
import ICAL from "ical.js"
import type { Budget } from "./StepBudget.ts"
import * as CalendarDay from "./CalendarDay.ts"
import * as IcsTime from "./IcsTime.ts"
import * as ObjectZones from "./ObjectZones.ts"
import { occurrences } from "./RecurrenceRule.ts"
import { rulesOf } from "./RecurrenceRuleParser.ts"
import type { Zone } from "./IcsZone.ts"

/** How long an event is: whole days of the clock, and then time (RFC 5545 3.3.6, 3.8.5.3). */
interface Length {
  readonly days: number
  readonly millis: number
}

/** One occurrence, or the pattern of many. */
interface Occurrence {
  readonly start: IcsTime.Moment
  readonly length: Length
}

/** What reading an object needs to know. */
interface Reading {
  readonly window: Interval
  readonly zoneOf: IcsTime.ZoneOf
  readonly budget: Budget
}

/**
 * When the events of an iCalendar object are busy in a window, in no order (RFC 5545, RFC 4791 7.10).
 *
 * Every occurrence counts: of RRULE and RDATE without EXDATE, and as a RECURRENCE-ID changes it. The DTSTART of a
 * series is an occurrence also when its rule leaves it out. What is transparent or cancelled is not busy; an EXRULE,
 * which RFC 5545 has dropped, takes nothing away. Dates and times without a zone are those of `floating`.
 *
 * @throws when the object cannot be read, or asks for too much work
 */
export const busy = (
  object: ICAL.Component,
  window: Interval,
  floating: Zone,
  budget: Budget
): ReadonlyArray<Interval> => {
  const reading = { window, zoneOf: ObjectZones.ofObject(object, floating, budget), budget }
  const events = Map.groupBy(object.getAllSubcomponents("vevent"), (event) =>
    String(event.getFirstPropertyValue("uid"))
  )
  return [...events.values()]
    .flatMap((ofOne) => ofSeries(ofOne, reading))
    .map(({ length, start }) => ({ start: IcsTime.instantOf(start), end: endOf(start, length) }))
    .filter(({ end, start }) => end > start && start < window.end && end > window.start)
}

/** The occurrences of an event with those that differ from the others; some of them lie outside the window. */
const ofSeries = (events: ReadonlyArray<ICAL.Component>, reading: Reading): ReadonlyArray<Occurrence> => {
  const changes = events.flatMap((event) => {
    const instead = IcsTime.find(event, "recurrence-id", reading.zoneOf)
    return instead === undefined ? [] : [{ event, instead }]
  })
  const ranges = changes
    .filter(({ event }) => isRange(event))
    .map(({ event, instead }) => ({
      event,
      from: IcsTime.instantOf(instead),
      shift: shiftOf(event, instead, reading)
    }))
    .toSorted((one, other) => one.from - other.from)
  const shifts = ranges.map(({ shift }) => shift)
  const masters = events.filter((event) => !event.hasProperty("recurrence-id"))
  const regular = masters.flatMap((master) =>
    unchanged(master, changes, shifts, reading).flatMap((occurrence) => {
      const { start } = occurrence
      const instant = IcsTime.instantOf(start)
      const range = ranges.findLast(({ from }) => from <= instant)
      if (range === undefined) return isFree(master) ? [] : [occurrence]
      return single(range.event, { ...start, wall: start.wall + range.shift }, reading)
    })
  )
  const changed = changes.flatMap(({ event }) => (isFree(event) ? [] : single(event, startOf(event, reading), reading)))
  return [...regular, ...changed]
}

/** Whether a changed occurrence changes all that come after it, too (RFC 5545 3.2.13). */
const isRange = (event: ICAL.Component): boolean =>
  event.getFirstProperty("recurrence-id")?.getFirstParameter("range")?.toUpperCase() === "THISANDFUTURE"

/** How far such a change moves the occurrences. */
const shiftOf = (event: ICAL.Component, instead: IcsTime.Moment, { zoneOf }: Reading): number => {
  const start = IcsTime.find(event, "dtstart", zoneOf) ?? instead
  return instead.zone.toWall(IcsTime.instantOf(start)) - instead.wall
}

/** An occurrence as the event describes it; none when it is free. */
const single = (event: ICAL.Component, start: IcsTime.Moment, reading: Reading): ReadonlyArray<Occurrence> =>
  isFree(event) ? [] : [{ start, length: lengthOf(event, reading.zoneOf) }]

const startOf = (event: ICAL.Component, { zoneOf }: Reading): IcsTime.Moment => {
  const start = IcsTime.find(event, "dtstart", zoneOf)
  if (start === undefined) throw new Error("it has an event without DTSTART")
  return start
}

const isFree = (event: ICAL.Component): boolean =>
  textOf(event, "status") === "CANCELLED" || textOf(event, "transp") === "TRANSPARENT"

const textOf = (event: ICAL.Component, name: string): string =>
  String(event.getFirstPropertyValue(name) ?? "").toUpperCase()

/** The occurrences of an event that are not changed, as far as they may lie in the window. */
const unchanged = (
  master: ICAL.Component,
  changes: ReadonlyArray<{ readonly instead: IcsTime.Moment }>,
  shifts: ReadonlyArray<number>,
  reading: Reading
): ReadonlyArray<Occurrence> => {
  const { budget, window, zoneOf } = reading
  const start = startOf(master, reading)
  const length = lengthOf(master, zoneOf)
  // A day for the changes of clocks on the way.
  const from =
    start.zone.toWall(window.start) - (length.days + 1) * CalendarDay.day - length.millis - Math.max(0, ...shifts)
  const until = start.zone.toWall(window.end) + CalendarDay.day - Math.min(0, ...shifts)
  const excluded = [
    ...datesOf(master, "exdate", reading).map((date) => date.start),
    ...changes.map(({ instead }) => instead)
  ]
  const instants = new Set(excluded.map(IcsTime.instantOf))
  const dates = new Set(
    excluded.filter(({ isDate }) => isDate || start.isDate).map(({ wall }) => CalendarDay.dayOf(wall))
  )
  const walls = new Set([
    start.wall,
    ...rulesOf(master, start).flatMap((rule) => occurrences(rule, start.wall, from, until, budget))
  ])
  const regular = [...walls].map((wall) => ({ start: { ...start, wall }, length }))
  return [...regular, ...datesOf(master, "rdate", reading)].filter(
    ({ start }) => !instants.has(IcsTime.instantOf(start)) && !dates.has(CalendarDay.dayOf(start.wall))
  )
}

/** What RDATE or EXDATE name; a period has its own length. */
const datesOf = (event: ICAL.Component, name: string, reading: Reading): ReadonlyArray<Occurrence> => {
  const length = lengthOf(event, reading.zoneOf)
  return event.getAllProperties(name).flatMap((property) =>
    property.getValues().flatMap((value: unknown): ReadonlyArray<Occurrence> => {
      if (value instanceof ICAL.Time) return [{ start: IcsTime.ofTime(value, property, reading.zoneOf), length }]
      if (!(value instanceof ICAL.Period)) return []
      const start = IcsTime.ofTime(value.start, property, reading.zoneOf)
      const end = value.end ? IcsTime.ofTime(value.end, property, reading.zoneOf) : undefined
      return [{ start, length: between(start, end, value.duration) }]
    })
  )
}

const lengthOf = (event: ICAL.Component, zoneOf: IcsTime.ZoneOf): Length => {
  const start = IcsTime.find(event, "dtstart", zoneOf)
  const duration = event.getFirstPropertyValue("duration")
  return between(start, IcsTime.find(event, "dtend", zoneOf), duration instanceof ICAL.Duration ? duration : null)
}

const between = (
  start: IcsTime.Moment | undefined,
  end: IcsTime.Moment | undefined,
  duration: ICAL.Duration | null
): Length => {
  if (start !== undefined && end !== undefined) {
    // Programs that take DTEND for the last day write a day that ends when it begins.
    if (start.isDate && end.isDate) return { days: Math.max(1, (end.wall - start.wall) / CalendarDay.day), millis: 0 }
    return { days: 0, millis: Math.max(0, IcsTime.instantOf(end) - IcsTime.instantOf(start)) }
  }
  if (duration === null) return { days: start?.isDate === true ? 1 : 0, millis: 0 }
  const { days, hours, isNegative, minutes, seconds, weeks } = duration
  if (isNegative) return { days: 0, millis: 0 }
  return { days: weeks * 7 + days, millis: ((hours * 60 + minutes) * 60 + seconds) * 1_000 }
}

const endOf = ({ wall, zone }: IcsTime.Moment, { days, millis }: Length): number =>
  zone.toInstant(wall + days * CalendarDay.day) + millis

/** When an event that is no series begins and ends; what it has not is null. */
export const spanOf = (
  event: ICAL.Component,
  zoneOf: IcsTime.ZoneOf
): { readonly start: number | null; readonly end: number | null } => {
  const start = IcsTime.find(event, "dtstart", zoneOf)
  if (start === undefined) return { start: null, end: null }
  return { start: IcsTime.instantOf(start), end: endOf(start, lengthOf(event, zoneOf)) }
}

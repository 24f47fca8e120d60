import type { Interval } from "@frontdesk/core/values/Interval"
import ICAL from "ical.js"
import type { Budget } from "./StepBudget.ts"
import * as CalendarDay from "./CalendarDay.ts"
import * as IcsTime from "./IcsTime.ts"
import * as ObjectZones from "./ObjectZones.ts"
import { occurrences } from "./RuleExpansion.ts"
import { rulesOf } from "./RecurrenceRuleParser.ts"
import type { Zone } from "./IcsZone.ts"

/**
 * The length of an event: first whole days of the calendar, then exact time (RFC 5545 3.3.6, 3.8.5.3). A whole day has 23
 * or 25 hours when the clocks change.
 */
interface Length {
  readonly days: number
  readonly millis: number
}

interface Occurrence {
  readonly start: IcsTime.Moment
  readonly length: Length
}

/** What the functions below need from the arguments of {@link busy}. */
interface Context {
  readonly window: Interval
  readonly zoneOf: IcsTime.ZoneOf
  readonly budget: Budget
}

/**
 * Returns the busy intervals of an iCalendar object that overlap a window, in any order (RFC 5545, RFC 4791 7.10).
 *
 * Every occurrence counts: those of RRULE and RDATE without those of EXDATE, each as a RECURRENCE-ID changes it. The DTSTART
 * of a series is an occurrence even if its rule excludes it. Transparent and cancelled events are not busy. EXRULE has no
 * effect, because RFC 5545 has removed it.
 *
 * @param floating the zone of dates and of times without a zone
 * @throws when the object cannot be read, or when the budget is spent
 */
export const busy = (
  object: ICAL.Component,
  window: Interval,
  floating: Zone,
  budget: Budget
): ReadonlyArray<Interval> => {
  const context = { window, zoneOf: ObjectZones.ofObject(object, floating, budget), budget }
  const events = Map.groupBy(object.getAllSubcomponents("vevent"), (event) =>
    String(event.getFirstPropertyValue("uid"))
  )
  return [...events.values()]
    .flatMap((ofOne) => ofSeries(ofOne, context))
    .map(({ length, start }) => ({ start: IcsTime.instantOf(start), end: endOf(start, length) }))
    .filter(({ end, start }) => end > start && start < window.end && end > window.start)
}

/**
 * Returns the occurrences of a series, changed ones included. Some of them may be outside the window.
 *
 * @param events the components with the UID of the series: the series itself and its changed occurrences
 */
const ofSeries = (events: ReadonlyArray<ICAL.Component>, context: Context): ReadonlyArray<Occurrence> => {
  const changes = events.flatMap((event) => {
    const recurrenceId = IcsTime.find(event, "recurrence-id", context.zoneOf)
    return recurrenceId === undefined ? [] : [{ event, recurrenceId }]
  })
  const ranges = changes
    .filter(({ event }) => isRange(event))
    .map(({ event, recurrenceId }) => ({
      event,
      from: IcsTime.instantOf(recurrenceId),
      shift: shiftOf(event, recurrenceId, context)
    }))
    .toSorted((one, other) => one.from - other.from)
  const shifts = ranges.map(({ shift }) => shift)
  const masters = events.filter((event) => !event.hasProperty("recurrence-id"))
  const regular = masters.flatMap((master) =>
    unchanged(master, changes, shifts, context).flatMap((occurrence) => {
      const { start } = occurrence
      const instant = IcsTime.instantOf(start)
      const range = ranges.findLast(({ from }) => from <= instant)
      if (range === undefined) return isFree(master) ? [] : [occurrence]
      return single(range.event, { ...start, wall: start.wall + range.shift }, context)
    })
  )
  const changed = changes.flatMap(({ event }) => (isFree(event) ? [] : single(event, startOf(event, context), context)))
  return [...regular, ...changed]
}

/** Returns whether the change of an occurrence also applies to all later ones (RFC 5545 3.2.13). */
const isRange = (event: ICAL.Component): boolean =>
  event.getFirstProperty("recurrence-id")?.getFirstParameter("range")?.toUpperCase() === "THISANDFUTURE"

/** Returns how far a change moves its occurrence, in milliseconds of wall time. */
const shiftOf = (event: ICAL.Component, recurrenceId: IcsTime.Moment, { zoneOf }: Context): number => {
  const start = IcsTime.find(event, "dtstart", zoneOf) ?? recurrenceId
  return recurrenceId.zone.toWall(IcsTime.instantOf(start)) - recurrenceId.wall
}

/** Returns the occurrence at a start with the length of an event, or none when the event is free. */
const single = (event: ICAL.Component, start: IcsTime.Moment, context: Context): ReadonlyArray<Occurrence> =>
  isFree(event) ? [] : [{ start, length: lengthOf(event, context.zoneOf) }]

const startOf = (event: ICAL.Component, { zoneOf }: Context): IcsTime.Moment => {
  const start = IcsTime.find(event, "dtstart", zoneOf)
  if (start === undefined) throw new Error("an event has no DTSTART")
  return start
}

const isFree = (event: ICAL.Component): boolean =>
  textOf(event, "status") === "CANCELLED" || textOf(event, "transp") === "TRANSPARENT"

const textOf = (event: ICAL.Component, name: string): string =>
  String(event.getFirstPropertyValue(name) ?? "").toUpperCase()

/** Returns those occurrences of a series that have no change of their own and may be in the window. */
const unchanged = (
  master: ICAL.Component,
  changes: ReadonlyArray<{ readonly recurrenceId: IcsTime.Moment }>,
  shifts: ReadonlyArray<number>,
  context: Context
): ReadonlyArray<Occurrence> => {
  const { budget, window, zoneOf } = context
  const start = startOf(master, context)
  const length = lengthOf(master, zoneOf)
  // The window is a day wider on each side, because the clocks may change between an occurrence and its end.
  const from =
    start.zone.toWall(window.start) - (length.days + 1) * CalendarDay.day - length.millis - Math.max(0, ...shifts)
  const until = start.zone.toWall(window.end) + CalendarDay.day - Math.min(0, ...shifts)
  const excluded = [
    ...datesOf(master, "exdate", context).map((date) => date.start),
    ...changes.map(({ recurrenceId }) => recurrenceId)
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
  return [...regular, ...datesOf(master, "rdate", context)].filter(
    ({ start }) => !instants.has(IcsTime.instantOf(start)) && !dates.has(CalendarDay.dayOf(start.wall))
  )
}

/** Returns the occurrences that RDATE or EXDATE lists. A period has its own length, a time has the length of the event. */
const datesOf = (event: ICAL.Component, name: string, context: Context): ReadonlyArray<Occurrence> => {
  const length = lengthOf(event, context.zoneOf)
  return event.getAllProperties(name).flatMap((property) =>
    property.getValues().flatMap((value: unknown): ReadonlyArray<Occurrence> => {
      if (value instanceof ICAL.Time) return [{ start: IcsTime.ofTime(value, property, context.zoneOf), length }]
      if (!(value instanceof ICAL.Period)) return []
      const start = IcsTime.ofTime(value.start, property, context.zoneOf)
      const end = value.end ? IcsTime.ofTime(value.end, property, context.zoneOf) : undefined
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
    // Some programs write the last day as DTEND. An event of one day then ends on the day it begins, and counts as a day.
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

/** Returns the start and end of an event without recurrence, in epoch milliseconds. Both are null without a DTSTART. */
export const spanOf = (
  event: ICAL.Component,
  zoneOf: IcsTime.ZoneOf
): { readonly start: number | null; readonly end: number | null } => {
  const start = IcsTime.find(event, "dtstart", zoneOf)
  if (start === undefined) return { start: null, end: null }
  return { start: IcsTime.instantOf(start), end: endOf(start, lengthOf(event, zoneOf)) }
}

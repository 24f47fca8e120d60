import ICAL from "ical.js"
import type { Budget } from "./StepBudget.ts"
import * as CalendarDay from "./CalendarDay.ts"
import { wallOf } from "./IcsTime.ts"
import { occurrences, type Rule } from "./RecurrenceRule.ts"
import { rulesOf } from "./RecurrenceRuleParser.ts"
import type { Zone } from "./IcsZone.ts"

/** A span of rules of a VTIMEZONE: STANDARD or DAYLIGHT. Offsets are local time minus UTC, in milliseconds. */
interface Observance {
  readonly start: number
  readonly before: number
  readonly after: number
  readonly dates: ReadonlyArray<number>
  readonly rules: ReadonlyArray<Rule>
}

/** When clocks are changed: the wall time before the change. */
interface Onset extends Pick<Observance, "before" | "after"> {
  readonly wall: number
}

/** How far back the last change of a rule is looked for: rules of zones are yearly. */
const lookBack = 2 * 366 * CalendarDay.day

/** The zone that a VTIMEZONE defines (RFC 5545 3.6.5). */
export const zoneOf = (definition: ICAL.Component, budget: Budget): Zone => {
  const observances = definition.getAllSubcomponents().flatMap(observanceOf)
  if (observances.length === 0) throw new Error("its time zone has no offset from UTC")
  const first = observances.reduce((one, other) => (other.start < one.start ? other : one))
  const years = new Map<number, ReadonlyArray<Onset>>()

  /** Every change that may govern a wall time of the year, in order. */
  const onsetsOf = (year: number): ReadonlyArray<Onset> => {
    const from = CalendarDay.fromDate(year, 1, 1) * CalendarDay.day - lookBack
    const until = CalendarDay.fromDate(year + 1, 1, 1) * CalendarDay.day
    const onsets = observances
      .flatMap((observance) =>
        wallsOf(observance, from, until, budget).map((wall) => ({
          wall,
          before: observance.before,
          after: observance.after
        }))
      )
      .toSorted((one, other) => one.wall - other.wall)
    years.set(year, onsets)
    return onsets
  }

  const governing = (wall: number, isPast: (onset: Onset) => boolean): Onset | undefined => {
    const { year } = CalendarDay.toDate(CalendarDay.dayOf(wall))
    return (years.get(year) ?? onsetsOf(year)).findLast(isPast)
  }

  return {
    toInstant: (wall) => {
      const onset = governing(wall, (onset) => onset.wall <= wall)
      if (onset === undefined) return wall - first.before
      const isInGap = wall < onset.wall + onset.after - onset.before
      return wall - (isInGap ? onset.before : onset.after)
    },
    toWall: (instant) => {
      // A day more than any offset, so that the year is not left too early.
      const onset = governing(instant + CalendarDay.day, (onset) => onset.wall - onset.before <= instant)
      return instant + (onset === undefined ? first.before : onset.after)
    }
  }
}

const observanceOf = (component: ICAL.Component): ReadonlyArray<Observance> => {
  const start = component.getFirstPropertyValue("dtstart")
  const before = component.getFirstPropertyValue("tzoffsetfrom")
  const after = component.getFirstPropertyValue("tzoffsetto")
  if (!(start instanceof ICAL.Time && before instanceof ICAL.UtcOffset && after instanceof ICAL.UtcOffset)) return []
  const offset = before.toSeconds() * 1_000
  const wall = wallOf(start)
  const dates = component
    .getAllProperties("rdate")
    .flatMap((property) =>
      property.getValues().flatMap((value: unknown) => (value instanceof ICAL.Time ? [wallOf(value)] : []))
    )
  // UNTIL is in UTC, and the offset before the change tells the wall time.
  const zone = { toInstant: (local: number) => local - offset, toWall: (instant: number) => instant + offset }
  const rules = rulesOf(component, { wall, zone, isDate: false })
  return [{ start: wall, before: offset, after: after.toSeconds() * 1_000, dates, rules }]
}

const wallsOf = ({ dates, rules, start }: Observance, from: number, until: number, budget: Budget) => [
  ...[start, ...dates].filter((wall) => wall <= until),
  ...rules.flatMap((rule) => {
    // A rule that has ended still governs by its last change.
    const since = rule.count === null ? Math.min(from, (rule.until ?? from) - lookBack) : start
    return occurrences(rule, start, since, until, budget)
  })
]

import ICAL from "ical.js"
import type { Budget } from "./StepBudget.ts"
import * as CalendarDay from "./CalendarDay.ts"
import { wallOf } from "./IcsTime.ts"
import type { Rule } from "./RecurrenceRule.ts"
import { occurrences } from "./RuleExpansion.ts"
import { rulesOf } from "./RecurrenceRuleParser.ts"
import type { Zone } from "./IcsZone.ts"

/** A STANDARD or DAYLIGHT component of a VTIMEZONE. Times are wall times before the change of the clocks. */
interface Observance {
  readonly start: number
  /** The offset before a change: local time minus UTC, in milliseconds. */
  readonly before: number
  /** The offset after a change: local time minus UTC, in milliseconds. */
  readonly after: number
  readonly dates: ReadonlyArray<number>
  readonly rules: ReadonlyArray<Rule>
}

/** One change of the clocks. */
interface Onset extends Pick<Observance, "before" | "after"> {
  /** The wall time, before the change, at which the clocks are changed. */
  readonly wall: number
}

/** How far back the previous change is searched. The rules of zones are yearly, so two years are enough. */
const lookBack = 2 * 366 * CalendarDay.day

/**
 * Returns the zone that a VTIMEZONE defines (RFC 5545 3.6.5).
 *
 * @throws when it has no offset from UTC, or a rule that cannot be read. The functions of the zone throw when the budget is
 *   spent
 */
export const zoneOf = (definition: ICAL.Component, budget: Budget): Zone => {
  const observances = definition.getAllSubcomponents().flatMap(observanceOf)
  if (observances.length === 0) throw new Error("the time zone has no offset from UTC")
  const first = observances.reduce((one, other) => (other.start < one.start ? other : one))
  const years = new Map<number, ReadonlyArray<Onset>>()

  /** Returns every change that can determine the offset at a wall time of the year, in order. */
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

  /** Returns the last change that `isPast` accepts. `wall` selects the year whose changes are examined. */
  const lastOnset = (wall: number, isPast: (onset: Onset) => boolean): Onset | undefined => {
    const { year } = CalendarDay.toDate(CalendarDay.dayOf(wall))
    return (years.get(year) ?? onsetsOf(year)).findLast(isPast)
  }

  return {
    toInstant: (wall) => {
      const onset = lastOnset(wall, (onset) => onset.wall <= wall)
      if (onset === undefined) return wall - first.before
      const isInGap = wall < onset.wall + onset.after - onset.before
      return wall - (isInGap ? onset.before : onset.after)
    },
    toWall: (instant) => {
      // A day is more than any offset. Without it, the changes of the previous year could be examined by mistake.
      const onset = lastOnset(instant + CalendarDay.day, (onset) => onset.wall - onset.before <= instant)
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
  // UNTIL is in UTC. The offset before the change converts it to a wall time.
  const zone = { toInstant: (local: number) => local - offset, toWall: (instant: number) => instant + offset }
  const rules = rulesOf(component, { wall, zone, isDate: false })
  return [{ start: wall, before: offset, after: after.toSeconds() * 1_000, dates, rules }]
}

const wallsOf = ({ dates, rules, start }: Observance, from: number, until: number, budget: Budget) => [
  ...[start, ...dates].filter((wall) => wall <= until),
  ...rules.flatMap((rule) => {
    // The last change of a rule that has ended still determines the offset, so it must be among the results.
    const since = rule.count === null ? Math.min(from, (rule.until ?? from) - lookBack) : start
    return occurrences(rule, start, since, until, budget)
  })
]

import * as Schema from "effect/Schema"
import { exists } from "./CalendarDate.ts"

const start = /^([01]\d|2[0-3]):[0-5]\d$/
const end = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/

/** Minutes from 00:00 of a wall time `HH:MM`, `24:00` included; NaN when it is none. */
export const minuteOf = (time: string): number =>
  end.test(time) ? Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) : Number.NaN

const time = (pattern: RegExp, description: string) =>
  Schema.String.check(Schema.makeFilter((text: string) => pattern.test(text), { description }))

/**
 * Wall times `[start, end)` of one day, `["09:00", "17:00"]`: the end is after the start and may be `24:00`. A window
 * does not cross midnight; that takes two.
 */
export const Window = Schema.Tuple([
  time(start, "a wall time HH:MM from 00:00 to 23:59"),
  time(end, "a wall time HH:MM from 00:00 to 24:00")
]).check(
  Schema.makeFilter(([start, end]) => minuteOf(start) < minuteOf(end), {
    description: "a window that starts before it ends"
  })
)

/** Wall times `[start, end)` of one day. */
export type Window = typeof Window.Type

/** The days of the week by the names they have in working hours, Monday first. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

const day = Schema.optionalKey(Schema.Array(Window))

/**
 * The weekly opening hours. A day that is missing or empty is closed; windows of a day may come in any order and may
 * overlap.
 */
export const WorkingHours = Schema.Struct({
  mon: day,
  tue: day,
  wed: day,
  thu: day,
  fri: day,
  sat: day,
  sun: day
})

/** The weekly opening hours. */
export type WorkingHours = typeof WorkingHours.Type

const nineToFive: ReadonlyArray<Window> = [["09:00", "17:00"]]

/** Monday to Friday 09:00-17:00, for an account that says nothing (D-ACC-2). */
export const defaultHours: WorkingHours = {
  mon: nineToFive,
  tue: nineToFive,
  wed: nineToFive,
  thu: nineToFive,
  fri: nineToFive
}

/** For a local date, the windows that replace its working hours; an empty list closes the day. */
export const DateOverrides = Schema.Record(Schema.String, Schema.Array(Window)).check(
  Schema.makeFilter((overrides: Readonly<Record<string, unknown>>) => Object.keys(overrides).every(exists), {
    description: "an object whose keys are existing dates written YYYY-MM-DD"
  })
)

/** For a local date, the windows that replace its working hours. */
export type DateOverrides = typeof DateOverrides.Type

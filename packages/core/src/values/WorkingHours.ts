import * as Schema from "effect/Schema"
import { dayMinutes, minuteOf } from "./ClockTime.ts"
import { exists } from "./GregorianCalendar.ts"

export { minuteOf }

const time = (maxMinute: number, pattern: string, description: string) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => minuteOf(text) <= maxMinute, { description, toJsonSchema: () => ({ pattern }) })
  )

const timePattern = String.raw`([01]\d|2[0-3]):[0-5]\d`

/**
 * A window of wall times `[start, end)` in one day: `["09:00", "17:00"]`. The end is after the start and may be
 * `24:00`. A window does not cross midnight, so hours that do need a window on each day.
 */
export const Window = Schema.Tuple([
  time(dayMinutes - 1, `^${timePattern}$`, "a wall time HH:MM from 00:00 to 23:59"),
  time(dayMinutes, `^(${timePattern}|24:00)$`, "a wall time HH:MM from 00:00 to 24:00")
]).check(
  Schema.makeFilter(([start, end]) => minuteOf(start) < minuteOf(end), {
    description: "a window that starts before it ends"
  })
)

/** A window of wall times `[start, end)` in one day. */
export type Window = typeof Window.Type

const day = Schema.optionalKey(Schema.Array(Window))

/**
 * The working hours of each weekday. A weekday that is absent or has no windows is closed. The windows of a day may be
 * in any order and may overlap.
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

/** The working hours of each weekday. */
export type WorkingHours = typeof WorkingHours.Type

const nineToFive: ReadonlyArray<Window> = [["09:00", "17:00"]]

/** The working hours of an account that has set none: Monday to Friday 09:00-17:00 (D-ACC-2). */
export const defaultHours: WorkingHours = {
  mon: nineToFive,
  tue: nineToFive,
  wed: nineToFive,
  thu: nineToFive,
  fri: nineToFive
}

/** For some local dates, the windows that replace the working hours of the weekday. An empty list closes the date. */
export const DateOverrides = Schema.Record(Schema.String, Schema.Array(Window)).check(
  Schema.makeFilter((overrides: Readonly<Record<string, unknown>>) => Object.keys(overrides).every(exists), {
    description: "an object whose keys are existing dates written YYYY-MM-DD",
    toJsonSchema: () => ({ propertyNames: { pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$` } })
  })
)

/** For some local dates, the windows that replace the working hours of the weekday. */
export type DateOverrides = typeof DateOverrides.Type

import type { Interval } from "@frontdesk/core/values/Interval"
import * as TimeZone from "@frontdesk/core/values/TimeZone"
import { Budget } from "../../src/recurrence/StepBudget.ts"
import * as CalendarText from "../../src/recurrence/CalendarText.ts"
import * as Occurrences from "../../src/recurrence/Occurrences.ts"
import { ofName, utc } from "../../src/recurrence/IcsZone.ts"

/** Returns a VCALENDAR with components, each given by its lines. */
export const calendar = (...components: ReadonlyArray<ReadonlyArray<string>>): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Somebody//EN", ...components.flat(), "END:VCALENDAR", ""].join("\r\n")

/** Returns the lines of a VEVENT with additional lines. */
export const event = (...lines: ReadonlyArray<string>): ReadonlyArray<string> => [
  "BEGIN:VEVENT",
  "UID:one",
  "DTSTAMP:20260101T000000Z",
  ...lines,
  "END:VEVENT"
]

/** Returns the busy intervals of a calendar that overlap a window, in order. */
export const busyIn = (text: string, window: Interval, floating?: string): ReadonlyArray<Interval> =>
  Occurrences.busy(
    CalendarText.parse(text),
    window,
    floating === undefined ? utc : ofName(TimeZone.TimeZone.make(floating)),
    new Budget()
  ).toSorted((one, other) => one.start - other.start || one.end - other.end)

/** Returns {@link busyIn} as texts: `2026-03-10T09:00:00Z/2026-03-10T10:00:00Z`. */
export const busy = (text: string, from: string, until: string, floating?: string): ReadonlyArray<string> =>
  busyIn(text, { start: Date.parse(from), end: Date.parse(until) }, floating).map(
    ({ end, start }) => `${iso(start)}/${iso(end)}`
  )

const iso = (millis: number): string => new Date(millis).toISOString().replace(".000", "")

import * as Schema from "effect/Schema"
import type { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarDate } from "../values/CalendarDate.ts"
import type { Interval } from "../values/Interval.ts"
import type { TimeZone } from "../values/TimeZone.ts"
import type { ExternalCalendar } from "./ExternalBusy.ts"

/** The maximum number of busy times of an answer (D-EXT-23). */
export const maxBusyTimes = 5_000

/** The query for the busy times of the caller's external calendars. */
export const ExternalBusyQuery = Schema.Struct({
  /** The first local date, in the account's time zone. Default: today. */
  startDate: Schema.optional(CalendarDate),
  /** The last local date, included. Default: six days after the first. */
  endDate: Schema.optional(CalendarDate)
})

/** The query for the busy times of the caller's external calendars. */
export type ExternalBusyQuery = typeof ExternalBusyQuery.Type

/** A time at which at least one external calendar is busy, in epoch milliseconds. */
export interface ExternalBusyTime extends Interval {
  /** The providers whose calendars are busy during the time, in alphabetical order. */
  readonly providers: ReadonlyArray<CalendarProviderKey>
}

/** The busy times of an account's external calendars between two local dates. */
export interface ExternalBusyAnswer {
  readonly startDate: CalendarDate
  readonly endDate: CalendarDate
  readonly timeZone: TimeZone
  /** The busy times in order. None touches another. */
  readonly busyTimes: ReadonlyArray<ExternalBusyTime>
  /** The start of the first busy time beyond {@link maxBusyTimes}, in epoch milliseconds. Null when the answer has all. */
  readonly nextStart: number | null
  /** The external calendars that were read, and when. */
  readonly externalCalendars: ReadonlyArray<Pick<ExternalCalendar, "provider" | "readAt">>
  /** The providers whose calendars cannot be read, so that their busy times are missing. */
  readonly unavailable: ReadonlyArray<CalendarProviderKey>
}

/**
 * Returns the fewest times that cover the busy times of all calendars within an interval, in order, each with the
 * providers that are busy during it.
 */
export const merge = (
  calendars: ReadonlyArray<Pick<ExternalCalendar, "busy" | "provider">>,
  { end, start }: Interval
): ReadonlyArray<ExternalBusyTime> => {
  const cut = calendars
    .flatMap(({ busy, provider }) =>
      busy.map((time) => ({ start: Math.max(time.start, start), end: Math.min(time.end, end), provider }))
    )
    .filter((time) => time.end > time.start)
    .toSorted((a, b) => a.start - b.start)
  const merged: Array<{ readonly start: number; end: number; readonly providers: Set<CalendarProviderKey> }> = []
  for (const time of cut) {
    const last = merged.at(-1)
    if (last === undefined || time.start > last.end) {
      merged.push({ start: time.start, end: time.end, providers: new Set([time.provider]) })
    } else {
      last.end = Math.max(last.end, time.end)
      last.providers.add(time.provider)
    }
  }
  return merged.map((time) => ({ ...time, providers: [...time.providers].toSorted() }))
}

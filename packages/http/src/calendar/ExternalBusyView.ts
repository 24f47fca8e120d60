import type { ExternalBusyAnswer } from "@frontdesk/core/availability/ExternalBusyTimes"
import { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"
import { LocalTime } from "./AvailabilityView.ts"

/** The JSON of a time at which external calendars are busy. */
const BusyTimeView = Schema.Struct({
  start: LocalTime,
  end: LocalTime,
  /** The calendars that are busy during the time. */
  providers: Schema.Array(CalendarProviderKey)
}).annotate({ identifier: "ExternalBusyTime" })

/** The JSON of the busy times of an account's external calendars (D-EXT-23). Times are local, with their offset. */
export const ExternalBusyView = Wire.snakeCase(
  Schema.Struct({
    startDate: CalendarDate,
    endDate: CalendarDate,
    /** The time zone of the times. */
    timeZone: Schema.String,
    busyTimes: Schema.Array(BusyTimeView),
    /** The number of times in the answer. */
    count: Schema.Int,
    /** Whether there are more times than an answer has. */
    truncated: Schema.Boolean,
    /** The start of the first time that the answer omits. Null when the answer has all times. */
    nextStart: Schema.NullOr(LocalTime),
    /** The external calendars that were read: the time at which each was read, by provider. */
    externalCalendars: Schema.Record(Schema.String, Timestamp),
    /** The external calendars that cannot be read, so that their busy times are missing. */
    unavailable: Schema.Array(CalendarProviderKey)
  })
).annotate({ identifier: "ExternalBusyTimes" })

/** Returns the view of the busy times of external calendars. */
export const externalBusyView = (answer: ExternalBusyAnswer): typeof ExternalBusyView.Type => {
  const local = (instant: number) => formatOffset(instant, answer.timeZone)
  return {
    startDate: answer.startDate,
    endDate: answer.endDate,
    timeZone: answer.timeZone,
    busyTimes: answer.busyTimes.map(({ end, providers, start }) => ({
      start: local(start),
      end: local(end),
      providers
    })),
    count: answer.busyTimes.length,
    truncated: answer.nextStart !== null,
    nextStart: answer.nextStart === null ? null : local(answer.nextStart),
    externalCalendars: Object.fromEntries(answer.externalCalendars.map(({ provider, readAt }) => [provider, readAt])),
    unavailable: answer.unavailable
  }
}

import * as Result from "effect/Result"
import type { TimeZone } from "../values/TimeZone.ts"
import type { InvalidDatetimeFormat, InvalidTimeRange } from "./CalendarEventError.ts"
import type { CreateCalendarEvent, PatchCalendarEvent, PutCalendarEvent } from "./CalendarEventInput.ts"
import type { CalendarEventChange } from "./CalendarEventMerge.ts"
import * as CalendarEventTimes from "./CalendarEventTimes.ts"

type Given<A> = { readonly [K in keyof A]?: Exclude<A[K], null | undefined> }

/** The change that a body requests, without agent and team, which need a look-up in the storage. */
export type CalendarEventFields = Omit<CalendarEventChange, "aiAgent" | "team">

/**
 * Returns the change that the body of a create, PUT or PATCH requests, with its times parsed and the customer's fields
 * in one object. Agent and team are left out, because they need a look-up in the storage.
 *
 * A time without an offset is a wall time in `zone` (D-HTTP-13). Null counts as absent, except for the location, where
 * it means that there is none. The schema of a PATCH accepts null for no other field of the result.
 *
 * Fails with `InvalidDatetimeFormat` for a start that does not parse, then for such an end. Fails with
 * `InvalidTimeRange` when both times are present and the end is not after the start (C-2.5-3).
 */
export const read = (
  body: CreateCalendarEvent | PutCalendarEvent | PatchCalendarEvent,
  zone: TimeZone
): Result.Result<CalendarEventFields, InvalidDatetimeFormat | InvalidTimeRange> => {
  const startTime = CalendarEventTimes.readOptional("start_time", body.startTime, zone)
  if (Result.isFailure(startTime)) return Result.fail(startTime.failure)
  const endTime = CalendarEventTimes.readOptional("end_time", body.endTime, zone)
  if (Result.isFailure(endTime)) return Result.fail(endTime.failure)
  const times = { startTime: startTime.success, endTime: endTime.success }
  const fields = { ...withoutTimes(body), ...given(times) }
  return times.startTime === null || times.endTime === null
    ? Result.succeed(fields)
    : Result.map(CalendarEventTimes.checkOrder({ startTime: times.startTime, endTime: times.endTime }), () => fields)
}

/** Returns the same as {@link read} for the body of a create, in which title and times are present. */
export const readNew = (
  body: CreateCalendarEvent,
  zone: TimeZone
): Result.Result<
  CalendarEventFields & Required<Pick<CalendarEventFields, "title" | "startTime" | "endTime">>,
  InvalidDatetimeFormat | InvalidTimeRange
> => {
  const startTime = CalendarEventTimes.read("start_time", body.startTime, zone)
  if (Result.isFailure(startTime)) return Result.fail(startTime.failure)
  const endTime = CalendarEventTimes.read("end_time", body.endTime, zone)
  if (Result.isFailure(endTime)) return Result.fail(endTime.failure)
  return CalendarEventTimes.checkOrder({
    ...withoutTimes(body),
    title: body.title,
    startTime: startTime.success,
    endTime: endTime.success
  })
}

const withoutTimes = (body: CreateCalendarEvent | PutCalendarEvent | PatchCalendarEvent) => ({
  ...given({
    title: body.title,
    description: body.description,
    eventType: body.eventType,
    status: body.status,
    hasVideoConference: body.hasVideoConference,
    videoConferenceUrl: body.videoConferenceUrl,
    videoConferenceProvider: body.videoConferenceProvider,
    isReminderEnabled: body.isReminderEnabled,
    remindBeforeMinutes: body.remindBeforeMinutes
  }),
  ...(body.location === undefined ? {} : { location: body.location }),
  customer: given({
    name: body.customerName,
    email: body.customerEmail,
    phone: body.customerPhone,
    notes: body.customerNotes
  })
})

/** Returns the fields that are neither null nor undefined. */
const given = <A extends object>(fields: A): Given<A> => {
  const rest: { -readonly [K in keyof A]?: Exclude<A[K], null | undefined> } = {}
  for (const key in fields) {
    const value = fields[key]
    if (isGiven(value)) rest[key] = value
  }
  return rest
}

const isGiven = <A>(value: A): value is Exclude<A, null | undefined> => value !== null && value !== undefined

import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { TimeZone } from "../values/TimeZone.ts"
import * as WallTime from "../values/WallTime.ts"
import { InvalidDatetimeFormat, type InvalidTimeRange } from "./CalendarError.ts"
import type { CreateCalendarEvent, PatchCalendarEvent, PutCalendarEvent } from "./CalendarEventInput.ts"
import { checkTimes, type CalendarEventChange } from "./CalendarEventMerge.ts"

type Given<A> = { readonly [K in keyof A]?: Exclude<A[K], null | undefined> }

/** What a body says: all but the agent and the team, which have to be looked up. */
export type CalendarEventFields = Omit<CalendarEventChange, "aiAgent" | "team">

/**
 * What the body of a create, PUT or PATCH says, with its times read and the customer's fields together. Agent and team
 * are not part of it: they have to be looked up.
 *
 * A time without an offset is in `zone` (D-HTTP-13). Null counts as absent, but for the location, where it says that
 * there is none; a PATCH has null nowhere else. Fails with the first time that cannot be read, and when both are there
 * and the end is not after the start (C-2.5-3).
 */
export const read = (
  body: CreateCalendarEvent | PutCalendarEvent | PatchCalendarEvent,
  zone: TimeZone
): Result.Result<CalendarEventFields, InvalidDatetimeFormat | InvalidTimeRange> =>
  Result.gen(function* () {
    const startTime = yield* readTime("start_time", body.startTime, zone)
    const endTime = yield* readTime("end_time", body.endTime, zone)
    if (startTime !== null && endTime !== null) yield* checkTimes({ startTime, endTime })
    return {
      ...given({
        title: body.title,
        description: body.description,
        eventType: body.eventType,
        status: body.status,
        startTime,
        endTime,
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
    }
  })

/** {@link read} for a create, of which title and times are there. */
export const readNew = (
  body: CreateCalendarEvent,
  zone: TimeZone
): Result.Result<
  CalendarEventFields & Required<Pick<CalendarEventFields, "title" | "startTime" | "endTime">>,
  InvalidDatetimeFormat | InvalidTimeRange
> =>
  Result.gen(function* () {
    const fields = yield* read(body, zone)
    const startTime = yield* instant("start_time", body.startTime, zone)
    const endTime = yield* instant("end_time", body.endTime, zone)
    return { ...fields, title: body.title, startTime, endTime }
  })

const readTime = (field: InvalidDatetimeFormat["field"], text: string | null | undefined, zone: TimeZone) =>
  text === null || text === undefined ? Result.succeed(null) : instant(field, text, zone)

const instant = (field: InvalidDatetimeFormat["field"], text: string, zone: TimeZone) =>
  Result.mapBoth(WallTime.parse(text, zone), {
    onSuccess: (millis) => DateTime.makeUnsafe(millis),
    onFailure: () => new InvalidDatetimeFormat({ field })
  })

/** The fields that are neither null nor undefined. */
const given = <A extends object>(fields: A): Given<A> => {
  const rest: { -readonly [K in keyof A]?: Exclude<A[K], null | undefined> } = {}
  for (const key in fields) {
    const value = fields[key]
    if (isGiven(value)) rest[key] = value
  }
  return rest
}

const isGiven = <A>(value: A): value is Exclude<A, null | undefined> => value !== null && value !== undefined

import { AccountId } from "@frontdesk/core/access/Account"
import type { AvailabilityAnswer } from "@frontdesk/core/availability/Availability"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"

/** A time with its offset in the time zone of the answer. */
export const LocalTime = Schema.String.annotate({ format: "date-time" })

/** The JSON of a free slot (C-2.6-1). */
const SlotView = Wire.snakeCase(
  Schema.Struct({ start: LocalTime, end: LocalTime, durationMinutes: Schema.Int })
).annotate({ identifier: "Slot" })

/** The JSON of the free slots of an account (C-4.6-14). Times are local, with their offset (D-HTTP-15). */
export const AvailabilityView = Wire.snakeCase(
  Schema.Struct({
    userId: AccountId,
    startDate: CalendarDate,
    endDate: CalendarDate,
    durationMinutes: Schema.Int,
    /** The time zone of the slots. */
    timeZone: Schema.String,
    availableSlots: Schema.Array(SlotView),
    /** The number of slots in the answer. */
    count: Schema.Int,
    /** Whether there are more slots than `limit` allows. */
    truncated: Schema.Boolean,
    /** The start of the first slot that the answer omits. Null when the answer has all slots. */
    nextStart: Schema.NullOr(LocalTime),
    /** The external calendars whose busy times are excluded: the time at which each was read, by provider. */
    externalCalendars: Schema.Record(Schema.String, Timestamp)
  })
).annotate({ identifier: "Availability" })

/** The number of slots after which other callers get a turn. They are about two milliseconds of work. */
const partSize = 250

/** Returns the view of free slots. Other callers get turns while many slots are written. */
export const availabilityView = Effect.fnUntraced(function* (answer: AvailabilityAnswer) {
  const availableSlots: Array<(typeof AvailabilityView.Type)["availableSlots"][number]> = []
  for (const { end, start } of answer.slots) {
    availableSlots.push({
      start: formatOffset(start, answer.timeZone),
      end: formatOffset(end, answer.timeZone),
      durationMinutes: answer.durationMinutes
    })
    if (availableSlots.length % partSize === 0) yield* Effect.yieldNow
  }
  return {
    userId: answer.userId,
    startDate: answer.startDate,
    endDate: answer.endDate,
    durationMinutes: answer.durationMinutes,
    timeZone: answer.timeZone,
    availableSlots,
    count: answer.slots.length,
    truncated: answer.nextStart !== null,
    nextStart: answer.nextStart === null ? null : formatOffset(answer.nextStart, answer.timeZone),
    externalCalendars: Object.fromEntries(answer.externalCalendars.map(({ provider, readAt }) => [provider, readAt]))
  } satisfies typeof AvailabilityView.Type
})

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Slots from "@frontdesk/core/availability/Slots"
import { DateOverrides, WorkingHours } from "@frontdesk/core/values/WorkingHours"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { TimeZone, utc } from "@frontdesk/core/values/TimeZone"
import { parse } from "@frontdesk/core/values/WallTime"

const Vector = Schema.Struct({
  name: Schema.String,
  question: Schema.Struct({
    timeZone: TimeZone,
    startDate: CalendarDate,
    endDate: CalendarDate,
    workingHours: WorkingHours,
    dateOverrides: Schema.optionalKey(DateOverrides),
    duration: Schema.Finite,
    slotInterval: Schema.optionalKey(Schema.Finite),
    busy: Schema.optionalKey(Schema.Array(Schema.Tuple([Schema.String, Schema.String]))),
    bufferBefore: Schema.optionalKey(Schema.Finite),
    bufferAfter: Schema.optionalKey(Schema.Finite),
    notBefore: Schema.optionalKey(Schema.String)
  }),
  starts: Schema.Array(Schema.String)
})

const read = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ vectors: Schema.Array(Vector) })))

const millis = (text: string): number => Result.getOrThrow(parse(text, utc))

/** The vectors of slots: each is a query with the starts of its expected slots. */
export const vectors = read(
  readFileSync(createRequire(import.meta.url).resolve("@frontdesk/testing/vectors/slots.json"), "utf8")
).vectors.map(({ name, question: { busy = [], notBefore, ...query }, starts }) => ({
  name,
  starts: starts.map(millis),
  query: {
    ...query,
    busy: busy.map(([start, end]) => ({ start: millis(start), end: millis(end) })),
    notBefore: notBefore === undefined ? undefined : millis(notBefore)
  } satisfies Slots.SlotQuery
}))

/** Returns the slots of a valid query. */
export const slotsOf = (query: Slots.SlotQuery): ReadonlyArray<Slots.Slot> => Result.getOrThrow(Slots.find(query))

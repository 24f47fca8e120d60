import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { CalendarEventStatus } from "./CalendarEventStatus.ts"

/** The fields of a calendar event that a mail or its attached invitation shows. */
export const mailFields = {
  title: Schema.String,
  description: Schema.String,
  status: CalendarEventStatus,
  startTime: Schema.DateTimeUtc,
  /** After `startTime`. */
  endTime: Schema.DateTimeUtc,
  location: Schema.NullOr(Schema.String),
  videoConferenceUrl: Schema.String,
  videoConferenceProvider: Schema.String
}

/** The previous values of the changed fields among {@link mailFields}. */
export const PreviousValues = Schema.Struct(Struct.map(mailFields, Schema.optionalKey))

/** The previous values of the changed fields among {@link mailFields}. */
export type PreviousValues = typeof PreviousValues.Type

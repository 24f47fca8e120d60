import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import { CreateCalendarEvent } from "../calendar-event/CalendarEventInput.ts"
import { Conversation } from "../call/Conversation.ts"
import { maxStoredBytes } from "../call/ToolCall.ts"
import { ContactId } from "../contact/Contact.ts"
import * as JsonSize from "../values/JsonSize.ts"
import * as Text from "../values/Text.ts"

/** A function that returns the answer to a tool call, for the event as it is stored. */
type AnswerOf = (event: CalendarEvent) => Schema.Json

const AnswerOf = Schema.declare((value: unknown): value is AnswerOf => typeof value === "function", {
  expected: "a function"
})

/** The tool call of a change, which is stored with it. */
export const Recording = Schema.Struct({
  conversation: Conversation,
  /** The name of the tool. */
  tool: Text.between(1, 100),
  /** The arguments as the model wrote them. */
  arguments: Schema.Record(Schema.String, Schema.Json).check(JsonSize.shallow, JsonSize.withMaxBytes(maxStoredBytes)),
  /** When the tool call arrived. */
  startedAt: Schema.DateTimeUtc,
  /**
   * What a repeat of a booking has in common with this tool call. Default: the slot, and without a call also the arguments.
   */
  sameAs: Schema.optionalKey(Schema.Json),
  /** Returns the answer for the event as it is stored. */
  answerOf: AnswerOf
})

/** The tool call of a change. */
export type Recording = typeof Recording.Type

/** The fields of an event that an agent books. Its times are those of the slot. */
export const BookedFields = Schema.Struct({
  ...Struct.omit(CreateCalendarEvent.fields, ["startTime", "endTime", "rejectConflicts", "requireAvailable"]),
  /**
   * The contact for whom the event is booked. Default: null. It is not checked whether the caller may see the contact. A
   * contact that was deleted meanwhile counts as null.
   */
  contactId: Schema.optionalKey(Schema.NullOr(ContactId))
})

/** The fields of an event that an agent books. */
export type BookedFields = typeof BookedFields.Type

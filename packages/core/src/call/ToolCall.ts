import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import { SlotHolder } from "../availability/SlotHold.ts"
import { CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import { CallId } from "./Call.ts"
import { DatabaseId } from "../values/DatabaseId.ts"

/** Database id of a tool call. */
export const ToolCallId = DatabaseId.pipe(Schema.brand("ToolCallId"))

/** Database id of a tool call. */
export type ToolCallId = typeof ToolCallId.Type

/** The maximum size of the arguments and of the answer of a tool call, each in bytes of JSON. */
export const maxStoredBytes = 16_384

/** One use of a tool by an agent: its arguments and its answer. */
export const ToolCall = Schema.Struct({
  id: ToolCallId,
  accountId: AccountId,
  /** The call in which the tool was used, or null for an MCP client without a call. */
  callId: Schema.NullOr(CallId),
  /** The call, or without one the API key. A repeat comes from the same one. */
  conversation: SlotHolder,
  /** The name of the tool, such as `book`. */
  tool: Schema.String,
  /** The arguments as the model wrote them. Null after retention has deleted them. */
  arguments: Schema.Json,
  /** The answer, with `say` first. Null after retention has deleted it. */
  answer: Schema.Json,
  /** How long the answer took, in milliseconds. */
  durationMillis: Schema.Int,
  at: Schema.DateTimeUtc,
  /** The calendar event that the tool has booked, moved or cancelled, or null. */
  eventId: Schema.NullOr(CalendarEventId)
})

/** One use of a tool by an agent. */
export type ToolCall = typeof ToolCall.Type

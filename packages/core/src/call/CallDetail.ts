import * as Schema from "effect/Schema"
import type { Call } from "./Call.ts"
import { ToolCall } from "./ToolCall.ts"

/** The maximum number of tool calls that a call shows: its first ones (D-AGT-4). */
export const maxShownToolCalls = 200

/** A tool call as its call shows it. */
export const ShownToolCall = Schema.Struct({
  /** The name of the tool, such as `book`. */
  name: Schema.String,
  /** The arguments as the model wrote them. Null after retention has deleted them. */
  arguments: ToolCall.fields.arguments,
  /** The answer that the agent received. Null after retention has deleted it. */
  answer: ToolCall.fields.answer,
  /** How long the answer took, in milliseconds. */
  durationMs: Schema.Int,
  /** When the tool was called. */
  at: Schema.DateTimeUtc
})

/** A tool call as its call shows it. */
export type ShownToolCall = typeof ShownToolCall.Type

/** A call with its first tool calls, at most {@link maxShownToolCalls}, in the order in which the agent made them. */
export interface CallDetail extends Call {
  readonly toolCalls: ReadonlyArray<ShownToolCall>
}

/** Returns a tool call as its call shows it. */
export const shown = ({ answer, arguments: given, at, durationMillis, tool }: Omit<ToolCall, "id">): ShownToolCall => ({
  name: tool,
  arguments: given,
  answer,
  durationMs: durationMillis,
  at
})

import type { AnsweredToolCall } from "@frontdesk/core/call/ToolCallWrites"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { toJson } from "../tool/Answer.ts"
import type { ToolCall } from "../tool/Toolbox.ts"

/** The tools whose success is stored in the transaction that changes the calendar event. */
const storedByBookings = new Set(["book", "move", "cancel", "request_callback"])

/** Returns whether core has stored the tool call already. */
export const isStored = ({ answer, name }: ToolCall): boolean =>
  storedByBookings.has(name) && answer.error === undefined

const asJson = Schema.decodeUnknownOption(Schema.Json)

/** Returns a tool call as core stores it. */
export const of = ({ answer, args, at, durationMillis, name }: ToolCall): AnsweredToolCall => ({
  tool: name,
  arguments: Option.getOrNull(asJson(args ?? {})),
  answer: toJson(answer),
  durationMillis,
  at: DateTime.makeUnsafe(at)
})

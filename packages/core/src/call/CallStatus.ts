import * as Schema from "effect/Schema"

/** How a call stands (Decisions 4). */
export const CallStatus = Schema.Literals([
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "cancelled"
])

/** How a call stands. */
export type CallStatus = typeof CallStatus.Type

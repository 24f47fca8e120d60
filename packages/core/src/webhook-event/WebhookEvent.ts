import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidEvent } from "../webhook/WebhookError.ts"

/** The events a webhook can be sent (C-6.1-1 to C-6.1-11). */
export const WebhookEventName = Schema.Literals([
  "call.started",
  "call.ended",
  "call.failed",
  "call.transcript",
  "call.recording",
  "call.summary",
  "calendar.created",
  "calendar.updated",
  "calendar.cancelled",
  "calendar.completed",
  "calendar.reminder"
])

/** An event a webhook can be sent. */
export type WebhookEventName = typeof WebhookEventName.Type

/** The events a caller names, each once; refused when there are none or some are unknown (D-HOOK-7). */
export const eventNames = (
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<WebhookEventName>, InvalidEvent> => {
  const known = [...new Set(names)].filter(Schema.is(WebhookEventName))
  const unknown = [...new Set(names)].filter((name) => !Schema.is(WebhookEventName)(name))
  return unknown.length === 0 && known.length > 0 ? Result.succeed(known) : Result.fail(new InvalidEvent({ unknown }))
}

import * as Schema from "effect/Schema"

/** The names of the webhook events that a webhook can subscribe to (C-6.1-1 to C-6.1-11), and `call.tool` (D-AGT-5). */
export const WebhookEventName = Schema.Literals([
  "call.started",
  "call.ended",
  "call.failed",
  "call.transcript",
  "call.recording",
  "call.summary",
  "call.tool",
  "calendar.created",
  "calendar.updated",
  "calendar.cancelled",
  "calendar.completed",
  "calendar.reminder"
])

/** The name of a webhook event that a webhook can subscribe to. */
export type WebhookEventName = typeof WebhookEventName.Type

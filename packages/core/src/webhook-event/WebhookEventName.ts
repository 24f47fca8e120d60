import * as Schema from "effect/Schema"

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

import type { WebhookEventName } from "../webhook-event/WebhookEventName.ts"
import type { CalendarEvent } from "./CalendarEvent.ts"

/** The names of the webhook events about calendar events. */
export type CalendarWebhookEventName = Extract<WebhookEventName, `calendar.${string}`>

/**
 * Returns the name of the webhook event that a change of a calendar event raises, exactly one (D-EVT-2). A creation
 * raises `calendar.created` (C-6.1-7). A change of the status to cancelled or completed raises `calendar.cancelled`
 * (C-6.1-9) or `calendar.completed` (C-6.1-10). Every other change raises `calendar.updated` (C-6.1-8).
 *
 * @param before the calendar event before the change; null when it is new
 */
export const nameOf = (before: CalendarEvent | null, after: CalendarEvent): CalendarWebhookEventName => {
  if (before === null) return "calendar.created"
  if (before.status !== after.status && after.status === "cancelled") return "calendar.cancelled"
  if (before.status !== after.status && after.status === "completed") return "calendar.completed"
  return "calendar.updated"
}

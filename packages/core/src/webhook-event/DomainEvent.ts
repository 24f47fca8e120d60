import type { Call } from "../call/Call.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import type { WebhookEventName } from "./WebhookEvent.ts"

/** The events about calls. */
export type CallEventName = Extract<WebhookEventName, `call.${string}`>

/** The events about calendar events. */
export type CalendarEventName = Extract<WebhookEventName, `calendar.${string}`>

/** Something that happened, with the call or calendar event as it was then. */
export type DomainEvent =
  | { readonly name: CallEventName; readonly call: Call }
  | { readonly name: CalendarEventName; readonly event: CalendarEvent }

import * as Schema from "effect/Schema"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import type { CallDetail, ShownToolCall } from "../call/CallDetail.ts"
import type { Contact } from "../contact/Contact.ts"
import { DeliveryId, DeliveryStatus } from "../delivery/Delivery.ts"
import { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** The maximum number of records of each kind in an export of a contact (D-ERASE-7). */
export const maxRecords = 100

/**
 * The bytes of JSON after which an export has no further record of a kind. The record that reaches the number is in it, so
 * that every export has the newest record of each kind.
 */
export const maxBytes = 1_048_576

/** A delivery about a contact, with what it sends. It has neither the secret nor the URL of the webhook. */
export const RecordedDelivery = Schema.Struct({
  id: DeliveryId,
  webhookId: WebhookId,
  eventType: Schema.String,
  status: DeliveryStatus,
  createdAt: Schema.DateTimeUtc,
  /** The body of the request, as JSON. */
  payload: Schema.Json
})

/** A delivery about a contact, with what it sends. */
export type RecordedDelivery = typeof RecordedDelivery.Type

/** For each list of an export whether records of this kind are missing in it. */
export const Truncated = Schema.Struct({
  calls: Schema.Boolean,
  calendarEvents: Schema.Boolean,
  toolCalls: Schema.Boolean,
  deliveries: Schema.Boolean
})

/** For each list of an export whether records of this kind are missing in it. */
export type Truncated = typeof Truncated.Type

/** Everything that an account has stored about one contact. Each list has the newest records first. */
export interface ContactRecord {
  readonly contact: Contact
  readonly calls: ReadonlyArray<CallDetail>
  readonly calendarEvents: ReadonlyArray<CalendarEvent>
  /** Tool calls about the calendar events that are in no call of the list. */
  readonly toolCalls: ReadonlyArray<ShownToolCall>
  readonly deliveries: ReadonlyArray<RecordedDelivery>
  readonly truncated: Truncated
}

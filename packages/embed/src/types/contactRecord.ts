import type { CalendarEvent } from "./calendar.ts"
import type { CallDetail, ToolCall } from "./call.ts"
import type { CallOptions, Json } from "./common.ts"
import type { Contact } from "./contact.ts"
import type { DeliveryStatus } from "./webhook.ts"

/** A delivery about a contact, with what it sends. */
export interface RecordedDelivery {
  readonly id: string
  readonly webhookId: number
  readonly eventType: string
  readonly status: DeliveryStatus
  readonly createdAt: string
  /** The body of the request, as JSON. */
  readonly payload: Json
}

/** Everything that an account has stored about one contact. Each list has the newest records first. */
export interface ContactRecord {
  readonly contact: Contact
  readonly calls: ReadonlyArray<CallDetail>
  readonly calendarEvents: ReadonlyArray<CalendarEvent>
  /** Tool calls about the calendar events that are in no call of the list. */
  readonly toolCalls: ReadonlyArray<ToolCall>
  readonly deliveries: ReadonlyArray<RecordedDelivery>
  /** For each list whether records of this kind are missing in it. */
  readonly truncated: {
    readonly calls: boolean
    readonly calendarEvents: boolean
    readonly toolCalls: boolean
    readonly deliveries: boolean
  }
}

/** Everything of one person. */
export interface ContactRecords {
  /** Returns a contact with the newest records of the account about it, at most 100 of each kind. */
  readonly get: (id: number, options?: CallOptions) => Promise<ContactRecord>
}

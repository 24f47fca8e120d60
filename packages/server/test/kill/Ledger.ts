import type { Answer } from "./ServerProcess.ts"
import type { EndpointBehaviour } from "./Script.ts"

/** A webhook secret, and the time in which requests may be signed with it. */
export interface SecretPeriod {
  /** The secret; null if the answer that contained it did not arrive. */
  readonly secret: string | null
  readonly from: number
  until: number
}

/** The subscribed events of a webhook during some time; none while it was turned off. */
export interface Subscription {
  readonly events: ReadonlyArray<string>
  readonly from: number
  until: number
}

/** A webhook, as far as the client knows it. */
export interface KnownWebhook {
  readonly id: number
  readonly endpoint: string
  readonly behaviour: EndpointBehaviour
  /** Whether it is one of the webhooks that no operation changes. */
  readonly isLasting: boolean
  events: ReadonlyArray<string>
  isActive: boolean
  /** False after a change without an answer, until the client has read the webhook again. */
  isCertain: boolean
  /**
   * The last time at which the webhook was turned off or deleted, or may have been. Deliveries of earlier events may be
   * cancelled. Infinite while it may still be off, null if it never was.
   */
  offUntil: number | null
  isDeleted: boolean
  /** The times in which its subscribed events were certain. The last one ends when the client sends the next change. */
  readonly periods: Array<Subscription>
  readonly secrets: Array<SecretPeriod>
}

/** A requested change of a calendar event, and the webhook event that must follow from it. */
export interface Change {
  readonly event: "calendar.created" | "calendar.updated" | "calendar.cancelled" | "calendar.completed"
  /** The title of the event after the change. */
  readonly title: string
  /** The id of the event; null for a creation without an answer. */
  eventId: number | null
  readonly sentAt: number
  /** Null if there was no answer. Then the change was either made completely or not at all. */
  answeredAt: number | null
  /** The webhooks that were certainly subscribed. */
  readonly subscribers: ReadonlyArray<number>
}

/** A calendar event that the client has requested. */
export interface KnownEvent {
  readonly changes: Array<Change>
  id: number | null
  title: string
  /** When the reminder for its current start is due; null if it has none. */
  reminderAt: number | null
  /** When the client received the answer to the last move of the event; null if it was never moved. */
  movedAt: number | null
  /** False if it is cancelled or completed, or if its last change was not answered. */
  isOpen: boolean
  isOver: boolean
}

/** A creation with an idempotency key. */
export interface KeyedCreate {
  readonly key: string
  readonly body: unknown
  readonly event: KnownEvent
  answer: Answer | null
  /** Whether a repeat was answered that the first request is still executed. Then the event was not created. */
  wasRunning: boolean
}

/** A booking that a worker has requested over `POST /mcp`. */
export interface Booking {
  /** The event that it creates. */
  readonly event: KnownEvent
  /** The number of the worker, from 0. */
  readonly worker: number
  /** The arguments of the tool call. A repeat has the same ones. */
  readonly args: object
  /** The time of the slot, in epoch milliseconds. */
  readonly start: number
  readonly end: number
  /** The first successful answer and those to all repeats, as canonical JSON. */
  readonly answers: Array<string>
  /** Whether the slot was refused before the booking was answered with success. */
  isRefused: boolean
}

/** Every request to a server in all its lives, and the answers. */
export interface Ledger {
  readonly webhooks: Array<KnownWebhook>
  readonly events: Array<KnownEvent>
  readonly keyed: Array<KeyedCreate>
  readonly bookings: Array<Booking>
  /** The ids of accepted calls. */
  readonly calls: Array<number>
  /** The accepted redeliveries. */
  readonly redelivered: Array<{ readonly webhookId: number; readonly deliveryId: string }>
  /** The accepted test deliveries. */
  readonly tests: Array<{ readonly webhookId: number; readonly deliveryId: string }>
  /** The problems of answers that the client detected at once. */
  readonly complaints: Array<string>
  /** The number of checked answers. */
  answers: number
}

/** Returns a ledger without requests. */
export const empty = (): Ledger => ({
  webhooks: [],
  events: [],
  keyed: [],
  bookings: [],
  calls: [],
  redelivered: [],
  tests: [],
  complaints: [],
  answers: 0
})

/** Returns the webhooks that are certainly subscribed to a webhook event at the moment. */
export const subscribers = (ledger: Ledger, event: string): ReadonlyArray<number> =>
  ledger.webhooks
    .filter((webhook) => webhook.isCertain && webhook.isActive && !webhook.isDeleted && webhook.events.includes(event))
    .map((webhook) => webhook.id)

/** Returns the change with which an event is created now. */
export const creation = (ledger: Ledger, title: string): Change => ({
  event: "calendar.created",
  title,
  eventId: null,
  sentAt: Date.now(),
  answeredAt: null,
  subscribers: subscribers(ledger, "calendar.created")
})

/** Records that the creation of an event was answered with its id. */
export const created = (event: KnownEvent, id: number): void => {
  const [change] = event.changes
  event.id = id
  if (change === undefined) return
  change.eventId = id
  change.answeredAt = Date.now()
}

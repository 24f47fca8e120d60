import type { Answer } from "./ServerProcess.ts"
import type { Conduct } from "./Script.ts"

/** A secret, and from when until when requests may be signed with it. */
export interface SecretPeriod {
  /** Null when the answer that would have told it never came. */
  readonly secret: string | null
  readonly from: number
  until: number
}

/** What a webhook was subscribed to for a while; nothing while it was off. */
export interface Subscription {
  readonly events: ReadonlyArray<string>
  readonly from: number
  until: number
}

/** A webhook as the account knows it. */
export interface KnownWebhook {
  readonly id: number
  readonly endpoint: string
  readonly conduct: Conduct
  /** One of those that no operation changes. */
  readonly isLasting: boolean
  events: ReadonlyArray<string>
  isActive: boolean
  /** False while it is not known what became of a change of it. */
  isCertain: boolean
  /**
   * Until when it was off or deleted, or may have been: what was raised by then may be cancelled. Infinite while it may
   * be, null when it never was.
   */
  offUntil: number | null
  isDeleted: boolean
  /** While it was certain what it is subscribed to: the last one ends when the next change is asked for. */
  readonly periods: Array<Subscription>
  readonly secrets: Array<SecretPeriod>
}

/** A change of a calendar event that was asked for, and what must follow from it. */
export interface Change {
  readonly event: "calendar.created" | "calendar.updated" | "calendar.cancelled" | "calendar.completed"
  /** The title it leaves the event with. */
  readonly title: string
  /** Null for a creation that was not answered. */
  eventId: number | null
  readonly sentAt: number
  /** Null when no answer came: then it was done wholly or not at all. */
  answeredAt: number | null
  /** The webhooks that are known to have been subscribed. */
  readonly subscribers: ReadonlyArray<number>
}

/** A calendar event that was asked for. */
export interface KnownEvent {
  readonly changes: Array<Change>
  id: number | null
  title: string
  /** When the reminder of its present times is due; null when it has none. */
  reminderAt: number | null
  /** When the answer to the change came that moved the event to its present times; null when it was never moved. */
  movedAt: number | null
  /** False when it is cancelled or completed, or when what became of its last change is not known. */
  isOpen: boolean
  isOver: boolean
}

/** A creation under an idempotency key. */
export interface KeyedCreate {
  readonly key: string
  readonly body: unknown
  readonly event: KnownEvent
  answer: Answer | null
  /** Whether a repeat was told that the first is still running: then it was not done. */
  wasRunning: boolean
}

/** Everything that was asked of a server in all its lives, and what it answered. */
export interface Ledger {
  readonly webhooks: Array<KnownWebhook>
  readonly events: Array<KnownEvent>
  readonly keyed: Array<KeyedCreate>
  /** The calls that were accepted. */
  readonly calls: Array<number>
  /** The deliveries that were asked for once more, and that were accepted. */
  readonly redelivered: Array<{ readonly webhookId: number; readonly deliveryId: string }>
  /** The test events that were accepted. */
  readonly tests: Array<{ readonly webhookId: number; readonly deliveryId: string }>
  /** What was wrong with an answer, seen at once. */
  readonly complaints: Array<string>
  /** How many answers were judged. */
  answers: number
}

/** Nothing asked yet. */
export const empty = (): Ledger => ({
  webhooks: [],
  events: [],
  keyed: [],
  calls: [],
  redelivered: [],
  tests: [],
  complaints: [],
  answers: 0
})

/** The webhooks that are known to hear of an event now. */
export const subscribers = (ledger: Ledger, event: string): ReadonlyArray<number> =>
  ledger.webhooks
    .filter((webhook) => webhook.isCertain && webhook.isActive && !webhook.isDeleted && webhook.events.includes(event))
    .map((webhook) => webhook.id)

import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { WebhookId, WebhookSecrets } from "../webhook-event/WebhookEndpoint.ts"
import type { WebhookEventName } from "../webhook-event/WebhookEventName.ts"

/** The public id of a delivery: unique, sorts by time, the same over all its retries (C-6.3-2). */
export const DeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("DeliveryId"))

/** The public id of a delivery. */
export type DeliveryId = typeof DeliveryId.Type

/** How a delivery stands; `leased` is shown to callers as `pending` (D-DEL-6). */
export const DeliveryState = Schema.Literals(["pending", "leased", "delivered", "failed", "cancelled"])

/** How a delivery stands. */
export type DeliveryState = typeof DeliveryState.Type

/** How a delivery stands, as callers see it. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed", "cancelled"])

/** How a delivery stands, as callers see it. */
export type DeliveryStatus = typeof DeliveryStatus.Type

/**
 * How many attempts a delivery has at most, and how many of them are shown. A page of 100 deliveries with all their
 * attempts has less than 2 MiB.
 */
export const maxAttempts = 50

/** How many retries follow an automatic attempt at most; the rest of {@link maxAttempts} is for manual ones. */
export const maxRetries = 20

/** How much of the error of an attempt is stored, in bytes of UTF-8. */
export const maxErrorBytes = 200

/** One try at sending (D-DEL-7). */
export const Attempt = Schema.Struct({
  /** From 1, over automatic and manual tries. */
  number: Schema.Int,
  kind: Schema.Literals(["automatic", "manual"]),
  startedAt: Schema.DateTimeUtc,
  durationMs: Schema.Int,
  /** The HTTP status; null when there was no answer. */
  statusCode: Schema.NullOr(Schema.Int),
  /** Why it failed; null when it succeeded. */
  error: Schema.NullOr(Schema.String)
})

/** One try at sending. */
export type Attempt = typeof Attempt.Type

/** A delivery as its owner sees it (D-DEL-7). */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  readonly eventType: string
  readonly status: DeliveryStatus
  readonly createdAt: DateTime.Utc
  /** When the next try is due; null when there is none, or it is being made. */
  readonly nextAttemptAt: DateTime.Utc | null
  /** The newest {@link maxAttempts}, oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** How callers see a delivery that stands so and is due then: one that is being sent is pending, with no next try. */
export const standing = (
  state: DeliveryState,
  dueAt: DateTime.Utc | null
): Pick<Delivery, "status" | "nextAttemptAt"> => ({
  status: state === "leased" ? "pending" : state,
  nextAttemptAt: state === "pending" ? dueAt : null
})

/** An event that is to be delivered: its bytes are kept once and never change. */
export interface NewWebhookEvent {
  readonly accountId: AccountId
  readonly name: WebhookEventName | "webhook.test"
  /** What the event is about (`call:12`): its events reach an endpoint in order at the first attempt. */
  readonly subject: string
  readonly body: Uint8Array
  readonly createdAt: DateTime.Utc
  readonly deliveries: ReadonlyArray<{ readonly id: DeliveryId; readonly webhookId: WebhookId }>
}

/** A delivery that has been taken to be sent: nobody else sends it until its lease ends. */
export interface ClaimedDelivery {
  /** The internal key of the row. */
  readonly key: number
  readonly id: DeliveryId
  readonly leaseId: string
  readonly accountId: AccountId
  readonly webhookId: WebhookId
  readonly url: string
  /** As they are kept: the `DeliveryWorker` opens those that are sealed. */
  readonly secrets: WebhookSecrets
  readonly eventName: string
  readonly body: Uint8Array
  /** When it became due, before it was taken. */
  readonly dueAt: DateTime.Utc
  /** Automatic results recorded so far, 0 to 3; those of manual tries do not count. */
  readonly results: number
  /**
   * How often it was taken since it was last made due, this time included: 1 unless a lease ended without a result. A
   * recorded result and a redelivery begin to count anew.
   */
  readonly claims: number
  readonly kind: "automatic" | "manual"
}

/** What is recorded of a try, matched by its lease: a lost lease changes nothing. */
export interface DeliveryResult {
  readonly key: number
  readonly leaseId: string
  readonly webhookId: WebhookId
  /** Where it was sent: it says nothing of a webhook that has another URL by now. */
  readonly url: string
  readonly kind: "automatic" | "manual"
  readonly attempt: Omit<Attempt, "number" | "kind">
  /** The first part of the answer's body, for whoever operates the server. */
  readonly responseBody: string
  /** The state it moves to, and when it is next due if that is `pending`. */
  readonly next:
    | { readonly state: "delivered" | "failed" }
    | { readonly state: "pending"; readonly dueAt: DateTime.Utc }
  /**
   * The status the webhook moves to in the same transaction; null: it keeps its own. One that is disabled stays so, also
   * when a delivery that was on its way succeeds, and so does one that has another URL than the attempt went to.
   */
  readonly webhookStatus: "active" | "failed" | "disabled" | null
}

import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { WebhookId, WebhookSecrets } from "../webhook-event/WebhookEndpoint.ts"
import type { WebhookEventName } from "../webhook-event/WebhookEventName.ts"

/**
 * The public id of a delivery, a UUID that sorts by time. It is the same in every attempt, so that receivers recognise
 * repeats by the header that `WebhookHeaders` makes of it (C-6.3-2).
 */
export const DeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("DeliveryId"))

/** The public id of a delivery. */
export type DeliveryId = typeof DeliveryId.Type

/** The state of a delivery as it is stored. Callers see `leased` as `pending` (D-DEL-6). */
export const DeliveryState = Schema.Literals(["pending", "leased", "delivered", "failed", "cancelled"])

/** The state of a delivery as it is stored. */
export type DeliveryState = typeof DeliveryState.Type

/** The state of a delivery as callers see it. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed", "cancelled"])

/** The state of a delivery as callers see it. */
export type DeliveryStatus = typeof DeliveryStatus.Type

/**
 * The maximum number of attempts of a delivery, and of attempts that the API returns with a delivery (D-DEL-10). So a page
 * of 100 deliveries with all their attempts has less than 2 MiB.
 */
export const maxAttempts = 50

/**
 * The maximum length of a list of deliveries: the newest ones of a webhook, or the newest ones with a status (D-DEL-28).
 * Neither counting a list nor reading its last page takes longer for a webhook with millions of deliveries.
 */
export const maxListed = 10_000

/** The maximum number of automatic retries. The rest of {@link maxAttempts} is left for manual attempts. */
export const maxRetries = 20

/** The maximum length of the stored error of an attempt, in bytes of UTF-8. */
export const maxErrorBytes = 200

/** One try to send a delivery (D-DEL-7). */
export const Attempt = Schema.Struct({
  /** Counts automatic and manual attempts together, from 1. */
  number: Schema.Int,
  kind: Schema.Literals(["automatic", "manual"]),
  startedAt: Schema.DateTimeUtc,
  durationMs: Schema.Int,
  /** The HTTP status of the answer; null when there was no answer. */
  statusCode: Schema.NullOr(Schema.Int),
  /** Why the attempt failed; null when it succeeded. */
  error: Schema.NullOr(Schema.String)
})

/** One try to send a delivery. */
export type Attempt = typeof Attempt.Type

/** A delivery as its owner sees it (D-DEL-7). */
export interface Delivery {
  readonly id: DeliveryId
  readonly webhookId: WebhookId
  readonly eventType: string
  readonly status: DeliveryStatus
  readonly createdAt: DateTime.Utc
  /** When the next attempt is due; null when no attempt is planned, or while an attempt is being made. */
  readonly nextAttemptAt: DateTime.Utc | null
  /** The newest {@link maxAttempts} attempts, oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/**
 * Whether shown headers have their signatures: `present`; `not_permitted`, because the caller may not send the delivery
 * again; `secret_unreadable`, because the secret of the webhook cannot be opened with the keys of the installation.
 */
export const SignatureState = Schema.Literals(["present", "not_permitted", "secret_unreadable"])

/** Whether shown headers have their signatures, or why not. */
export type SignatureState = typeof SignatureState.Type

/** A delivery with its request and the last answer (D-DEL-32). */
export interface DeliveryDetail {
  readonly delivery: Delivery
  /** The request as it would be sent to the present URL at the time of the last attempt. */
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    /** Whether the headers have the signatures, or why not. */
    readonly signatures: SignatureState
    /** The text of the bytes that are sent. For a caller who may not read the calendar, `ics_url` has no signature. */
    readonly body: string
    readonly bodyBytes: number
  }
  /** The first part of the body of the last answer, "" when there was none; null before the first attempt. */
  readonly answer: string | null
}

/**
 * Returns what callers see of a stored state and due time. A delivery that is being sent is `pending` and has no next
 * attempt.
 */
export const publicStatus = (
  state: DeliveryState,
  dueAt: DateTime.Utc | null
): Pick<Delivery, "status" | "nextAttemptAt"> => ({
  status: state === "leased" ? "pending" : state,
  nextAttemptAt: state === "pending" ? dueAt : null
})

/** A webhook event with the deliveries to add for it. Its bytes are stored once and never change. */
export interface NewWebhookEvent {
  readonly accountId: AccountId
  readonly name: WebhookEventName | "webhook.test"
  /** What the webhook event is about, such as `call:12`. First attempts of one subject keep their order. */
  readonly subject: string
  readonly body: Uint8Array
  readonly createdAt: DateTime.Utc
  readonly deliveries: ReadonlyArray<{ readonly id: DeliveryId; readonly webhookId: WebhookId }>
}

/** A delivery that a process has claimed. No other process sends it until its lease ends. */
export interface ClaimedDelivery {
  /** The database id of the delivery. */
  readonly key: number
  readonly id: DeliveryId
  readonly leaseId: string
  readonly accountId: AccountId
  readonly webhookId: WebhookId
  readonly url: string
  /** The secrets as they are stored. The `DeliveryWorker` opens sealed ones. */
  readonly secrets: WebhookSecrets
  readonly eventName: string
  readonly body: Uint8Array
  /** When the delivery became due. */
  readonly dueAt: DateTime.Utc
  /** The number of recorded results of automatic attempts, from 0. Manual attempts do not count. */
  readonly results: number
  /**
   * The number of claims since the last recorded result or redelivery, including this one. It is 1 unless a lease has
   * ended, or was recovered from a dead process, without a result. A claim that was postponed does not count.
   */
  readonly claims: number
  readonly kind: "automatic" | "manual"
}

/** The result of an attempt, to be recorded. It has no effect when its lease was lost to another claim. */
export interface DeliveryResult {
  readonly key: number
  readonly leaseId: string
  readonly accountId: AccountId
  readonly webhookId: WebhookId
  /** The URL of the request. When the webhook now has another URL, its status stays and nothing is cancelled (D-DEL-13). */
  readonly url: string
  readonly kind: "automatic" | "manual"
  readonly attempt: Omit<Attempt, "number" | "kind">
  /** The first part of the answer's body, which the account sees (D-DEL-32). */
  readonly responseBody: string
  /** The next state of the delivery, and when a `pending` one is due. */
  readonly next:
    | { readonly state: "delivered" | "failed" }
    | { readonly state: "pending"; readonly dueAt: DateTime.Utc }
  /**
   * The next status of the webhook, set in the same transaction; null keeps the status. A disabled webhook stays
   * disabled, even when a delivery that was in flight succeeds. A webhook whose URL was changed after the claim keeps
   * its status.
   */
  readonly webhookStatus: "active" | "failed" | "disabled" | null
}

import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type {
  ClaimedDelivery,
  Delivery,
  DeliveryId,
  DeliveryResult,
  DeliveryStatus,
  NewWebhookEvent
} from "./Delivery.ts"
import type { WebhookId } from "./Webhook.ts"

/** What a claim may take. */
export interface ClaimRequest {
  readonly now: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  readonly leaseId: string
  /** Who takes it: one process. */
  readonly owner: string
  readonly limit: number
  /** How many of one endpoint may be in flight. */
  readonly perWebhook: number
  /** What this process has in flight now, by webhook: leaves that much less room. */
  readonly inFlight: ReadonlyMap<WebhookId, number>
}

/** Port: where events and their deliveries are kept until they have arrived. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Keeps an event and its deliveries, due at once. Called in the transaction of the change. */
    readonly add: (event: NewWebhookEvent) => Effect.Effect<void, StorageError>
    /**
     * Takes due deliveries in one step: pending ones whose time has come, and leased ones whose lease has ended; the
     * longest due first, of those due together the one added first. A delivery never tried waits for the first try of
     * every earlier delivery of the same subject to the same webhook. Of one webhook no more than has room.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>
    /**
     * Records results in one transaction: the attempt, the delivery's next state, and what the webhook shows of it. A
     * result whose lease is no longer held changes nothing. Answers the internal keys of those that were recorded.
     */
    readonly record: (
      results: ReadonlyArray<DeliveryResult>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<number>, StorageError>
    /** Makes everything an owner has leased due at once: what its predecessor held when it was killed. */
    readonly release: (owner: string, now: DateTime.Utc) => Effect.Effect<number, StorageError>
    /** The earliest time after an instant, and not at it, at which a delivery is due, leased ones included. */
    readonly nextDue: (after: DateTime.Utc) => Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
    /** Deliveries of a webhook, newest first. */
    readonly list: (
      accountId: AccountId,
      webhookId: WebhookId,
      status: Option.Option<DeliveryStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<Delivery>, StorageError>
    /** A delivery of a webhook of the account. */
    readonly find: (
      accountId: AccountId,
      webhookId: WebhookId,
      id: DeliveryId
    ) => Effect.Effect<Option.Option<Delivery>, StorageError>
    /** Makes a delivery due at once for one manual try, whatever its state; a pending or leased one stays as it is. */
    readonly redeliver: (
      accountId: AccountId,
      webhookId: WebhookId,
      id: DeliveryId,
      now: DateTime.Utc
    ) => Effect.Effect<void, StorageError>
    /** Cancels what is pending or leased of a webhook. */
    readonly cancelPending: (webhookId: WebhookId) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/webhook/DeliveryStore") {}

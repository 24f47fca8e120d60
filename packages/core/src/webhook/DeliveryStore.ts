import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { Delivery, DeliveryId, DeliveryStatus, NewWebhookEvent } from "./Delivery.ts"
import type { WebhookId } from "./Webhook.ts"

/** Port: where events and their deliveries are kept, and what can be seen and asked of them. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Keeps an event and its deliveries, due at once. Called in the transaction of the change. */
    readonly add: (event: NewWebhookEvent) => Effect.Effect<void, StorageError>
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

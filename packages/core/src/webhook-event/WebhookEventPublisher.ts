import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Publishes webhook events of calls and calendar events.
 *
 * `DeliveryPublisher.layer` implements it: it stores one delivery for each webhook that is subscribed at that moment.
 */
export class WebhookEventPublisher extends Context.Service<
  WebhookEventPublisher,
  {
    /**
     * Stores a webhook event and one delivery for each subscribed webhook of the account. Called in the transaction of
     * the change.
     */
    readonly publish: (event: WebhookEvent) => Effect.Effect<void, StorageError>
    /**
     * Notifies the `DeliveryWorker`. Called after the transaction. A lost notification delays a delivery until the next
     * poll.
     */
    readonly notify: Effect.Effect<void>
  }
>()("@frontdesk/core/webhook-event/WebhookEventPublisher") {}

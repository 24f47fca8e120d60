import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../storage/StorageError.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

/**
 * Stores a webhook event for every webhook that is subscribed to it at that moment.
 *
 * Calls and calendar events are published through it. `DeliveryPublisher.layer` implements it with subscriptions and
 * deliveries.
 */
export class WebhookEventPublisher extends Context.Service<
  WebhookEventPublisher,
  {
    /** Stores the event and one delivery for each subscribed webhook of the account. Called in the transaction of the change. */
    readonly publish: (event: WebhookEvent) => Effect.Effect<void, StorageError>
    /** Notifies the delivery worker. Called after the transaction. A lost notification delays a delivery until the next poll. */
    readonly notify: Effect.Effect<void>
  }
>()("@frontdesk/core/webhook-event/WebhookEventPublisher") {}

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"
import type { WebhookEventName } from "./WebhookEventName.ts"

/** Stores a webhook event, and one delivery for each webhook that receives it. */
export type Publish = (event: WebhookEvent) => Effect.Effect<void, StorageError>

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
    readonly publish: Publish
    /**
     * Reads the webhooks that are subscribed to the name, and returns the function that publishes an event of the account
     * and the name to them. A caller that knows the name early reads them together with other rows, and so waits for the
     * storage once less. Called in the transaction of the change, like the function that it returns.
     */
    readonly prepare: (accountId: AccountId, name: WebhookEventName) => Effect.Effect<Publish, StorageError>
    /**
     * Notifies the `DeliveryWorker`. Called after the transaction. A lost notification delays a delivery until the next
     * poll.
     */
    readonly notify: Effect.Effect<void>
  }
>()("@frontdesk/core/webhook-event/WebhookEventPublisher") {
  /** Returns the publisher whose `publish` follows from `prepare`. */
  static readonly make = ({
    notify,
    prepare
  }: Pick<WebhookEventPublisher["Service"], "prepare" | "notify">): WebhookEventPublisher["Service"] =>
    WebhookEventPublisher.of({
      publish: (event) => Effect.flatMap(prepare(event.accountId, event.name), (publish) => publish(event)),
      prepare,
      notify
    })
}

import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { WebhookEventName } from "./WebhookEventName.ts"

/**
 * A webhook event that is about to be published to the webhooks of its account.
 *
 * The module of its subject makes it: `CallWebhookEvent` or `CalendarWebhookEvent`.
 */
export interface WebhookEvent {
  readonly accountId: AccountId
  readonly name: WebhookEventName
  /** What the webhook event is about, such as `call:12`. First attempts of one subject keep their order (D-EVT-3). */
  readonly subject: string
  /**
   * Returns the body for a webhook event that happened at this time. The publisher calls it only when a webhook is
   * subscribed, so that no body is made in vain.
   */
  readonly body: (createdAt: DateTime.Utc) => Effect.Effect<Uint8Array, StorageError>
}

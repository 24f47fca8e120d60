import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import type { WebhookEventName } from "./WebhookEventName.ts"

/**
 * Something that happened in an account, for the webhooks that are subscribed to it.
 *
 * The folder that owns the subject makes the event: `CallWebhookEvent`, `CalendarWebhookEvent`.
 */
export interface WebhookEvent {
  readonly accountId: AccountId
  readonly name: WebhookEventName
  /** What the event is about, such as `call:12`. An endpoint receives the events of one subject in order. */
  readonly subject: string
  /**
   * Returns the body for an event that happened at this time. The publisher calls it only when a webhook is subscribed,
   * so that an event without subscribers costs no payload.
   */
  readonly body: (createdAt: DateTime.Utc) => Effect.Effect<Uint8Array>
}

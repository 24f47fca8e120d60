import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import { WebhookEventName } from "../webhook-event/WebhookEventName.ts"

/**
 * The status of a webhook (D-HOOK-2).
 *
 * - `active`: webhook events are sent.
 * - `failed`: a delivery has used all its retries. Webhook events are still sent, and one success makes it active
 *   again.
 * - `disabled`: no webhook events are sent, because the receiver answered 410 or the owner turned the webhook off.
 */
export const WebhookStatus = Schema.Literals(["active", "failed", "disabled"])

/** The status of a webhook. */
export type WebhookStatus = typeof WebhookStatus.Type

/** A webhook subscription (C-2.7-1, D-HOOK-2), without its secret. */
export const Webhook = Schema.Struct({
  id: WebhookId,
  accountId: AccountId,
  name: Schema.String,
  url: Schema.String,
  subscribedEvents: Schema.Array(WebhookEventName),
  status: WebhookStatus,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  lastDeliveryAt: Schema.NullOr(Schema.DateTimeUtc),
  lastSuccessAt: Schema.NullOr(Schema.DateTimeUtc),
  lastFailureAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The HTTP status of the last failed attempt; null when it had no answer, or when no attempt has failed. */
  lastFailureStatus: Schema.NullOr(Schema.Int),
  /** The number of failed attempts since the last success. */
  consecutiveFailures: Schema.Int
})

/** A webhook subscription. */
export type Webhook = typeof Webhook.Type

/** Returns whether webhook events are sent to a webhook: its status is `active` or `failed`, and not `disabled`. */
export const isEnabled = (webhook: Pick<Webhook, "status">): boolean => webhook.status !== "disabled"

import * as Schema from "effect/Schema"
import { AccountId } from "../access/Account.ts"
import { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import { WebhookEventName } from "../webhook-event/WebhookEventName.ts"

/**
 * How a webhook stands (D-HOOK-2).
 *
 * - `active`: events are sent.
 * - `failed`: a delivery has used all its retries; events are still sent, and one success makes it active again.
 * - `disabled`: no events are sent: the endpoint answered 410, or its owner turned it off.
 */
export const WebhookStatus = Schema.Literals(["active", "failed", "disabled"])

/** How a webhook stands. */
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
  /** The HTTP status of the last failure; null when there was no answer, or no failure. */
  lastFailureStatus: Schema.NullOr(Schema.Int),
  /** Failed attempts since the last success. */
  consecutiveFailures: Schema.Int
})

/** A webhook subscription. */
export type Webhook = typeof Webhook.Type

/** Whether events are sent: it is not disabled. */
export const isActive = (webhook: Pick<Webhook, "status">): boolean => webhook.status !== "disabled"

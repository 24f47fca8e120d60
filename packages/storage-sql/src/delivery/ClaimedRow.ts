import { AccountId } from "@frontdesk/core/access/Account"
import { Attempt, type ClaimedDelivery, DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

/** A leased delivery with everything that sending it takes. */
export const ClaimedRow = Schema.Struct({
  id: Schema.Int,
  deliveryId: DeliveryId,
  leaseId: Schema.String,
  accountId: AccountId,
  webhookId: WebhookId,
  url: Schema.String,
  secret: Schema.String,
  previousSecret: Schema.NullOr(Schema.String),
  previousSecretExpiresAt: Schema.NullOr(Column.Time),
  eventName: Schema.String,
  body: Schema.Uint8Array,
  dueAt: Column.Time,
  results: Schema.Int,
  claims: Schema.Int,
  kind: Attempt.fields.kind
})

/** A webhook that is turned off gets only what was asked for by hand. */
const isWanted = "(webhook.status <> 'disabled' OR kind = 'manual' OR webhook_event.name = 'webhook.test')"

/**
 * The deliveries with the keys of the parameter `?1` that are still leased under `?2`, the longest due first. What was
 * published while its webhook was turned off, where both run at once, is not among them.
 */
export const claimedText = (dialect: Dialect): string => `SELECT webhook_delivery.id, delivery_id, lease_id,
    webhook_event.account_id, webhook_id, webhook.url, webhook.secret, webhook.previous_secret,
    webhook.previous_secret_expires_at, webhook_event.name AS event_name, webhook_event.body, claimed_due_at AS due_at, results,
    claims, kind
  FROM webhook_delivery
  JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id
  JOIN webhook ON webhook.id = webhook_delivery.webhook_id AND webhook.deleted_at IS NULL
  WHERE ${dialect.isOneOf("webhook_delivery.id", "?1")} AND state = 'leased' AND lease_id = ?2
    AND ${isWanted}
  ORDER BY claimed_due_at, webhook_delivery.id`

/** Finds the delivery with the key `?1` if it may still be sent under the lease `?2` to the URL `?3`. */
export const currentText = `SELECT 1 AS found
  FROM webhook_delivery
  JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id
  JOIN webhook ON webhook.id = webhook_delivery.webhook_id AND webhook.deleted_at IS NULL
  WHERE webhook_delivery.id = ?1 AND state = 'leased' AND lease_id = ?2 AND webhook.url = ?3 AND ${isWanted}`

/** The delivery of a row. */
export const toClaimed = ({
  deliveryId,
  id,
  previousSecret,
  previousSecretExpiresAt,
  secret,
  ...row
}: typeof ClaimedRow.Type): ClaimedDelivery => ({
  ...row,
  key: id,
  id: deliveryId,
  secrets: {
    current: Redacted.make(secret),
    previous:
      previousSecret === null || previousSecretExpiresAt === null
        ? null
        : { secret: Redacted.make(previousSecret), expiresAt: previousSecretExpiresAt }
  }
})

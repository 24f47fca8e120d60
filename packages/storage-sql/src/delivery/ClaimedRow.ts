import { AccountId } from "@frontdesk/core/access/Account"
import { Attempt, type ClaimedDelivery, DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

/** A leased delivery with everything that an attempt needs. */
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

/** A disabled webhook receives only manual redeliveries and tests. */
const isWanted = "(webhook.status <> 'disabled' OR kind = 'manual' OR webhook_event.name = 'webhook.test')"

/**
 * Returns the `SELECT` of the deliveries with the keys of `?1` that are still leased under `?2`, earliest due first. It
 * leaves out automatic deliveries of a disabled webhook. There are some if they were published while another
 * transaction disabled the webhook (D-PG-21).
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

/** Finds a row if the delivery with the key `?1` may still be sent under the lease `?2` to the URL `?3`. */
export const currentText = `SELECT 1 AS found
  FROM webhook_delivery
  JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id
  JOIN webhook ON webhook.id = webhook_delivery.webhook_id AND webhook.deleted_at IS NULL
  WHERE webhook_delivery.id = ?1 AND state = 'leased' AND lease_id = ?2 AND webhook.url = ?3 AND ${isWanted}`

/** Returns the claimed delivery of a row. */
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

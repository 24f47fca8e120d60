import { AccountId } from "@frontdesk/core/access/Account"
import { Attempt, type ClaimedDelivery, DeliveryId } from "@frontdesk/core/delivery/Delivery"
import type { StoredRequest } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookId, type WebhookSecrets } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

const secretFields = {
  secret: Schema.String,
  previousSecret: Schema.NullOr(Schema.String),
  previousSecretExpiresAt: Schema.NullOr(Column.Time)
}

const SecretRow = Schema.Struct(secretFields)

/** A leased delivery with everything that an attempt needs. */
export const ClaimedRow = Schema.Struct({
  id: Schema.Int,
  deliveryId: DeliveryId,
  leaseId: Schema.String,
  accountId: AccountId,
  webhookId: WebhookId,
  url: Schema.String,
  ...secretFields,
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
  secrets: toSecrets({ previousSecret, previousSecretExpiresAt, secret })
})

/** Returns the secrets of a row. */
const toSecrets = ({ previousSecret, previousSecretExpiresAt, secret }: typeof SecretRow.Type): WebhookSecrets => ({
  current: Redacted.make(secret),
  previous:
    previousSecret === null || previousSecretExpiresAt === null
      ? null
      : { secret: Redacted.make(previousSecret), expiresAt: previousSecretExpiresAt }
})

/** The body of a delivery with the secrets of its webhook. */
export const RequestRow = Schema.Struct({ body: Schema.Uint8Array, ...secretFields })

/** Finds the {@link RequestRow} of the delivery `?3` of the webhook `?1` of the account `?2`. */
export const requestText = `SELECT webhook_event.body, webhook.secret, webhook.previous_secret,
    webhook.previous_secret_expires_at
  FROM webhook_delivery
  JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id
  JOIN webhook ON webhook.id = webhook_delivery.webhook_id AND webhook.deleted_at IS NULL
  WHERE delivery_id = ?3 AND webhook_id = ?1 AND webhook.account_id = ?2`

/** Returns the stored request of a row. */
export const toRequest = ({ body, ...secrets }: typeof RequestRow.Type): StoredRequest => ({
  body,
  secrets: toSecrets(secrets)
})

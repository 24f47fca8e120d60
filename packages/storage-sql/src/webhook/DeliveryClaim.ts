import { AccountId } from "@frontdesk/core/access/Account"
import { Attempt, type ClaimedDelivery, DeliveryId } from "@frontdesk/core/webhook/Delivery"
import type { ClaimRequest } from "@frontdesk/core/webhook/DeliveryStore"
import { WebhookId } from "@frontdesk/core/webhook/Webhook"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

/**
 * Leases what may be sent now, in one statement.
 *
 * - `open` steps from webhook to webhook through the index, so that a webhook's backlog costs one step.
 * - `chosen` takes of each webhook as many as it may have in flight, the longest due first: a thousand rows of one
 *   endpoint at the front of the queue delay nobody else. Only the first of a line of untried deliveries may go.
 * - Rows another process is taking are passed over in PostgreSQL; in SQLite there are none.
 *
 * Parameters: now, the lease's end, its id, its owner, the limit, the limit for a webhook, and what is in flight as
 * `[{ webhook_id, count }]`.
 */
export const claimText = (dialect: Dialect): string => `WITH RECURSIVE open (webhook_id) AS (
    SELECT min(webhook_id) FROM webhook_delivery WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (
      SELECT min(next.webhook_id) FROM webhook_delivery AS next
      WHERE next.due_at IS NOT NULL AND next.webhook_id > open.webhook_id
    ) FROM open WHERE open.webhook_id IS NOT NULL
  ), candidate AS (
    SELECT delivery.id, delivery.due_at, delivery.webhook_id,
      row_number() OVER (PARTITION BY delivery.webhook_id ORDER BY delivery.due_at, delivery.id) AS place
    FROM open CROSS JOIN webhook_delivery AS delivery
    WHERE delivery.id IN (
      SELECT due.id FROM webhook_delivery AS due
      WHERE due.webhook_id = open.webhook_id AND due.due_at <= ?1 AND (
        due.attempts > 0 OR NOT EXISTS (
          SELECT 1 FROM webhook_delivery AS earlier
          WHERE earlier.webhook_id = due.webhook_id AND earlier.subject = due.subject
            AND earlier.due_at IS NOT NULL AND earlier.attempts = 0 AND earlier.id < due.id
        )
      )
      ORDER BY due.due_at, due.id LIMIT ?6
    )
  ), busy AS (
    SELECT in_flight.webhook_id, in_flight.count
    FROM ${dialect.records("in_flight", "?7", { webhook_id: "integer", count: "integer" })}
  ), chosen AS (
    SELECT candidate.id FROM candidate LEFT JOIN busy ON busy.webhook_id = candidate.webhook_id
    WHERE candidate.place <= ?6 - coalesce(busy.count, 0)
    ORDER BY candidate.due_at, candidate.id LIMIT ?5
  )
  UPDATE webhook_delivery SET state = 'leased', claimed_due_at = due_at, due_at = ?2, lease_id = ?3, lease_owner = ?4, claims = claims + 1
  WHERE id IN (${
    dialect.skipLocked === ""
      ? "SELECT id FROM chosen"
      : `SELECT id FROM webhook_delivery WHERE id IN (SELECT id FROM chosen) AND due_at <= ?1${dialect.skipLocked}`
  })
  RETURNING id`

/** The parameters of a claim. */
export const claimParams = (dialect: Dialect, request: ClaimRequest): ReadonlyArray<unknown> => [
  dialect.time(request.now),
  dialect.time(request.leaseUntil),
  request.leaseId,
  request.owner,
  request.limit,
  request.perWebhook,
  JSON.stringify([...request.inFlight].map(([webhook_id, count]) => ({ webhook_id, count })))
]

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
  results: Schema.Int,
  claims: Schema.Int,
  kind: Attempt.fields.kind
})

/** The deliveries with the keys of the parameter `?1` that are still leased under `?2`, the longest due first. */
export const claimedText = (dialect: Dialect): string => `SELECT webhook_delivery.id, delivery_id, lease_id,
    webhook_event.account_id, webhook_id, webhook.url, webhook.secret, webhook.previous_secret,
    webhook.previous_secret_expires_at, webhook_event.name AS event_name, webhook_event.body, results, claims, kind
  FROM webhook_delivery
  JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id
  JOIN webhook ON webhook.id = webhook_delivery.webhook_id
  WHERE webhook_delivery.id IN ${dialect.numbers("?1")} AND state = 'leased' AND lease_id = ?2
  ORDER BY claimed_due_at, webhook_delivery.id`

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

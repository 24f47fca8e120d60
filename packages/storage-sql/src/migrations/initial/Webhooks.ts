import type { ColumnTypes } from "../../dialect/Dialect.ts"

/** Webhooks, webhook events, deliveries and attempts. */
export const webhooks = (type: ColumnTypes): ReadonlyArray<string> => [
  // deleted_at: the webhook is deleted for all readers, and its rows wait to be purged. cancel_through: its pending and
  // leased deliveries up to this key wait to be cancelled.
  `CREATE TABLE webhook (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name ${type.text} NOT NULL,
    url ${type.text} NOT NULL,
    subscribed_events ${type.json} NOT NULL,
    status ${type.text} NOT NULL,
    secret ${type.text} NOT NULL,
    previous_secret ${type.text},
    previous_secret_expires_at ${type.time},
    created_at ${type.time} NOT NULL,
    updated_at ${type.time} NOT NULL,
    last_delivery_at ${type.time},
    last_success_at ${type.time},
    last_failure_at ${type.time},
    last_failure_status ${type.integer},
    consecutive_failures ${type.integer} NOT NULL,
    deleted_at ${type.time},
    cancel_through ${type.integer}
  )${type.table}`,
  `CREATE INDEX webhook_account ON webhook (account_id, id)`,
  `CREATE INDEX webhook_cancelling ON webhook (id) WHERE cancel_through IS NOT NULL`,
  `CREATE INDEX webhook_deleted ON webhook (id) WHERE deleted_at IS NOT NULL`,

  `CREATE TABLE webhook_event (
    id ${type.key},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name ${type.text} NOT NULL,
    created_at ${type.time} NOT NULL,
    body ${type.bytes} NOT NULL
  )${type.table}`,

  // due_at: NULL unless the delivery is pending or leased, so that finished deliveries are not in the partial indexes.
  // claimed_due_at: when it was due before its last lease; orders the result of a claim. in_line: false once it was
  // cancelled or could not be sent, so that it leaves the index webhook_delivery_line.
  `CREATE TABLE webhook_delivery (
    id ${type.key},
    delivery_id ${type.text} NOT NULL,
    event_id ${type.integer} NOT NULL REFERENCES webhook_event (id),
    webhook_id ${type.integer} NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    subject ${type.text} NOT NULL,
    state ${type.text} NOT NULL,
    kind ${type.text} NOT NULL,
    due_at ${type.time},
    claimed_due_at ${type.time},
    lease_id ${type.text},
    lease_owner ${type.text},
    results ${type.integer} NOT NULL,
    claims ${type.integer} NOT NULL,
    attempts ${type.integer} NOT NULL,
    in_line ${type.flag} NOT NULL DEFAULT TRUE
  )${type.table}`,
  `CREATE UNIQUE INDEX webhook_delivery_delivery_id ON webhook_delivery (delivery_id)`,
  `CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id)`,
  `CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id, id, state)`,
  `CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at, id, webhook_id) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_delivery_webhook_due ON webhook_delivery (webhook_id, due_at, id) WHERE due_at IS NOT NULL`,
  // The index has no column that a claim changes, so that a claim does not write to it in SQLite.
  `CREATE INDEX webhook_delivery_line ON webhook_delivery (webhook_id, subject, id)
    WHERE attempts = 0 AND in_line`,

  `CREATE TABLE webhook_attempt (
    delivery_id ${type.integer} NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
    number ${type.integer} NOT NULL,
    kind ${type.text} NOT NULL,
    started_at ${type.time} NOT NULL,
    duration_ms ${type.integer} NOT NULL,
    status_code ${type.integer},
    error ${type.text},
    response_body ${type.text} NOT NULL,
    PRIMARY KEY (delivery_id, number)
  )${type.table}`
]

import type { ColumnTypes } from "../../dialect/Dialect.ts"

/** Webhooks, the events they are sent, and how each delivery fares. */
export const webhooks = (type: ColumnTypes): ReadonlyArray<string> => [
  // deleted_at: it is gone for everybody, and what is left of it waits to be purged.
  `CREATE TABLE webhook (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    subscribed_events ${type.json} NOT NULL,
    status TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_secret_expires_at ${type.time},
    created_at ${type.time} NOT NULL,
    updated_at ${type.time} NOT NULL,
    last_delivery_at ${type.time},
    last_success_at ${type.time},
    last_failure_at ${type.time},
    last_failure_status ${type.integer},
    consecutive_failures ${type.integer} NOT NULL,
    deleted_at ${type.time}
  )${type.table}`,
  `CREATE INDEX webhook_account ON webhook (account_id, id)`,
  `CREATE INDEX webhook_deleted ON webhook (id) WHERE deleted_at IS NOT NULL`,

  `CREATE TABLE webhook_event (
    id ${type.key},
    account_id ${type.integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at ${type.time} NOT NULL,
    body ${type.bytes} NOT NULL
  )${type.table}`,

  // due_at is NULL unless the delivery is pending or leased, so that what is over leaves the partial indexes.
  // claimed_due_at: when it was due before it was leased last; orders what a claim answers.
  // in_line: false once it is over untried, so that it leaves the index of the lines too.
  `CREATE TABLE webhook_delivery (
    id ${type.key},
    delivery_id TEXT NOT NULL,
    event_id ${type.integer} NOT NULL REFERENCES webhook_event (id),
    webhook_id ${type.integer} NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    kind TEXT NOT NULL,
    due_at ${type.time},
    claimed_due_at ${type.time},
    lease_id TEXT,
    lease_owner TEXT,
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
  // Names no column that a claim changes, so that a claim leaves it alone.
  `CREATE INDEX webhook_delivery_line ON webhook_delivery (webhook_id, subject, id)
    WHERE attempts = 0 AND in_line`,

  `CREATE TABLE webhook_attempt (
    delivery_id ${type.integer} NOT NULL REFERENCES webhook_delivery (id) ON DELETE CASCADE,
    number ${type.integer} NOT NULL,
    kind TEXT NOT NULL,
    started_at ${type.time} NOT NULL,
    duration_ms ${type.integer} NOT NULL,
    status_code ${type.integer},
    error TEXT,
    response_body TEXT NOT NULL,
    PRIMARY KEY (delivery_id, number)
  )${type.table}`
]

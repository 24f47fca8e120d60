import type { Dialect } from "../dialect/Dialect.ts"

/** A delivery never tried waits for the first try of every earlier one of its line: same webhook, same subject. */
const mayGo = (alias: string): string => `(${alias}.attempts > 0 OR NOT EXISTS (
    SELECT 1 FROM webhook_delivery AS earlier
    WHERE earlier.webhook_id = ${alias}.webhook_id AND earlier.subject = ${alias}.subject
      AND earlier.due_at IS NOT NULL AND earlier.attempts = 0 AND earlier.id < ${alias}.id
  ))`

const placed = (alias: string): string => `SELECT ${alias}.id, ${alias}.due_at, ${alias}.webhook_id,
    row_number() OVER (PARTITION BY ${alias}.webhook_id ORDER BY ${alias}.due_at, ${alias}.id) AS place`

/**
 * Leases of the candidates those for whose webhook there is room, the longest due first.
 *
 * Parameters: now, the lease's end, its id, its owner, the limit, the limit for a webhook, and what is in flight as
 * `[{ webhook_id, count }]`. Rows another process is taking are passed over in PostgreSQL; in SQLite there are none.
 */
const lease = (dialect: Dialect, candidates: string): string => `WITH RECURSIVE ${candidates}, busy AS (
    SELECT in_flight.webhook_id, in_flight.count
    FROM ${dialect.records("in_flight", "?7", { webhook_id: "integer", count: "integer" })}
  ), chosen AS (
    SELECT candidate.id FROM candidate LEFT JOIN busy ON busy.webhook_id = candidate.webhook_id
    WHERE candidate.place <= ?6 - coalesce(busy.count, 0)
    ORDER BY candidate.due_at, candidate.id LIMIT ?5
  )
  UPDATE webhook_delivery
  SET state = 'leased', claimed_due_at = due_at, due_at = ?2, lease_id = ?3, lease_owner = ?4, claims = claims + 1
  WHERE id IN (${
    dialect.skipLocked === ""
      ? "SELECT id FROM chosen"
      : `SELECT id FROM webhook_delivery WHERE id IN (SELECT id FROM chosen) AND due_at <= ?1${dialect.skipLocked}`
  })
  RETURNING id, webhook_id`

/** Leases from the front of the queue: so many deliveries, the longest due first. */
export const front = (dialect: Dialect, length: number): string =>
  lease(
    dialect,
    `candidate AS (
    ${placed("front")}
    FROM (
      SELECT id, due_at, webhook_id, subject, attempts FROM webhook_delivery
      WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ${length}
    ) AS front
    WHERE ${mayGo("front")}
  )`
  )

/**
 * Leases from the whole queue: `open` steps from webhook to webhook through the index, and of each only as many rows are
 * read as it may have in flight.
 */
export const everywhere = (dialect: Dialect): string =>
  lease(
    dialect,
    `open (webhook_id) AS (
    SELECT min(webhook_id) FROM webhook_delivery WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (
      SELECT min(next.webhook_id) FROM webhook_delivery AS next
      WHERE next.due_at IS NOT NULL AND next.webhook_id > open.webhook_id
    ) FROM open WHERE open.webhook_id IS NOT NULL
  ), candidate AS (
    ${placed("delivery")}
    FROM open CROSS JOIN webhook_delivery AS delivery
    WHERE delivery.id IN (
      SELECT due.id FROM webhook_delivery AS due
      WHERE due.webhook_id = open.webhook_id AND due.due_at <= ?1 AND ${mayGo("due")}
      ORDER BY due.due_at, due.id LIMIT ?6
    )
  )`
  )

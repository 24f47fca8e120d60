import type { Dialect } from "../dialect/Dialect.ts"

/** A delivery never tried waits for the first try of every earlier one of its line: same webhook, same subject. */
const mayGo = (alias: string): string => `(${alias}.attempts > 0 OR NOT EXISTS (
    SELECT 1 FROM webhook_delivery AS earlier
    WHERE earlier.webhook_id = ${alias}.webhook_id AND earlier.subject = ${alias}.subject
      AND earlier.attempts = 0 AND earlier.id < ${alias}.id AND earlier.due_at IS NOT NULL
  ))`

/**
 * What may go of a stretch of the queue, the longest due first.
 *
 * Parameters: now, how many deliveries to pass over, how many to look at, and the webhooks that have no room, as JSON.
 * Those are told by the index alone, so that passing over what one of them has piled up costs little.
 */
export const front = (dialect: Dialect): string => `SELECT delivery.id, delivery.webhook_id
  FROM (
    SELECT id, due_at, webhook_id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?3 OFFSET ?2
  ) AS front CROSS JOIN webhook_delivery AS delivery
  WHERE front.webhook_id NOT IN ${dialect.numbers("?4")} AND delivery.id = front.id AND ${mayGo("delivery")}
  ORDER BY front.due_at, front.id`

/** Whether there is more in the queue than so many deliveries. Parameters: now, and how many. */
export const isLonger = "SELECT id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT 1 OFFSET ?2"

/**
 * What may go of the whole queue, the longest due first: `open` steps from webhook to webhook through the index, and of
 * each no more rows are read than it may have in flight.
 *
 * Parameters: now, how many deliveries are wanted, the webhooks that have no room, and how many one may have in flight.
 */
export const everywhere = (dialect: Dialect): string => `WITH RECURSIVE open (webhook_id) AS (
    SELECT min(webhook_id) FROM webhook_delivery WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (
      SELECT min(next.webhook_id) FROM webhook_delivery AS next
      WHERE next.due_at IS NOT NULL AND next.webhook_id > open.webhook_id
    ) FROM open WHERE open.webhook_id IS NOT NULL
  )
  SELECT delivery.id, delivery.webhook_id
  FROM open CROSS JOIN webhook_delivery AS delivery
  WHERE open.webhook_id NOT IN ${dialect.numbers("?3")} AND delivery.id IN (
    SELECT due.id FROM webhook_delivery AS due
    WHERE due.webhook_id = open.webhook_id AND due.due_at <= ?1 AND ${mayGo("due")}
    ORDER BY due.due_at, due.id LIMIT ?4
  )
  ORDER BY delivery.due_at, delivery.id LIMIT ?2`

/**
 * Leases deliveries that are still due. Parameters: now, the lease's end, its id, its owner, and the keys as JSON. What
 * another process is taking is passed over in PostgreSQL; in SQLite there is no such thing.
 */
export const lease = (dialect: Dialect): string => `UPDATE webhook_delivery
  SET state = 'leased', claimed_due_at = due_at, due_at = ?2, lease_id = ?3, lease_owner = ?4, claims = claims + 1
  WHERE id IN (
    SELECT id FROM webhook_delivery WHERE id IN ${dialect.numbers("?5")} AND due_at <= ?1${dialect.skipLocked}
  )`

import type { Dialect } from "../dialect/Dialect.ts"
import * as DeliveryCancellation from "./DeliveryCancellation.ts"

/**
 * Whether a delivery may go: one never tried waits for the first try of every earlier one of its line: same webhook,
 * same subject.
 */
export const mayGo = (alias: string): string => `(${alias}.attempts > 0 OR NOT EXISTS (
    SELECT 1 FROM webhook_delivery AS earlier
    WHERE earlier.webhook_id = ${alias}.webhook_id AND earlier.subject = ${alias}.subject
      AND earlier.attempts = 0 AND earlier.in_line AND earlier.id < ${alias}.id
  ))`

/** Whether a column names a webhook of which something may be claimed. */
export const isOpen = (column: string): string =>
  `${column} NOT IN ${deletedWebhooks} AND ${DeliveryCancellation.isOver(column)}`

/** How many rows of a webhook, the longest due first, are looked at when the webhooks are gone through one by one. */
const windowLength = 256

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
  WHERE front.webhook_id NOT IN ${dialect.numbers("?4")} AND ${isOpen("front.webhook_id")}
    AND delivery.id = front.id AND ${mayGo("delivery")}
  ORDER BY front.due_at, front.id`

/** Whether there is more in the queue than so many deliveries. Parameters: now, and how many. */
export const isLonger = "SELECT id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT 1 OFFSET ?2"

/**
 * What may go of the whole queue, the longest due first: `open` steps from webhook to webhook through the index, and of
 * each rows are read until there are as many as it may have in flight, or the window ends.
 *
 * A line longer than the window hides what else its webhook is sent, and, when a lease that has ended puts it behind the
 * others, its own first delivery. So the first of the line in which the longest due stands is looked at too.
 *
 * Parameters: now, how many deliveries are wanted, the webhooks that have no room, and how many one may have in flight.
 */
export const everywhere = (
  dialect: Dialect,
  full = dialect.numbers("?3")
): string => `WITH RECURSIVE open (webhook_id) AS (
    SELECT min(webhook_id) FROM webhook_delivery WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (
      SELECT min(next.webhook_id) FROM webhook_delivery AS next
      WHERE next.due_at IS NOT NULL AND next.webhook_id > open.webhook_id
    ) FROM open WHERE open.webhook_id IS NOT NULL
  )
  SELECT delivery.id, delivery.due_at, delivery.webhook_id
  FROM open CROSS JOIN webhook_delivery AS delivery
  WHERE open.webhook_id NOT IN ${full} AND ${isOpen("open.webhook_id")}
    AND delivery.due_at <= ?1 AND delivery.id IN (
      SELECT id FROM (
        SELECT due.id FROM (
          SELECT id, due_at FROM webhook_delivery WHERE webhook_id = open.webhook_id AND due_at <= ?1
          ORDER BY due_at, id LIMIT ${windowLength}
        ) AS near CROSS JOIN webhook_delivery AS due
        WHERE due.id = near.id AND ${mayGo("due")}
        ORDER BY near.due_at, near.id LIMIT ?4
      ) AS going
      UNION ALL
      SELECT (
        SELECT min(line.id) FROM webhook_delivery AS line
        WHERE line.webhook_id = longest.webhook_id AND line.subject = longest.subject
          AND line.attempts = 0 AND line.in_line
      ) FROM (
        SELECT webhook_id, subject FROM webhook_delivery WHERE webhook_id = open.webhook_id AND due_at <= ?1
        ORDER BY due_at, id LIMIT 1
      ) AS longest
    )
  ORDER BY delivery.due_at, delivery.id LIMIT ?2`

/** Leases deliveries. Parameters: the lease's end, its id, its owner, and the keys as JSON. */
export const lease = (dialect: Dialect): string => `UPDATE webhook_delivery SET ${leased("?1", "?2", "?3")}
  WHERE id IN ${dialect.numbers("?4")}`

/** What a lease changes. */
export const leased = (until: string, id: string, owner: string): string =>
  `state = 'leased', claimed_due_at = due_at, due_at = ${until}, lease_id = ${id}, lease_owner = ${owner},
    claims = claims + 1`

/** The ids of the webhooks that are deleted but not purged yet, `(…)` to stand after `IN`. Most often there is none. */
export const deletedWebhooks = "(SELECT id FROM webhook WHERE deleted_at IS NOT NULL)"

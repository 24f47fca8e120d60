import type { Dialect } from "../dialect/Dialect.ts"
import * as DeliveryCancellation from "./DeliveryCancellation.ts"

/**
 * Returns the condition that a delivery may be sent in the order of its subject (D-EVT-3). A delivery without an
 * attempt waits for all earlier deliveries of its webhook and subject. Each of them must have had its first attempt, or
 * must have ended without one.
 */
export const maySend = (alias: string): string => `(${alias}.attempts > 0 OR NOT EXISTS (
    SELECT 1 FROM webhook_delivery AS earlier
    WHERE earlier.webhook_id = ${alias}.webhook_id AND earlier.subject = ${alias}.subject
      AND earlier.attempts = 0 AND earlier.in_line AND earlier.id < ${alias}.id
  ))`

/**
 * Returns the condition that deliveries of a webhook may be claimed: it is not deleted, and none of its deliveries wait
 * to be cancelled. `column` has the id of the webhook.
 */
export const isClaimable = (column: string): string =>
  `${column} NOT IN ${deletedWebhooks} AND ${DeliveryCancellation.hasNothingToCancel(column)}`

/**
 * How many deliveries of each webhook are examined at most, earliest due first, when a claim walks from webhook to
 * webhook (D-DEL-27).
 */
const windowLength = 256

/**
 * Returns the `SELECT` of all due deliveries that may be sent, earliest due first. Used while few deliveries are due.
 * `now` is a parameter, and `full` has the webhooks without a free place as `(…)`, to follow `IN`.
 */
export const front = (now: string, full: string, length: number): string => `SELECT delivery.id, delivery.webhook_id,
    delivery.account_id
  FROM (
    SELECT id, due_at, webhook_id FROM webhook_delivery WHERE due_at <= ${now} ORDER BY due_at, id LIMIT ${length}
  ) AS front CROSS JOIN webhook_delivery AS delivery
  WHERE front.webhook_id NOT IN ${full} AND ${isClaimable("front.webhook_id")}
    AND delivery.id = front.id AND ${maySend("delivery")}
  ORDER BY front.due_at, front.id`

/** Returns a `SELECT` that finds a row if more than `length` deliveries are due. `now` is a parameter. */
export const isLonger = (now: string, length: number): string =>
  `SELECT id FROM webhook_delivery WHERE due_at <= ${now} ORDER BY due_at, id LIMIT 1 OFFSET ${length}`

/** Returns the `SELECT` of the due deliveries of `open.line` that may be sent (`DeliveryWalk`). */
export const ofWebhook = (now: string, perWebhook: string): string => `SELECT id FROM (
        SELECT due.id FROM (
          SELECT id, due_at FROM webhook_delivery WHERE webhook_id = open.line AND due_at <= ${now}
          ORDER BY due_at, id LIMIT ${windowLength}
        ) AS near CROSS JOIN webhook_delivery AS due
        WHERE due.id = near.id AND ${maySend("due")}
        ORDER BY near.due_at, near.id LIMIT ${perWebhook}
      ) AS going
      UNION ALL
      SELECT due.id FROM (
        SELECT (
          SELECT min(line.id) FROM webhook_delivery AS line
          WHERE line.webhook_id = longest.webhook_id AND line.subject = longest.subject
            AND line.attempts = 0 AND line.in_line
        ) AS id FROM (
          SELECT webhook_id, subject FROM webhook_delivery WHERE webhook_id = open.line AND due_at <= ${now}
          ORDER BY due_at, id LIMIT 1
        ) AS longest
      ) AS candidate CROSS JOIN webhook_delivery AS due
      WHERE due.id = candidate.id AND due.due_at <= ${now}`

/**
 * Returns the statement that leases deliveries. Parameters: the end of the lease, its id, its owner, and the keys as a
 * JSON array.
 */
export const lease = (dialect: Dialect): string => `UPDATE webhook_delivery SET ${leased("?1", "?2", "?3")}
  WHERE id IN ${dialect.integers("?4")}`

/** Returns the assignments with which a lease changes a delivery. */
export const leased = (until: string, id: string, owner: string): string =>
  `state = 'leased', claimed_due_at = due_at, due_at = ${until}, lease_id = ${id}, lease_owner = ${owner},
    claims = claims + 1, ready_account_id = NULL`

/** The ids of the webhooks that are deleted but not yet purged, as `(…)` to follow `IN`. Usually there are none. */
export const deletedWebhooks = "(SELECT id FROM webhook WHERE deleted_at IS NOT NULL)"

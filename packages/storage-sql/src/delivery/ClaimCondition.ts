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
 * Returns the `SELECT` of the ids of due deliveries of the webhook `open.line` that may be sent, up to `count`. Rows are
 * read until there are as many, or until enough rows are read (D-DEL-27).
 *
 * A subject with more due deliveries than that hides the other deliveries of its webhook. It can also hide its own first
 * delivery: after a lease that delivery is due when the lease ended, later than the others. Therefore the first delivery
 * of the subject of the earliest due row is always examined.
 */
export const ofWebhook = (now: string, count: string): string => `SELECT id FROM (
        SELECT due.id FROM (
          SELECT id, due_at FROM webhook_delivery WHERE webhook_id = open.line AND due_at <= ${now}
          ORDER BY due_at, id LIMIT ${windowLength}
        ) AS near CROSS JOIN webhook_delivery AS due
        WHERE due.id = near.id AND ${maySend("due")}
        ORDER BY near.due_at, near.id LIMIT ${count}
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

/** Returns the assignments with which a lease changes a delivery. */
export const leased = (until: string, id: string, owner: string): string =>
  `state = 'leased', claimed_due_at = due_at, due_at = ${until}, lease_id = ${id}, lease_owner = ${owner},
    claims = claims + 1, ready_account_id = NULL`

/** The ids of the webhooks that are deleted but not yet purged, as `(…)` to follow `IN`. Usually there are none. */
export const deletedWebhooks = "(SELECT id FROM webhook WHERE deleted_at IS NOT NULL)"

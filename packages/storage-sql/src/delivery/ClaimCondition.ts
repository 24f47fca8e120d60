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
 * How many deliveries of each webhook are examined at most, earliest due first, when a claim goes through the webhooks
 * one by one (D-DEL-27).
 */
const windowLength = 256

/**
 * Returns the `SELECT` of the deliveries in a section of the queue that may be sent, earliest due first.
 *
 * Parameters: now, how many deliveries to skip, how many to examine, and the webhooks without free capacity as a JSON
 * array. Those webhooks are excluded by the index alone, so a large backlog of one of them costs little.
 */
export const front = (dialect: Dialect): string => `SELECT delivery.id, delivery.webhook_id
  FROM (
    SELECT id, due_at, webhook_id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?3 OFFSET ?2
  ) AS front CROSS JOIN webhook_delivery AS delivery
  WHERE front.webhook_id NOT IN ${dialect.integers("?4")} AND ${isClaimable("front.webhook_id")}
    AND delivery.id = front.id AND ${maySend("delivery")}
  ORDER BY front.due_at, front.id`

/** Finds a row if more than `?2` deliveries are due at the time `?1`. */
export const isLonger = "SELECT id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT 1 OFFSET ?2"

/** The `SELECT` of the deliveries of `open.webhook_id` that may be sent. See {@link byWebhook}. */
const ofWebhook = `SELECT id FROM (
        SELECT due.id FROM (
          SELECT id, due_at FROM webhook_delivery WHERE webhook_id = open.webhook_id AND due_at <= ?1
          ORDER BY due_at, id LIMIT ${windowLength}
        ) AS near CROSS JOIN webhook_delivery AS due
        WHERE due.id = near.id AND ${maySend("due")}
        ORDER BY near.due_at, near.id LIMIT ?4
      ) AS going
      UNION ALL
      SELECT due.id FROM (
        SELECT (
          SELECT min(line.id) FROM webhook_delivery AS line
          WHERE line.webhook_id = longest.webhook_id AND line.subject = longest.subject
            AND line.attempts = 0 AND line.in_line
        ) AS id FROM (
          SELECT webhook_id, subject FROM webhook_delivery WHERE webhook_id = open.webhook_id AND due_at <= ?1
          ORDER BY due_at, id LIMIT 1
        ) AS longest
      ) AS candidate CROSS JOIN webhook_delivery AS due
      WHERE due.id = candidate.id AND due.due_at <= ?1`

/** Returns the expression for the first account with a ready delivery above a given one. */
const nextAccount = (after: string): string =>
  `(SELECT min(ready_account_id) FROM webhook_delivery WHERE ready_account_id > ${after} AND due_at IS NOT NULL)`

/** The expression for the next webhook with a ready delivery in the account of `open`. */
const nextWebhook = `(SELECT min(webhook_id) FROM webhook_delivery
      WHERE ready_account_id = open.account_id AND webhook_id > open.webhook_id AND due_at IS NOT NULL)`

/**
 * Returns the `SELECT` of the ready deliveries in the whole queue that may be sent, earliest due first
 * (`ReadyDeliveries`). The recursive query `open` steps through the index of ready deliveries from account to account
 * and from webhook to webhook; it begins each account with the webhook 0. A webhook whose deliveries are all due later
 * costs nothing. For each webhook, rows are read until there are as many as it may have in flight, or until
 * `windowLength` rows are read.
 *
 * A subject with more than `windowLength` due deliveries hides the other deliveries of its webhook. It can also hide
 * its own first delivery: after a lease that delivery is due when the lease ended, later than the others. Therefore the
 * first delivery of the subject of the earliest due row is always examined.
 *
 * Parameters: now, how many deliveries are wanted, the webhooks without free capacity, and how many deliveries one
 * webhook may have in flight.
 */
export const byWebhook = (
  dialect: Dialect,
  full = dialect.integers("?3")
): string => `WITH RECURSIVE open (account_id, webhook_id) AS (
    SELECT ${nextAccount("0")}, CAST(0 AS bigint)
    UNION ALL
    SELECT CASE WHEN ${nextWebhook} IS NULL THEN ${nextAccount("open.account_id")} ELSE open.account_id END,
      coalesce(${nextWebhook}, 0)
    FROM open WHERE open.account_id IS NOT NULL
  )
  SELECT delivery.id, delivery.due_at, delivery.webhook_id
  ${dialect.fromEach({
    each: "open",
    condition: `open.webhook_id NOT IN ${full} AND ${isClaimable("open.webhook_id")}`,
    select: ofWebhook,
    table: "webhook_delivery",
    alias: "delivery"
  })}
  ORDER BY delivery.due_at, delivery.id LIMIT ?2`

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

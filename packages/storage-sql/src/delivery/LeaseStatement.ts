import type { Dialect } from "../dialect/Dialect.ts"
import * as ClaimCondition from "./ClaimCondition.ts"

/**
 * Returns the statement that chooses and leases deliveries, for a database with concurrent transactions.
 *
 * Parameters: now, how many deliveries to examine, how many each webhook has in flight as JSON, how many one webhook
 * may have in flight, how many deliveries are wanted, the end of the lease, its id, and its owner. The statement
 * returns one row: what was leased, how many deliveries the capacity of their webhooks would allow, and whether there
 * may be more deliveries than it examined.
 *
 * Rows that another claim is leasing are skipped, so claims never wait for each other. Each step is MATERIALIZED, so
 * that only leased rows are locked. A row that another claim leased after this statement began is left out when it is
 * locked, because its due time has changed.
 */
const lease = (dialect: Dialect, front: string): string => `WITH front AS MATERIALIZED (${front}),
  candidate AS MATERIALIZED (
    SELECT id, due_at, webhook_id, subject, attempts FROM webhook_delivery
    WHERE ${dialect.isOneOfRows(
      "id",
      `SELECT id FROM front WHERE webhook_id NOT IN (${fullWebhooks(dialect)}) AND ${ClaimCondition.isClaimable("webhook_id")}`
    )}
  ),
  going AS MATERIALIZED (
    SELECT candidate.id, coalesce(busy.count, 0)
      + row_number() OVER (PARTITION BY candidate.webhook_id ORDER BY candidate.due_at, candidate.id) AS place
    FROM candidate LEFT JOIN ${takenPlaces(dialect)} ON busy.webhook_id = candidate.webhook_id
    WHERE ${ClaimCondition.maySend("candidate")}
  ),
  locked AS MATERIALIZED (
    SELECT id FROM webhook_delivery
    WHERE ${dialect.isOneOfRows("id", "SELECT id FROM going WHERE place <= ?4")} AND due_at <= ?1
    ORDER BY due_at, id LIMIT ?5 FOR UPDATE SKIP LOCKED
  ),
  leased AS (
    UPDATE webhook_delivery SET ${ClaimCondition.leased("?6", "?7", "?8")}
    WHERE ${dialect.isOneOfRows("id", "SELECT id FROM locked")} RETURNING id, webhook_id
  )
  SELECT (SELECT ${dialect.collect(["id", "webhook_id"], "id")} FROM leased) AS leased,
    (SELECT count(*) FROM going WHERE place <= ?4) AS eligible, (SELECT count(*) FROM front) >= ?2 AS is_longer`

const takenPlaces = (dialect: Dialect): string =>
  dialect.records("busy", "?3", { webhook_id: "integer", count: "integer" })

/** Returns the `SELECT` of the webhooks without a free place. */
const fullWebhooks = (dialect: Dialect): string => `SELECT webhook_id FROM ${takenPlaces(dialect)} WHERE count >= ?4`

/**
 * Returns the statement that leases deliveries from the front of the queue. The length is part of the text: for a
 * parameter PostgreSQL would assume a tenth of all rows, and plan each claim of a long queue again (D-PG-17). Planning
 * takes longer than the claim.
 */
export const front = (dialect: Dialect, length: number): string =>
  lease(
    dialect,
    `SELECT id, due_at, webhook_id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ${length}`
  )

/** Returns the statement that leases deliveries from the whole queue, webhook by webhook. */
export const byWebhook = (dialect: Dialect): string =>
  lease(dialect, ClaimCondition.byWebhook(dialect, `(${fullWebhooks(dialect)})`))

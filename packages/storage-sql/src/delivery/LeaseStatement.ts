import type { Dialect } from "../dialect/Dialect.ts"
import * as ClaimCondition from "./ClaimCondition.ts"

/**
 * Chooses and leases in one statement, for a database with many transactions at once.
 *
 * Parameters: now, how many deliveries are looked at, what each webhook has in flight as JSON, how many it may have, how
 * many are wanted, the lease's end, its id, and its owner. Answers one row: what was leased, how many there was room for
 * by the webhooks alone, and whether there may be more than was looked at.
 *
 * What another process is leasing at the moment is passed over, so nobody waits. Each step is materialized, so that no
 * row is locked that is not leased. What was free when the statement began and is not any more is left out as it is
 * locked: its due time has moved.
 */
const lease = (dialect: Dialect, front: string): string => `WITH front AS MATERIALIZED (${front}),
  going AS MATERIALIZED (
    SELECT front.id, front.due_at, coalesce(busy.count, 0)
      + row_number() OVER (PARTITION BY front.webhook_id ORDER BY front.due_at, front.id) AS place
    FROM front
    CROSS JOIN webhook_delivery AS delivery
    LEFT JOIN ${inFlight(dialect)} ON busy.webhook_id = front.webhook_id
    WHERE delivery.id = front.id AND coalesce(busy.count, 0) < ?4 AND ${ClaimCondition.isOpen("front.webhook_id")}
      AND ${ClaimCondition.mayGo("delivery")}
  ),
  held AS MATERIALIZED (
    SELECT delivery.id FROM going CROSS JOIN webhook_delivery AS delivery
    WHERE going.place <= ?4 AND delivery.id = going.id AND delivery.due_at <= ?1
    ORDER BY going.due_at, going.id LIMIT ?5 FOR UPDATE OF delivery SKIP LOCKED
  ),
  leased AS (
    UPDATE webhook_delivery SET ${ClaimCondition.leased("?6", "?7", "?8")}
    FROM held WHERE webhook_delivery.id = held.id RETURNING webhook_delivery.id, webhook_id
  )
  SELECT (SELECT ${dialect.collect(["id", "webhook_id"], "id")} FROM leased) AS leased,
    (SELECT count(*) FROM going WHERE place <= ?4) AS eligible, (SELECT count(*) FROM front) >= ?2 AS is_longer`

const inFlight = (dialect: Dialect): string =>
  dialect.records("busy", "?3", { webhook_id: "integer", count: "integer" })

/**
 * Leases from the front of the queue. Its length stands in the text: of a parameter PostgreSQL assumes a tenth of all
 * rows, and so plans each claim of a long queue anew, which takes longer than the claim.
 */
export const front = (dialect: Dialect, length: number): string =>
  lease(
    dialect,
    `SELECT id, due_at, webhook_id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ${length}`
  )

/** Leases from the whole queue, webhook by webhook. */
export const everywhere = (dialect: Dialect): string =>
  lease(dialect, ClaimCondition.everywhere(dialect, `(SELECT webhook_id FROM ${inFlight(dialect)} WHERE count >= ?4)`))

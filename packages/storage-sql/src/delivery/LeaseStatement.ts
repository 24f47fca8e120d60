import { placesPerFreePlace } from "@frontdesk/core/background/FairShare"
import type { Dialect } from "../dialect/Dialect.ts"
import * as ReadyWalk from "../storage/ReadyWalk.ts"
import * as ClaimCondition from "./ClaimCondition.ts"
import * as DeliveryWalk from "./DeliveryWalk.ts"

interface Source {
  /** The recursive queries that `front` uses. */
  readonly queries: string
  /** The `SELECT` of the deliveries to choose from, with `id`. */
  readonly front: string
  /** The condition under which deliveries are leased. It is checked before they are read. */
  readonly condition: string
  /** Further columns of the result. */
  readonly columns: string
}

/**
 * Returns the statement that chooses and leases deliveries, for a database with concurrent transactions.
 *
 * Parameters: now, how many places each webhook and each account has as JSON, how many places one webhook may have,
 * how many places are free, the end of the lease, its id, and its owner. The statement returns one row: what was leased,
 * and how many deliveries would have been without other claims.
 *
 * The free places are shared like in `FairShare.choose`: `line`, `level` and `position` are the number of places that
 * the webhook, the account and the claim have when a delivery gets one.
 *
 * Rows that another claim is leasing are skipped, so claims never wait for each other. Each step is MATERIALIZED, so
 * that few rows are locked. A row that another claim leased after this statement began is left out when it is
 * locked, because its due time has changed.
 */
const lease = (dialect: Dialect, { columns, condition, front, queries }: Source): string => `WITH ${queries}
  front AS MATERIALIZED (${front}),
  candidate AS MATERIALIZED (
    SELECT id, due_at, webhook_id, account_id, subject, attempts FROM webhook_delivery
    WHERE ${condition} AND ${dialect.isOneOfRows(
      "id",
      `SELECT id FROM front WHERE webhook_id NOT IN ${fullWebhooks(dialect)} AND ${ClaimCondition.isClaimable("webhook_id")}`
    )}
  ),
  lined AS MATERIALIZED (
    SELECT candidate.id, candidate.due_at, candidate.account_id, coalesce(busy.count, 0)
      + row_number() OVER (PARTITION BY candidate.webhook_id ORDER BY candidate.due_at, candidate.id) AS line
    FROM candidate LEFT JOIN ${takenPlaces(dialect)} ON busy.webhook_id = candidate.webhook_id
    WHERE ${ClaimCondition.maySend("candidate")}
  ),
  levelled AS MATERIALIZED (
    SELECT lined.id, lined.due_at, coalesce(own.count, 0)
      + row_number() OVER (PARTITION BY lined.account_id ORDER BY lined.line, lined.due_at, lined.id) AS level
    FROM lined LEFT JOIN ${takenByAccount(dialect)} ON own.account_id = lined.account_id WHERE lined.line <= ?4
  ),
  shared AS MATERIALIZED (
    SELECT id, level, row_number() OVER (ORDER BY level, due_at, id) AS position FROM levelled
  ),
  locked AS MATERIALIZED (
    SELECT id FROM webhook_delivery
    WHERE ${dialect.isOneOfRows("id", "SELECT id FROM shared")} AND due_at <= ?1
    ORDER BY array_position(ARRAY(SELECT id FROM shared ORDER BY position), id) LIMIT ?5 FOR UPDATE SKIP LOCKED
  ),
  chosen AS MATERIALIZED (
    SELECT id, level, row_number() OVER (ORDER BY position) AS position FROM shared WHERE id IN (SELECT id FROM locked)
  ),
  leased AS (
    UPDATE webhook_delivery SET ${ClaimCondition.leased("?6", "?7", "?8")}
    WHERE ${dialect.isOneOfRows("id", `SELECT id FROM chosen WHERE ${mayTake}`)} RETURNING id, webhook_id, account_id
  )
  SELECT (SELECT ${dialect.collect(["id", "webhook_id", "account_id"], "id")} FROM leased) AS leased,
    (SELECT count(*) FROM shared WHERE position <= ?5 AND ${mayTake}) AS eligible, ${columns}`

/** The condition that the delivery at `position` may get a place, like `FairShare.mayTake`. */
const mayTake = `level - 1 < ${placesPerFreePlace} * (?5 - position + 1)`

const takenPlaces = (dialect: Dialect): string =>
  dialect.records("busy", "?2", { webhook_id: "integer", count: "integer" })

const takenByAccount = (dialect: Dialect): string =>
  dialect.records("own", "?3", { account_id: "integer", count: "integer" })

/** Returns the `SELECT` of the webhooks without a free place, as `(…)` to follow `IN`. */
const fullWebhooks = (dialect: Dialect): string => `(SELECT webhook_id FROM ${takenPlaces(dialect)} WHERE count >= ?4)`

/** Returns the `SELECT` of the accounts that may get no place, as `(…)` to follow `IN`. */
const fullAccounts = (dialect: Dialect): string =>
  `(SELECT account_id FROM ${takenByAccount(dialect)} WHERE count >= ${placesPerFreePlace} * ?5)`

/**
 * Returns the statement that leases deliveries if at most `length` are due. `is_longer` is true if more are due. The
 * length is part of the text: for a parameter PostgreSQL would assume a tenth of all rows, and plan each claim of a long
 * queue again (D-PG-17). Planning takes longer than the claim.
 */
export const front = (dialect: Dialect, length: number): string =>
  lease(dialect, {
    queries: "",
    front: `SELECT id, webhook_id FROM webhook_delivery WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ${length + 1}`,
    condition: `(SELECT count(*) FROM front) <= ${length}`,
    columns: `(SELECT count(*) FROM front) > ${length} AS is_longer`
  })

/**
 * Returns the statement that leases deliveries on a walk (`ReadyWalk`). Further parameters: the account and the webhook
 * from which it continues, and how many steps it has. It also returns where the walk has ended, whether more than
 * `length` deliveries are due, and whether some of them are not ready (`ReadyDeliveries`).
 */
export const walk = (dialect: Dialect, length: number): string => {
  const parameters: ReadyWalk.Parameters = {
    fullAccounts: fullAccounts(dialect),
    from: { accountId: "?9", line: "?10" },
    maxSteps: "?11"
  }
  return lease(dialect, {
    queries: `RECURSIVE ${ReadyWalk.open(DeliveryWalk.table, parameters)},`,
    front: DeliveryWalk.candidates(dialect, {
      now: "?1",
      perWebhook: "least(?4, ?5)",
      fullWebhooks: fullWebhooks(dialect)
    }),
    condition: "TRUE",
    columns: `${ReadyWalk.last(parameters)},
      EXISTS (${ClaimCondition.isLonger("?1", length)}) AS is_longer,
      EXISTS (SELECT 1 FROM webhook_delivery WHERE ready_account_id IS NULL AND due_at <= ?1) AS is_some_waiting`
  })
}

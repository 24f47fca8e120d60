import { placesPerFreePlace } from "@frontdesk/core/background/FairShare"
import type { Dialect } from "../dialect/Dialect.ts"
import * as CandidateStatement from "./CandidateStatement.ts"
import type { ClaimQueue } from "./ClaimQueue.ts"

const { free, now, perLine } = CandidateStatement

/**
 * Returns the statement that chooses and leases rows, for a database with concurrent transactions. It returns one row:
 * what was leased, and how many rows would have been without other claims. The parameters of the lease follow those of
 * the candidates.
 *
 * Rows that another claim is leasing are skipped, so claims never wait for each other. In their place it locks the next
 * ones in the order in which `FairShare` gives places, and then shares the places among those that it has locked. As many
 * rows are locked as are leased, unless others were skipped. A row that another claim leased after this statement began is
 * left out when it is locked, because its due time has changed.
 *
 * Each step is MATERIALIZED, so that no row is locked twice or in another order. Each row is locked by its own look-up,
 * because PostgreSQL would lock all rows of a join before it ends at the limit.
 */
export const make = (
  dialect: Dialect,
  queue: ClaimQueue,
  { columns, parameterCount, queries, select }: CandidateStatement.Candidates
): string => {
  const { condition, lease, line, lineKey, name } = queue
  const eligible = `(SELECT count(*) FROM shared WHERE ${mayTake})`
  return `WITH RECURSIVE ${queries},
  candidate AS MATERIALIZED (${select}),
  shared AS MATERIALIZED (${shareOf("candidate")}),
  locked AS MATERIALIZED (
    SELECT taken.id FROM (SELECT id FROM shared ORDER BY position) AS next CROSS JOIN LATERAL (
      SELECT id FROM ${name} WHERE id = next.id AND ${condition} AND due_at <= ${now} FOR UPDATE SKIP LOCKED
    ) AS taken LIMIT ${eligible}
  ),
  available AS MATERIALIZED (SELECT * FROM candidate WHERE id IN (SELECT id FROM locked)),
  chosen AS MATERIALIZED (${shareOf("available")}),
  leased AS (
    UPDATE ${name} SET ${lease((index) => `?${parameterCount + 1 + index}`)}
    WHERE ${dialect.isOneOfRows("id", `SELECT id FROM chosen WHERE ${mayTake}`)}
    RETURNING id, account_id, ${lineKey("account_id", line)} AS line
  )
  SELECT (SELECT ${dialect.collect(["id", "account_id", "line"], "id")} FROM leased) AS leased,
    ${eligible} AS eligible, ${columns}`
}

/**
 * Returns the `SELECT` that shares the free places among rows like `FairShare.choose`. `place`, `level` and `position`
 * are the number of places that the line, the account and the claim have when a row gets one. The rows for which a line
 * has no place come last.
 */
const shareOf = (rows: string): string => `SELECT id, place, level,
    row_number() OVER (ORDER BY place > ${perLine}, level, due_at, id) AS position
  FROM (
    SELECT placed.id, placed.due_at, placed.place, coalesce(taken_account.count, 0) + row_number() OVER (
        PARTITION BY placed.account_id ORDER BY placed.place, placed.due_at, placed.id
      ) AS level
    FROM (
      SELECT waiting.id, waiting.due_at, waiting.account_id, coalesce(taken_line.count, 0) + row_number() OVER (
          PARTITION BY waiting.line ORDER BY waiting.due_at, waiting.id
        ) AS place
      FROM ${rows} AS waiting LEFT JOIN taken_line ON taken_line.line = waiting.line
    ) AS placed
    LEFT JOIN taken_account ON taken_account.account_id = placed.account_id
  ) AS levelled`

/** The condition that the row at `position` may get a place (`FairShare.mayTake`). */
const mayTake = `place <= ${perLine} AND level - 1 < ${placesPerFreePlace} * (${free} - position + 1)`

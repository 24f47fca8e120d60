import { placesPerFreePlace } from "@frontdesk/core/background/FairShare"
import type { Dialect } from "../dialect/Dialect.ts"
import type { ClaimQueue, ClaimRequest } from "./ClaimQueue.ts"
import * as ReadyWalk from "./ReadyWalk.ts"

/** The parts of a statement that finds the rows from which a claim chooses. */
export interface Candidates {
  /** The queries to follow `WITH RECURSIVE` that the other parts use. */
  readonly queries: string
  /** The `SELECT` of the candidates: `id`, `due_at`, `account_id`, and the key of their `line`. */
  readonly select: string
  /**
   * Further columns of the result: whether more rows are due than a claim examines without a walk (`is_longer`), where
   * the walk has ended, and whether some due rows are not ready (`is_some_waiting`).
   */
  readonly columns: string
  /** The number of parameters. */
  readonly parameterCount: number
}

/** Returns the parameters of every statement of a claim. A walk has further ones. */
export const parameters = (dialect: Dialect, { now, places }: ClaimRequest): ReadonlyArray<unknown> => [
  dialect.time(now),
  JSON.stringify([...places.takenByLine].map(([line, count]) => ({ line, count }))),
  JSON.stringify([...places.takenByAccount].map(([account_id, count]) => ({ account_id, count }))),
  places.perLine,
  places.free
]

/** The time of the claim. */
export const now = "?1"

/** How many places one line may have. */
export const perLine = "CAST(?4 AS bigint)"

/** How many places are free. */
export const free = "CAST(?5 AS bigint)"

/** The queries `taken_line` and `taken_account`: the number of places that each line and each account has. */
const taken = (dialect: Dialect, { keyType }: ClaimQueue): string =>
  `taken_line AS MATERIALIZED (
    SELECT line, count FROM ${dialect.records("record", "?2", { line: keyType, count: "integer" })}
  ),
  taken_account AS MATERIALIZED (
    SELECT account_id, count FROM ${dialect.records("record", "?3", { account_id: "integer", count: "integer" })}
  )`

/** The lines without a free place. */
const fullLines = `(SELECT line FROM taken_line WHERE count >= ${perLine})`

/** The accounts that may get no place (`FairShare.mayTake`). */
const fullAccounts = `(SELECT account_id FROM taken_account WHERE count >= ${placesPerFreePlace} * ${free})`

const columnsOf = ({ line, lineKey }: ClaimQueue): string =>
  `found.id, found.due_at, found.account_id, ${lineKey("found.account_id", `found.${line}`)} AS line`

/**
 * Returns the statement for up to `length` due rows, which are all candidates. If more rows are due there is no
 * candidate. The length is part of the text: for a parameter PostgreSQL would assume a tenth of all rows, and plan each
 * claim of a long queue again (D-PG-17). Planning takes longer than the claim.
 */
export const front = (dialect: Dialect, queue: ClaimQueue, length: number): Candidates => {
  const { condition, isClaimable, line, lineKey, mayClaim, name } = queue
  const claimable = `SELECT front.id FROM front WHERE ${isClaimable("front.line")}`
  return {
    queries: `front AS MATERIALIZED (
      SELECT id, ${line} AS line FROM ${name} WHERE ${condition} AND due_at <= ${now}
      ORDER BY due_at, id LIMIT ${length + 1}
    ), ${taken(dialect, queue)}`,
    select: `SELECT ${columnsOf(queue)} FROM ${name} AS found
      WHERE (SELECT count(*) FROM front) <= ${length} AND ${dialect.isOneOfRows("found.id", claimable)}
        AND ${lineKey("found.account_id", `found.${line}`)} NOT IN ${fullLines}
        AND found.account_id NOT IN ${fullAccounts} AND ${mayClaim("found")}`,
    columns: `(SELECT count(*) FROM front) > ${length} AS is_longer,
      CAST(NULL AS bigint) AS last_account, ${lineOrNull(queue)} AS last_line, FALSE AS is_some_waiting`,
    parameterCount: 5
  }
}

const lineOrNull = ({ keyType }: ClaimQueue): string => `CAST(NULL AS ${keyType === "text" ? "text" : "bigint"})`

/** About how many candidates a walk finds for each free place. */
const candidatesPerPlace = 4

/**
 * Returns the statement for the ready rows on a walk. Further parameters: how many rows of each line are candidates at
 * most, the account and the line after which the walk begins, how many steps it has, and how many times as many rows it
 * finds as usual.
 *
 * The more lines there are, the fewer rows of each are candidates: about {@link candidatesPerPlace} for each free place,
 * shared by the lines. So an account with few lines may get its share in several claims.
 */
export const walk = (dialect: Dialect, queue: ClaimQueue, length: number): Candidates => {
  const { condition, isClaimable, lineKey, name, ofLine } = queue
  const parameters: ReadyWalk.Parameters = {
    fullAccounts,
    from: { accountId: "?7", line: "?8" },
    maxSteps: "?9"
  }
  const isOpen = `${lineKey("open.account", "open.line")} NOT IN ${fullLines}`
  const most = "CAST(?6 AS bigint)"
  const share = `(SELECT 1 + ${candidatesPerPlace} * ${free} * CAST(?10 AS bigint) / (1 + count(*))
      FROM open WHERE ${ReadyWalk.isLine(parameters)})`
  // Not EXISTS, for which PostgreSQL may read the whole table.
  const first = (
    rows: string,
    offset: number
  ) => `(SELECT id FROM ${name} WHERE ${condition} AND due_at <= ${now} ${rows}
        ORDER BY due_at, id LIMIT 1 OFFSET ${offset})`
  return {
    queries: `${ReadyWalk.open(queue, parameters)}, ${taken(dialect, queue)}`,
    select: `SELECT ${columnsOf(queue)} ${dialect.fromEach({
      each: "open",
      condition: `${ReadyWalk.isLine(parameters)} AND ${isOpen} AND ${isClaimable("open.line")}`,
      select: ofLine(now, `CASE WHEN ${share} < ${most} THEN ${share} ELSE ${most} END`),
      table: name,
      alias: "found"
    })}`,
    columns: `${first("", length)} IS NOT NULL AS is_longer, ${ReadyWalk.last(parameters)},
      ${first("AND ready_account_id IS NULL", 0)} IS NOT NULL AS is_some_waiting`,
    parameterCount: 10
  }
}

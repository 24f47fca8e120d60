import type { ClaimQueue, Line } from "./ClaimQueue.ts"

/** Where a walk continues: after this line of this account. */
export interface Position {
  readonly accountId: number
  readonly line: Line
}

/** Returns the position from which a walk begins with the first account. */
export const start = ({ beforeFirst }: ClaimQueue): Position => ({ accountId: 0, line: beforeFirst })

/** Returns whether a walk from this position begins with the first account. */
export const isStart = ({ accountId }: Position): boolean => accountId === 0

/** Returns the position after a walk with this last step; without one it has reached its end. */
export const after = (queue: ClaimQueue, accountId: number | null, line: Line | null): Position =>
  accountId === null || line === null ? start(queue) : { accountId, line }

/**
 * Returns how many steps a claim walks at most. A step leads to a line, and an account has at most 100 webhooks. A claim of
 * more rows may walk further, so that it can find them in as many accounts (D-DEL-31).
 */
export const maxSteps = (free: number): number => 128 + 4 * free

/** The parameters of a walk. */
export interface Parameters {
  /** The `SELECT` of the accounts that may get no place, as `(…)` to follow `IN`. */
  readonly fullAccounts: string
  readonly from: { readonly accountId: string; readonly line: string }
  readonly maxSteps: string
}

/**
 * Returns the recursive query `open (account, line, step)`, to follow `WITH RECURSIVE`. It steps through the index of
 * ready rows from line to line, and so from account to account. Lines whose rows are all due later cost nothing, and an
 * account that may get no place costs one step.
 */
export const open = (queue: ClaimQueue, { from, fullAccounts, maxSteps }: Parameters): string => {
  const { beforeFirst, condition, line, lineAfter, lineParameter, name } = queue
  const first = typeof beforeFirst === "number" ? beforeFirst : `'${beforeFirst}'`
  const isFull = `open.account IN ${fullAccounts}`
  // Not ">", for which SQLite reads all rows of the last line again.
  const nextFrom = `(open.account + CASE WHEN ${isFull} THEN 1 ELSE 0 END,
        CASE WHEN ${isFull} THEN ${first} ELSE ${lineAfter("open.line")} END)`
  // Not min(), for which PostgreSQL reads all rows if its statistics are from a time when few rows were ready.
  const next = (column: string): string => `(SELECT ${column} FROM ${name}
      WHERE (ready_account_id, ${line}) >= ${nextFrom} AND ready_account_id IS NOT NULL AND ${condition}
      ORDER BY ready_account_id, ${line} LIMIT 1)`
  return `open (account, line, step) AS (
    SELECT CAST(${from.accountId} AS bigint), ${lineParameter(from.line)}, 0
    UNION ALL
    SELECT ${next("ready_account_id")}, ${next(line)}, step + 1
    FROM open WHERE open.account IS NOT NULL AND step < ${maxSteps}
  )`
}

/** Returns the condition that a step of `open` has led to a line that may get places. */
export const isLine = ({ fullAccounts }: Parameters): string =>
  `open.step > 0 AND open.account IS NOT NULL AND open.account NOT IN ${fullAccounts}`

/** Returns the columns `last_account` and `last_line` of the last step. They are NULL when the walk has reached its end. */
export const last = ({ maxSteps }: Parameters): string =>
  ["account", "line"].map((name) => `(SELECT ${name} FROM open WHERE step = ${maxSteps}) AS last_${name}`).join(", ")

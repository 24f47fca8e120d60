import * as Context from "effect/Context"

/** Up to how many due rows a claim examines all of them. If more are due, it walks from account to account. */
export const FrontLength = Context.Reference<number>("@frontdesk/storage-sql/storage/ReadyWalk/FrontLength", {
  defaultValue: () => 128
})

/** A table whose rows wait to be claimed, with an index of the ready ones by account and line. */
export interface Table {
  readonly name: string
  /** The column with the line of a row, such as its webhook. */
  readonly line: string
  /** The condition of the index. */
  readonly condition: string
  /** The value before the first line of each account. */
  readonly beforeFirst: number | string
  /** Returns a parameter with a line as a value of the type of the column. */
  readonly parameter: (parameter: string) => string
}

/** Where a walk continues: after this line of this account. */
export interface Position {
  readonly accountId: number
  readonly line: number | string
}

/** Returns the position from which a walk begins with the first account. */
export const start = ({ beforeFirst }: Table): Position => ({ accountId: 0, line: beforeFirst })

/** Returns the position after a walk with this last step; without one it has reached its end. */
export const after = (table: Table, accountId: number | null, line: number | string | null): Position =>
  accountId === null || line === null ? start(table) : { accountId, line }

/** Returns whether a walk from this position begins with the first account. */
export const isStart = ({ accountId }: Position): boolean => accountId === 0

/**
 * Returns how many steps a claim walks at most. A step leads to an account or to one of its lines. A claim of more rows
 * may walk further, so that it can find them in as many accounts (D-DEL-31).
 */
export const maxSteps = (limit: number): number => 256 + 4 * limit

/** The parameters of a walk. */
export interface Parameters {
  /** The accounts that may get no place, as `(…)` to follow `IN`. */
  readonly fullAccounts: string
  readonly from: { readonly accountId: string; readonly line: string }
  readonly maxSteps: string
}

/**
 * Returns the recursive query `open (account, line, step)`, to follow `WITH RECURSIVE`. It steps through the
 * index of ready rows from account to account, and from line to line within an account. Lines whose rows are all due
 * later cost nothing, and an account that may get no place costs one step.
 */
export const open = (
  { beforeFirst, condition, line, name, parameter }: Table,
  { from, fullAccounts, maxSteps }: Parameters
): string => {
  const nextAccount = `(SELECT min(ready_account_id) FROM ${name}
      WHERE ready_account_id > open.account AND ${condition})`
  const nextLine = `(SELECT min(${line}) FROM ${name}
      WHERE ready_account_id = open.account AND ${line} > open.line AND ${condition}
        AND open.account NOT IN ${fullAccounts})`
  const first = typeof beforeFirst === "number" ? beforeFirst : `'${beforeFirst}'`
  return `open (account, line, step) AS (
    SELECT CAST(${from.accountId} AS bigint), ${parameter(from.line)}, 0
    UNION ALL
    SELECT CASE WHEN ${nextLine} IS NULL THEN ${nextAccount} ELSE open.account END, coalesce(${nextLine}, ${first}),
      step + 1
    FROM open WHERE open.account IS NOT NULL AND step < ${maxSteps}
  )`
}

/** Returns the columns `last_account` and `last_line` of the last step. They are NULL when the walk has reached its end. */
export const last = ({ maxSteps }: Parameters): string =>
  ["account", "line"].map((name) => `(SELECT ${name} FROM open WHERE step = ${maxSteps}) AS last_${name}`).join(", ")

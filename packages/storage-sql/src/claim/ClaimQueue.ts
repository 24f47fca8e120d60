import type * as FairShare from "@frontdesk/core/background/FairShare"
import type { AccountId } from "@frontdesk/core/access/Account"
import type * as DateTime from "effect/DateTime"

/** A line of a queue, such as a webhook. */
export type Line = number | string

/**
 * A table whose rows wait to be claimed. `due_at` is the time from which a row may be claimed, and `ready_account_id` is
 * its account if the row is ready, which means that a claim finds it by its line. Conditions and expressions are SQL.
 */
export interface ClaimQueue {
  /** The name of the table. */
  readonly name: string
  /** The column with the line of a row. */
  readonly line: string
  /** The value before the first line of each account. */
  readonly beforeFirst: Line
  /** Returns a parameter with a line as a value of the type of the column. */
  readonly lineParameter: (parameter: string) => string
  /** Returns a value that is greater than a line, and not greater than the next one. */
  readonly lineAfter: (line: string) => string
  /** The type of the keys of lines. */
  readonly keyType: "integer" | "text"
  /** Returns the key of a line of an account. No other account has a line with this key. */
  readonly lineKey: (account: string, line: string) => string
  /** The condition that a row waits. The indexes of the table have it. */
  readonly condition: string
  /** Returns the condition that rows of a line may be claimed. */
  readonly isClaimable: (line: string) => string
  /** Returns the condition that a row may be claimed. `alias` names the row. */
  readonly mayClaim: (alias: string) => string
  /**
   * Returns the `SELECT` of the ids of rows in the line `open.line` of the account `open.account` that are due and may be
   * claimed, longest due first, up to `count`.
   */
  readonly ofLine: (now: string, count: string) => string
  /** Returns the assignments of a lease. `parameter` returns the parameters of `ClaimRequest.lease` by their index. */
  readonly lease: (parameter: (index: number) => string) => string
}

/** Which rows a claim may lease. */
export interface ClaimRequest {
  readonly now: DateTime.Utc
  readonly places: FairShare.Places<AccountId, Line>
  /** The parameters of the lease, such as its end. */
  readonly lease: ReadonlyArray<unknown>
}

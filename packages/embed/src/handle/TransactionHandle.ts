import type { HostClient, HostResult } from "@frontdesk/storage-postgres/host/HostClient"
import { member } from "../Foreign.ts"

/** An open transaction of another library than node-postgres, for `frontdesk.join`. `fromKysely` and others make one. */
export interface TransactionHandle {
  /** Returns the connection of the transaction. The same transaction always has the same object. */
  readonly hostClient: () => Promise<HostClient>
}

/** Returns whether a value is a {@link TransactionHandle}. */
export const isTransactionHandle = (value: unknown): value is TransactionHandle =>
  typeof member(value, "hostClient") === "function"

/** Returns the result of a statement whose rows a library returned as objects. Without a row the columns are unknown. */
export const resultOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): HostResult => {
  const names = Object.keys(rows[0] ?? {})
  return {
    rows: rows.map((row) => names.map((name) => row[name])),
    fields: names.map((name) => ({ name })),
    command: ""
  }
}

/** Returns the error of a value that is not the transaction of a library. */
export const notATransaction = (maker: string, expected: string): TypeError =>
  new TypeError(`${maker} needs ${expected}. Pass the value that the library gives to the function of the transaction`)

/** Returns whether a value is a connection of node-postgres, and not a pool. */
export const isHostClient = (value: unknown): value is HostClient =>
  typeof member(value, "query") === "function" && member(value, "connection") !== undefined

import type { CallerOptions } from "./options.ts"
import type { AccountServices } from "./services.ts"

/** The rows of a statement. */
export interface QueryResult<Row> {
  readonly rows: Array<Row>
}

/** Runs statements of the program in a transaction. With a pool of the program it is one of its connections. */
export interface TransactionClient {
  // oxlint-disable-next-line typescript/no-explicit-any -- Drivers declare rows so, and a program knows its columns.
  query<Row = any>(text: string, values?: Array<unknown>): Promise<QueryResult<Row>>
}

/** What `frontdesk.transaction` gives to the work of the program. */
export interface OpenTransaction {
  readonly client: TransactionClient
  /** Like `frontdesk.as`, in the transaction. */
  readonly as: (account: number | string, options?: CallerOptions) => AccountServices
}

/** Frontdesk in a transaction that the program has begun. */
export interface Joined {
  /** Like `frontdesk.as`, in the transaction. A call that fails leaves the transaction usable. */
  readonly as: (account: number | string, options?: CallerOptions) => AccountServices
  /**
   * Notifies the workers of what was stored. Call it after the commit, also when the connection was released. Without it the
   * workers find the work at their next poll.
   */
  readonly committed: () => Promise<void>
}

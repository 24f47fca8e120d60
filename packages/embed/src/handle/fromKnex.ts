import { member } from "../Foreign.ts"
import { isHostClient, notATransaction, type TransactionHandle } from "./TransactionHandle.ts"

/** A transaction of Knex, as far as {@link fromKnex} uses it. */
export interface KnexTransaction {
  readonly client: { acquireConnection(): Promise<unknown> }
  isCompleted(): boolean
}

/**
 * Returns the transaction of Knex for `frontdesk.join`. Knex must use the driver `pg`. Throws a `TypeError` for a value
 * that is not a transaction.
 *
 * ```ts
 * const joined = await knex.transaction(async (trx) => {
 *   const joined = frontdesk.join(fromKnex(trx))
 *   await joined.as("acme").contacts.patch(7, { stage: "customer" })
 *   return joined
 * })
 * await joined.committed()
 * ```
 */
export const fromKnex = (transaction: KnexTransaction): TransactionHandle => {
  const expected = 'a transaction of Knex with the client "pg"'
  if (typeof member(transaction, "isCompleted") !== "function") throw notATransaction("fromKnex", expected)
  return {
    hostClient: async () => {
      if (transaction.isCompleted()) throw new Error("The transaction of Knex has ended")
      const connection = await transaction.client.acquireConnection()
      if (isHostClient(connection)) return connection
      throw notATransaction("fromKnex", expected)
    }
  }
}

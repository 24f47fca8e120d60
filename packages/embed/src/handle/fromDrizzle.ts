import { member } from "../Foreign.ts"
import { isHostClient, notATransaction, type TransactionHandle } from "./TransactionHandle.ts"

/**
 * Returns the transaction of Drizzle for `frontdesk.join`. The database must be one of `drizzle-orm/node-postgres`.
 * Throws a `TypeError` for another value.
 *
 * ```ts
 * const joined = await db.transaction(async (tx) => {
 *   const joined = frontdesk.join(fromDrizzle(tx))
 *   await joined.as("acme").contacts.patch(7, { stage: "customer" })
 *   return joined
 * })
 * await joined.committed()
 * ```
 *
 * @param transaction what `db.transaction` gives to its function
 */
export const fromDrizzle = (transaction: object): TransactionHandle => {
  // Its declarations do not mention the session, whose client is the connection.
  const client = member(member(transaction, "session"), "client")
  // A pool has no connection of its own: a database outside a transaction, whose statements run on any connection.
  if (!isHostClient(client)) throw notATransaction("fromDrizzle", "a transaction of drizzle-orm/node-postgres")
  return { hostClient: () => Promise.resolve(client) }
}

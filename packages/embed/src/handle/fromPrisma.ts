import type { HostClient } from "@frontdesk/storage-postgres/host/HostClient"
import { member } from "../Foreign.ts"
import { notATransaction, resultOf, type TransactionHandle } from "./TransactionHandle.ts"

/** A transaction of Prisma, as far as {@link fromPrisma} uses it. */
export interface PrismaTransaction {
  // oxlint-disable-next-line typescript/no-explicit-any -- The type of Prisma's own method.
  $queryRawUnsafe(text: string, ...values: Array<any>): Promise<unknown>
  // oxlint-disable-next-line typescript/no-explicit-any -- The type of Prisma's own method.
  $executeRawUnsafe(text: string, ...values: Array<any>): Promise<unknown>
}

/**
 * Returns the interactive transaction of Prisma for `frontdesk.join`. The client must use `@prisma/adapter-pg`. Throws a
 * `TypeError` for a value that is not a transaction.
 *
 * ```ts
 * const joined = await prisma.$transaction(async (tx) => {
 *   const joined = frontdesk.join(fromPrisma(tx))
 *   await joined.as("acme").contacts.patch(7, { stage: "customer" })
 *   return joined
 * })
 * await joined.committed()
 * ```
 */
export const fromPrisma = (transaction: PrismaTransaction): TransactionHandle => {
  // Only the client itself can disconnect. It would run each statement on any connection.
  const isClient = typeof member(transaction, "$disconnect") === "function"
  if (typeof member(transaction, "$queryRawUnsafe") !== "function" || isClient) {
    throw notATransaction("fromPrisma", "an interactive transaction of Prisma")
  }
  const client = clients.get(transaction) ?? clientOf(transaction)
  clients.set(transaction, client)
  return { hostClient: () => Promise.resolve(client) }
}

/** One client for each transaction, so that all its handles share it. */
const clients = new WeakMap<PrismaTransaction, HostClient>()

/** Matches the statements that begin and end a savepoint. Several may be sent at once, and they return no rows. */
const control = /^(?:SAVEPOINT|RELEASE|ROLLBACK)\b/

const clientOf = (transaction: PrismaTransaction): HostClient => ({
  query: async ({ text, values }) => {
    try {
      if (control.test(text)) {
        await transaction.$executeRawUnsafe(text)
        return resultOf([])
      }
      const rows: unknown = await transaction.$queryRawUnsafe(text, ...values)
      return resultOf(Array.isArray(rows) ? rows : [])
    } catch (error) {
      throw ofDatabase(error)
    }
  }
})

/** Returns the error of PostgreSQL inside an error of Prisma, in the form of node-postgres. */
const ofDatabase = (error: unknown): unknown => {
  const ofDriver = member(member(member(error, "meta"), "driverAdapterError"), "cause")
  const originalCode = member(ofDriver, "originalCode")
  const message = String(member(ofDriver, "originalMessage"))
  if (typeof originalCode !== "string") return error
  return Object.assign(new Error(message, { cause: error }), { severity: "ERROR", code: originalCode })
}

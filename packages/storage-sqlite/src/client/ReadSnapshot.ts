import type { DatabaseSync } from "node:sqlite"

/** The transaction of the reads of a connection. */
export interface ReadSnapshot {
  /** Must be called before a read outside of a transaction. */
  readonly begin: () => void
  /** Lets the next read see what has been committed meanwhile. */
  readonly end: () => void
}

/**
 * Lets the reads of one callback of the event loop share a transaction, because its locks cost more than a read by key
 * (D-LITE-14). A read still sees every commit that was acknowledged before the request for the read: the request arrived
 * before the callback, and so before the transaction.
 */
export const make = (reader: DatabaseSync): ReadSnapshot => {
  const begin = reader.prepare("BEGIN")
  const commit = reader.prepare("COMMIT")
  const end = (): void => {
    // The database may have been closed in the same callback.
    if (reader.isOpen && reader.isTransaction) commit.run()
  }
  return {
    begin: () => {
      begin.run()
      queueMicrotask(end)
    },
    end
  }
}

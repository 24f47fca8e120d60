import type { NewAuditEntry } from "@frontdesk/core/audit/AuditEntry"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Effect from "effect/Effect"
import type { Database } from "../storage/Database.ts"
import { inserter } from "../storage/WriteStatements.ts"

/**
 * Returns a function that appends an entry. In a transaction it takes no round trip of its own (D-AUD-1).
 *
 * @param operation the store method that errors name
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((entry: NewAuditEntry) => Effect.Effect<void, StorageError>) => {
  const { dialect } = database
  const sent = database.send(operation)
  const insert = inserter("audit_entry")
  return (entry) =>
    sent(
      ...insert({
        account_id: entry.accountId,
        at: dialect.time(entry.at),
        actor_type: entry.actor.type,
        actor_ref: entry.actor.id,
        request_ref: entry.requestId,
        client_address: entry.clientAddress,
        operation: entry.operation,
        entity_type: entry.entity.type,
        entity_ref: entry.entity.id,
        changes: JSON.stringify(entry.changes),
        unlisted_changes: entry.unlistedChanges
      })
    )
}

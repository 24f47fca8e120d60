import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { Database } from "../storage/Database.ts"

/**
 * How many deliveries one claim makes ready at most, earliest due first (D-DEL-29). Meanwhile they are locked, and the
 * claims of other nodes skip them.
 */
const maxInStep = 500

/**
 * Returns a function that makes due deliveries ready, so that a claim finds them by their webhook.
 *
 * A delivery is ready from the moment it is added until it is claimed. A retry, and a delivery whose lease may end, has
 * `ready_account_id` NULL and becomes ready here when it is due. So a claim that goes through the webhooks with ready
 * deliveries visits none whose deliveries are all due later.
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((now: DateTime.Utc) => Effect.Effect<void, StorageError>) => {
  const { dialect } = database
  const run = database.run(operation)
  const due = `SELECT id FROM webhook_delivery WHERE ready_account_id IS NULL AND due_at <= ?1
    ORDER BY due_at, id LIMIT ${maxInStep}${dialect.skipLocked}`
  const text = `UPDATE webhook_delivery
    SET ready_account_id = (SELECT account_id FROM webhook WHERE webhook.id = webhook_delivery.webhook_id)
    WHERE ${dialect.isOneOfRows("id", due)}`
  return (now) => run(text, [dialect.time(now)])
}

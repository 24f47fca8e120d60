import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { WebhookId } from "@frontdesk/core/webhook/Webhook"
import type * as Effect from "effect/Effect"
import type { Database } from "../storage/Database.ts"

/** Cancels what is pending or leased of a webhook. */
export const make = (
  database: Database["Service"],
  operation: string
): ((webhookId: WebhookId) => Effect.Effect<void, StorageError>) => {
  const run = database.run(operation)
  return (webhookId) =>
    run(
      `UPDATE webhook_delivery SET state = 'cancelled', due_at = NULL, lease_owner = NULL, in_line = FALSE
        WHERE webhook_id = ?1 AND due_at IS NOT NULL`,
      [webhookId]
    )
}

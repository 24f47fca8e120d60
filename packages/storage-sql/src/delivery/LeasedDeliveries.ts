import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery } from "@frontdesk/core/delivery/Delivery"
import * as Effect from "effect/Effect"
import type { Database } from "../storage/Database.ts"
import { ClaimedRow, claimedText, toClaimed } from "./ClaimedRow.ts"

/**
 * Reads what was leased, the longest due first. What cannot be sent is set aside at once, so that what stands behind it
 * goes on.
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((keys: ReadonlyArray<number>, leaseId: string) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>) => {
  const { dialect } = database
  const run = database.run(operation)
  const claimed = database.sound(operation, ClaimedRow)
  const text = claimedText(dialect)
  const asideText = `UPDATE webhook_delivery
    SET state = CASE WHEN EXISTS (
        SELECT 1 FROM webhook WHERE webhook.id = webhook_id AND (deleted_at IS NOT NULL OR status = 'disabled')
      ) THEN 'cancelled' ELSE 'failed' END,
      due_at = NULL, lease_owner = NULL, in_line = FALSE
    WHERE ${dialect.heldInOrder("webhook_delivery", `${dialect.isOneOf("id", "?1")} AND state = 'leased' AND lease_id = ?2`)}`

  return Effect.fnUntraced(function* (keys, leaseId) {
    if (keys.length === 0) return []
    const rows = yield* claimed(text, [JSON.stringify(keys), leaseId])
    if (rows.length < keys.length) {
      const sound = new Set(rows.map((row) => row.id))
      yield* run(asideText, [JSON.stringify(keys.filter((key) => !sound.has(key))), leaseId])
    }
    return rows.map(toClaimed)
  })
}

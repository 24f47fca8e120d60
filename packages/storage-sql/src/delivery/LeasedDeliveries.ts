import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery } from "@frontdesk/core/delivery/Delivery"
import * as Effect from "effect/Effect"
import type { Database } from "../storage/Database.ts"
import { ClaimedRow, claimedText, toClaimed } from "./ClaimedRow.ts"

/**
 * Returns a function that reads leased deliveries, earliest due first. Deliveries that cannot be sent are cancelled or
 * fail at once, so that later deliveries of their subject are not blocked (D-STO-8).
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((keys: ReadonlyArray<number>, leaseId: string) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>) => {
  const { dialect } = database
  const run = database.run(operation)
  const claimed = database.readable(operation, ClaimedRow)
  const text = claimedText(dialect)
  const dropText = `UPDATE webhook_delivery
    SET state = CASE WHEN (
        SELECT deleted_at IS NOT NULL OR status = 'disabled' FROM webhook WHERE webhook.id = webhook_id
      ) THEN 'cancelled' ELSE 'failed' END,
      due_at = NULL, lease_owner = NULL, in_line = FALSE
    WHERE ${dialect.lockedInOrder("webhook_delivery", `${dialect.isOneOf("id", "?1")} AND state = 'leased' AND lease_id = ?2`)}`

  return Effect.fnUntraced(function* (keys, leaseId) {
    if (keys.length === 0) return []
    const rows = yield* claimed(text, [JSON.stringify(keys), leaseId])
    if (rows.length < keys.length) {
      const readableKeys = new Set(rows.map((row) => row.id))
      yield* run(dropText, [JSON.stringify(keys.filter((key) => !readableKeys.has(key))), leaseId])
    }
    return rows.map(toClaimed)
  })
}

import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { shownStatus } from "./DeliveryRow.ts"

/**
 * How many deliveries one transaction cancels at most (D-PG-21). It locks their webhook, and no results of that webhook
 * are recorded meanwhile. On SQLite it delays every request: 200 deliveries take about 2 milliseconds.
 */
const maxInStep = 200

/**
 * Returns the condition that no deliveries of a webhook wait to be cancelled. While some wait, no delivery of the
 * webhook is claimed. `column` has the id of the webhook.
 */
export const hasNothingToCancel = (column: string): string =>
  `${column} NOT IN (SELECT id FROM webhook WHERE cancel_through IS NOT NULL)`

const ThroughRow = Schema.Struct({ cancelThrough: Schema.Int })

/**
 * Cancels pending and leased deliveries of a webhook up to the key `through`, earliest due first, but at most
 * `maxInStep`. Returns how many it cancelled.
 */
const cancelStep = (database: Database["Service"], operation: string) => {
  const { dialect } = database
  const cancelled = database.all(operation, Column.Found)
  const earliest = `SELECT id FROM webhook_delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL AND id <= ?2
      ORDER BY due_at, id LIMIT ${maxInStep}`
  const condition = `due_at IS NOT NULL AND ${dialect.isOneOfRows("id", earliest)}`
  const text = `UPDATE webhook_delivery SET state = 'cancelled', due_at = NULL, lease_owner = NULL, in_line = FALSE
    WHERE ${dialect.lockedInOrder("webhook_delivery", condition)} RETURNING id`
  return (webhookId: number, through: number) =>
    Effect.map(cancelled(text, [webhookId, through]), (rows) => rows.length)
}

/**
 * Cancels the pending and leased deliveries of a webhook. If there are more than `maxInStep`, the others are left to
 * {@link rest}, and no delivery of the webhook is claimed until all are cancelled.
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((webhookId: WebhookId) => Effect.Effect<void, StorageError>) => {
  const { dialect } = database
  const cancel = cancelStep(database, operation)
  const run = database.run(operation)
  return Effect.fnUntraced(function* (webhookId) {
    yield* run(`SELECT id FROM webhook WHERE id = ?1${dialect.forUpdate("webhook")}`, [webhookId])
    if ((yield* cancel(webhookId, Number.MAX_SAFE_INTEGER)) < maxInStep) return
    yield* run(
      `UPDATE webhook SET cancel_through = (
          SELECT max(id) FROM webhook_delivery WHERE webhook_id = ?1 AND ${shownStatus} = 'pending'
        ) WHERE id = ?1`,
      [webhookId]
    )
  }, database.inTransaction(operation))
}

/**
 * Cancels up to `maxInStep` deliveries that {@link make} has left of one webhook. Returns whether it found a webhook.
 */
export const rest = (database: Database["Service"], operation: string): Effect.Effect<boolean, StorageError> => {
  const { dialect } = database
  const found = database.all(operation, Column.Key)
  const locked = database.all(operation, ThroughRow)
  const cancel = cancelStep(database, operation)
  const unmark = database.run(operation)

  const step = Effect.fnUntraced(function* (id: number) {
    const [webhook] = yield* locked(
      `SELECT cancel_through FROM webhook WHERE id = ?1 AND cancel_through IS NOT NULL${dialect.forUpdate("webhook")}`,
      [id]
    )
    if (webhook === undefined || (yield* cancel(id, webhook.cancelThrough)) === maxInStep) return
    yield* unmark("UPDATE webhook SET cancel_through = NULL WHERE id = ?1", [id])
  }, database.atomically(operation))

  return Effect.gen(function* () {
    // This reads before it locks, because usually there is no such webhook.
    const [webhook] = yield* found("SELECT id FROM webhook WHERE cancel_through IS NOT NULL ORDER BY id LIMIT 1")
    if (webhook === undefined) return false
    yield* step(webhook.id)
    return true
  })
}

import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"

/** How many deliveries are cancelled in one transaction: it holds their webhook, for whose results others wait. */
const maxInStep = 1_000

/** Whether a column names no webhook of which more is to be cancelled: nothing of one is claimed meanwhile. */
export const isOver = (column: string): string =>
  `${column} NOT IN (SELECT id FROM webhook WHERE cancel_through IS NOT NULL)`

const ThroughRow = Schema.Struct({ cancelThrough: Schema.Int })

/**
 * Cancels pending and leased deliveries of a webhook up to the key `through`, those that are due first before the others.
 * Returns how many there were.
 */
const some = (database: Database["Service"], operation: string) => {
  const { dialect } = database
  const keys = database.all(operation, Column.Key)
  const run = database.run(operation)
  const keysText = `SELECT id FROM webhook_delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL AND id <= ?2
    ORDER BY due_at, id LIMIT ${maxInStep}`
  const text = `UPDATE webhook_delivery SET state = 'cancelled', due_at = NULL, lease_owner = NULL, in_line = FALSE
    WHERE ${dialect.heldInOrder("webhook_delivery", `due_at IS NOT NULL AND ${dialect.isOneOf("id", "?1")}`)}`
  return Effect.fnUntraced(function* (webhookId: number, through: number) {
    const ids = (yield* keys(keysText, [webhookId, through])).map(({ id }) => id)
    if (ids.length > 0) yield* run(text, [JSON.stringify(ids)])
    return ids.length
  })
}

/**
 * Cancels what is pending or leased of a webhook. When that is very much, the rest is left to `rest`, and until then
 * nothing of the webhook is claimed.
 */
export const make = (
  database: Database["Service"],
  operation: string
): ((webhookId: WebhookId) => Effect.Effect<void, StorageError>) => {
  const { dialect } = database
  const cancel = some(database, operation)
  const run = database.run(operation)
  return Effect.fnUntraced(function* (webhookId) {
    yield* run(`SELECT id FROM webhook WHERE id = ?1${dialect.forUpdate("webhook")}`, [webhookId])
    if ((yield* cancel(webhookId, Number.MAX_SAFE_INTEGER)) < maxInStep) return
    yield* run(
      `UPDATE webhook SET cancel_through = (
          SELECT max(id) FROM webhook_delivery WHERE webhook_id = ?1 AND due_at IS NOT NULL
        ) WHERE id = ?1`,
      [webhookId]
    )
  }, database.together(operation))
}

/** Cancels some of what `make` has left. Answers whether there was anything. */
export const rest = (database: Database["Service"], operation: string): Effect.Effect<boolean, StorageError> => {
  const { dialect } = database
  const found = database.all(operation, Column.Key)
  const held = database.all(operation, ThroughRow)
  const cancel = some(database, operation)
  const unmark = database.run(operation)

  const step = Effect.fnUntraced(function* (id: number) {
    const [webhook] = yield* held(
      `SELECT cancel_through FROM webhook WHERE id = ?1 AND cancel_through IS NOT NULL${dialect.forUpdate("webhook")}`,
      [id]
    )
    if (webhook === undefined || (yield* cancel(id, webhook.cancelThrough)) === maxInStep) return
    yield* unmark("UPDATE webhook SET cancel_through = NULL WHERE id = ?1", [id])
  }, database.atomically(operation))

  return Effect.gen(function* () {
    // Looked for before anything is locked, for most often there is none.
    const [webhook] = yield* found("SELECT id FROM webhook WHERE cancel_through IS NOT NULL ORDER BY id LIMIT 1")
    if (webhook === undefined) return false
    yield* step(webhook.id)
    return true
  })
}

import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Steps from "@frontdesk/core/background/Steps"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { attemptBytes } from "./DeliveryRow.ts"
import * as DeliveryCancellation from "./DeliveryCancellation.ts"

const operation = "DeliveryStore.purge"

const DeliveryRow = Schema.Struct({ id: Schema.Int, eventId: Schema.Int, bytes: Schema.Int })

/**
 * Returns the purge of deleted webhooks, in steps. Each step deletes some deliveries of a deleted webhook, and the
 * webhook together with the last of them. If no webhook is deleted, a step cancels deliveries that were left when a
 * webhook was disabled. Returns whether there was anything to do.
 */
export const make = (
  database: Database["Service"]
): ((limit: Steps.StepLimit) => Effect.Effect<boolean, StorageError>) => {
  const { dialect } = database
  const first = database.first(operation, Column.Key)
  const deliveries = database.all(operation, DeliveryRow)
  const run = database.run(operation)
  const deletedText = "SELECT id FROM webhook WHERE deleted_at IS NOT NULL ORDER BY id LIMIT 1"
  // The webhook is locked, so that no other process purges it at the same time, and no delivery is added to it.
  const lockText = `SELECT id FROM webhook WHERE id = ?1${dialect.forDelete("webhook")}`
  const deliveriesText = `SELECT webhook_delivery.id, event_id,
      ${dialect.storedBytes("body")} + ${attemptBytes(dialect)} AS bytes
    FROM webhook_delivery JOIN webhook_event ON webhook_event.id = event_id WHERE webhook_id = ?1
    ORDER BY webhook_delivery.id LIMIT ?2${dialect.forDelete("webhook_delivery")}`
  // The foreign key also deletes the attempts of the deliveries. Webhook events that have no other delivery are deleted
  // afterwards.
  const deleteDeliveries = `DELETE FROM webhook_delivery WHERE ${dialect.isOneOf("id", "?1")}`
  const deleteEvents = `DELETE FROM webhook_event WHERE ${dialect.isOneOf("id", "?1")} AND NOT EXISTS (
    SELECT 1 FROM webhook_delivery AS other WHERE other.event_id = webhook_event.id
  )`

  const cancelled = DeliveryCancellation.rest(database, operation)

  const purge = Effect.fnUntraced(function* (id: number, limit: Steps.StepLimit) {
    if (Option.isNone(yield* first(lockText, [id]))) return
    const next = yield* deliveries(deliveriesText, [id, limit.rows])
    const rows = Steps.within(next, limit.bytes, ({ bytes }) => bytes)
    if (rows.length > 0) {
      yield* run(deleteDeliveries, [JSON.stringify(rows.map((row) => row.id))])
      yield* run(deleteEvents, [JSON.stringify(rows.map((row) => row.eventId))])
    }
    if (rows.length === next.length && rows.length < limit.rows) yield* run("DELETE FROM webhook WHERE id = ?1", [id])
  }, database.atomically(operation))

  return Effect.fnUntraced(function* (limit) {
    // This reads before it locks, because usually no webhook is deleted.
    const webhook = yield* first(deletedText)
    if (Option.isNone(webhook)) return yield* cancelled
    yield* purge(webhook.value.id, limit)
    return true
  })
}

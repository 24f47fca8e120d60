import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { type OldEvents, type Step, stepOver } from "@frontdesk/core/webhook/DeliveryStore"
import * as Steps from "@frontdesk/core/worker/Steps"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"

const operation = "DeliveryStore.sweep"

const EventRow = Schema.Struct({ id: Schema.Int, createdAt: Column.Time, bytes: Schema.Int })

const DeliveryRow = Schema.Struct({ eventId: Schema.Int, isOpen: Column.Flag })

/**
 * Deletes old events with what became of them. Events are read by their key, in the order they were added, so that no
 * index on their time is needed; nothing is locked when none is old.
 */
export const make = (database: Database["Service"]): ((which: OldEvents) => Effect.Effect<Step, StorageError>) => {
  const { dialect } = database
  const events = database.all(operation, EventRow)
  const deliveries = database.all(operation, DeliveryRow)
  const run = database.run(operation)
  const eventsText = `SELECT id, created_at, ${dialect.storedBytes("body")} AS bytes FROM webhook_event WHERE id > ?1 ORDER BY id LIMIT ?2`
  // Held, so that none of them is redelivered before it is deleted; what others hold is passed over with its event.
  const deliveriesText = `WITH held AS MATERIALIZED (
      SELECT id, due_at FROM webhook_delivery WHERE ${dialect.isOneOf("event_id", "?1")}${dialect.skipLocked}
    )
    SELECT event_id, held.id IS NULL OR held.due_at IS NOT NULL AS is_open
    FROM webhook_delivery LEFT JOIN held ON held.id = webhook_delivery.id
    WHERE ${dialect.isOneOf("event_id", "?1")}`
  // Their attempts go with them.
  const deleteDeliveries = `DELETE FROM webhook_delivery WHERE ${dialect.isOneOf("event_id", "?1")}`
  const deleteEvents = `DELETE FROM webhook_event WHERE ${dialect.isOneOf("id", "?1")}`

  const remove = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
    const rows = yield* deliveries(deliveriesText, [JSON.stringify(ids)])
    const open = new Set(rows.filter((row) => row.isOpen).map((row) => row.eventId))
    const closed = ids.filter((id) => !open.has(id))
    if (closed.length === 0) return 0
    yield* run(deleteDeliveries, [JSON.stringify(closed)])
    yield* run(deleteEvents, [JSON.stringify(closed)])
    return closed.length
  }, database.atomically(operation))

  return Effect.fnUntraced(function* ({ after, before, limit }) {
    const next = yield* events(eventsText, [after ?? 0, limit.rows])
    const seen = Steps.within(next, limit.bytes, ({ bytes }) => bytes)
    const old = seen.filter((event) => DateTime.isLessThan(event.createdAt, before))
    if (old.length === 0) return { count: 0, after: null }
    const count = yield* remove(old.map((event) => event.id))
    const ids = seen.map((event) => event.id)
    return stepOver(ids, seen.length < next.length ? seen.length : limit.rows, count)
  })
}

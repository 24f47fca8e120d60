import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { type OldWebhookEvents, type Step, stepOver } from "@frontdesk/core/delivery/DeliveryStore"
import * as Steps from "@frontdesk/core/background/Steps"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { attemptBytes } from "./DeliveryRow.ts"

const operation = "DeliveryStore.sweep"

const EventRow = Schema.Struct({ id: Schema.Int, createdAt: Column.Time, bytes: Schema.Int })

const DeliveryRow = Schema.Struct({ id: Schema.Int, bytes: Schema.Int })

/**
 * The maximum number of deliveries that one step examines if they belong to several webhook events. The deliveries of a
 * single webhook event are always examined together: it has one delivery for each webhook.
 */
const maxDeliveries = 1_000

/**
 * Returns the sweep that deletes old webhook events with their deliveries and attempts (D-EVT-5). Webhook events are
 * read by key, in the order in which they were added, so no index on their time is needed. Nothing is locked when no
 * webhook event is old.
 */
export const make = (
  database: Database["Service"]
): ((which: OldWebhookEvents) => Effect.Effect<Step, StorageError>) => {
  const { dialect } = database
  const events = database.all(operation, EventRow)
  const keys = database.all(operation, Column.Key)
  const deliveries = database.all(operation, DeliveryRow)
  const run = database.run(operation)
  const eventsText = `SELECT id, created_at, ${dialect.storedBytes("body")} AS bytes FROM webhook_event WHERE id > ?1 ORDER BY id LIMIT ?2`
  const countText = `SELECT id FROM webhook_delivery WHERE ${dialect.isOneOf("event_id", "?1")} LIMIT ${maxDeliveries + 1}`
  const openText = `SELECT DISTINCT event_id AS id FROM webhook_delivery
    WHERE ${dialect.isOneOf("event_id", "?1")} AND due_at IS NOT NULL`
  // The deliveries are locked, so that none is redelivered before it is deleted. Deliveries that another transaction
  // has locked are skipped. They are deleted in the order of their webhook events.
  const deliveriesText = `SELECT id, ${attemptBytes(dialect)} AS bytes FROM webhook_delivery
    WHERE ${dialect.isOneOf("event_id", "?1")} AND due_at IS NULL ORDER BY event_id, id LIMIT ?2${dialect.skipLocked}`
  // The foreign key also deletes the attempts of the deliveries.
  const deleteDeliveries = `DELETE FROM webhook_delivery WHERE ${dialect.isOneOf("id", "?1")}`
  const deleteEvents = `DELETE FROM webhook_event WHERE ${dialect.isOneOf("id", "?1")}
    AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE event_id = webhook_event.id) RETURNING id`

  /**
   * Deletes deliveries of the webhook events of which no delivery is pending or leased, up to the limit. Then deletes
   * those webhook events that have no deliveries left.
   */
  const remove = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, limit: Steps.StepLimit) {
    const pending = new Set((yield* keys(openText, [JSON.stringify(ids)])).map(({ id }) => id))
    const closed = JSON.stringify(ids.filter((id) => !pending.has(id)))
    const next = yield* deliveries(deliveriesText, [closed, limit.rows])
    const rows = Steps.within(next, limit.bytes, ({ bytes }) => bytes)
    if (rows.length > 0) yield* run(deleteDeliveries, [JSON.stringify(rows.map(({ id }) => id))])
    const gone = yield* keys(deleteEvents, [closed])
    return { count: gone.length, isMore: rows.length < next.length || rows.length === limit.rows }
  }, database.atomically(operation))

  /**
   * Returns whether webhook events together have more than `maxDeliveries` deliveries. If they do, a step takes only
   * the first webhook event, because each step reads the deliveries of all its webhook events again.
   */
  const isCrowded = (given: ReadonlyArray<typeof EventRow.Type>) =>
    Effect.map(keys(countText, [JSON.stringify(given.map(({ id }) => id))]), (found) => found.length > maxDeliveries)

  return Effect.fnUntraced(function* ({ after, before, limit }) {
    const next = yield* events(eventsText, [after ?? 0, limit.rows])
    const within = Steps.within(next, limit.bytes, ({ bytes }) => bytes)
    const isOld = (event: typeof EventRow.Type) => DateTime.isLessThan(event.createdAt, before)
    if (!within.some(isOld)) return { count: 0, after: null }
    const examined = (yield* isCrowded(within)) ? within.slice(0, 1) : within
    const old = examined.filter(isOld)
    const { count, isMore } = yield* remove(
      old.map((event) => event.id),
      limit
    )
    // The next step begins with the same webhook events while they have deliveries left.
    if (isMore) return { count, after: after ?? 0 }
    const ids = examined.map((event) => event.id)
    return stepOver(ids, examined.length < next.length ? examined.length : limit.rows, count)
  })
}

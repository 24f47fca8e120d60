import { Attempt, type Delivery, DeliveryId, DeliveryState, publicStatus } from "@frontdesk/core/delivery/Delivery"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Schema from "effect/Schema"
import type { Dialect } from "../dialect/Dialect.ts"
import * as Column from "../storage/Column.ts"

/** The status of a delivery as callers see it (`publicStatus`). The index `webhook_delivery_status` has this expression. */
export const shownStatus = "(CASE state WHEN 'leased' THEN 'pending' ELSE state END)"

/** A delivery with the name and time of its webhook event. */
export const DeliveryRow = Schema.Struct({
  id: Schema.Int,
  deliveryId: DeliveryId,
  webhookId: WebhookId,
  eventType: Schema.String,
  state: DeliveryState,
  createdAt: Column.Time,
  dueAt: Schema.NullOr(Column.Time)
})

/** A `SELECT` of every column of {@link DeliveryRow}, to be followed by `WHERE`. */
export const select = `SELECT webhook_delivery.id, delivery_id, webhook_id, webhook_event.name AS event_type, state,
  webhook_event.created_at, due_at
FROM webhook_delivery
JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id`

/** An attempt with the key of its delivery. */
export const AttemptRow = Schema.Struct({
  deliveryId: Schema.Int,
  number: Schema.Int,
  kind: Attempt.fields.kind,
  startedAt: Column.Time,
  durationMs: Schema.Int,
  statusCode: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String)
})

/** Returns deliveries with their attempts. `attempts` must be ordered by number. */
export const toDeliveries = (
  rows: ReadonlyArray<typeof DeliveryRow.Type>,
  attempts: ReadonlyArray<typeof AttemptRow.Type>
): ReadonlyArray<Delivery> => {
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.deliveryId)
  return rows.map(({ createdAt, deliveryId, dueAt, eventType, id, state, webhookId }) => ({
    id: deliveryId,
    webhookId,
    eventType,
    ...publicStatus(state, dueAt),
    createdAt,
    attempts: (byDelivery.get(id) ?? []).map(({ durationMs, error, kind, number, startedAt, statusCode }) => ({
      number,
      kind,
      startedAt,
      durationMs,
      statusCode,
      error
    }))
  }))
}

/** Returns the expression for the stored size of the response bodies of a delivery's attempts, in bytes. */
export const attemptBytes = (dialect: Dialect): string =>
  `(SELECT coalesce(sum(${dialect.storedBytes("response_body")}), 0) FROM webhook_attempt
    WHERE webhook_attempt.delivery_id = webhook_delivery.id)`

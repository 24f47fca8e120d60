import type { DeliveryStatus } from "@frontdesk/core/webhook/Delivery"
import { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as Write from "../storage/Write.ts"
import * as Cancel from "./Cancel.ts"
import { AttemptRow, DeliveryRow, select, toDeliveries } from "./DeliveryRow.ts"

const ofAccount = "EXISTS (SELECT 1 FROM webhook WHERE webhook.id = ?1 AND webhook.account_id = ?2)"

const withStatus: { readonly [Status in DeliveryStatus]: string } = {
  pending: " AND state IN ('pending', 'leased')",
  delivered: " AND state = 'delivered'",
  failed: " AND state = 'failed'",
  cancelled: " AND state = 'cancelled'"
}

/** Deliveries in a SQL database. */
export const layer: Layer.Layer<DeliveryStore, never, Database> = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const database = yield* Database
    const { dialect } = database

    const addedEvent = database.one("DeliveryStore.add", Column.Key)
    const addEvent = Write.inserter("webhook_event", " RETURNING id")
    const addedDeliveries = database.run("DeliveryStore.add")
    const addDeliveriesText = `INSERT INTO webhook_delivery
        (delivery_id, event_id, webhook_id, subject, state, kind, due_at, results, claims, attempts)
      SELECT record.delivery_id, CAST(?1 AS bigint), record.webhook_id, ?2, 'pending', 'automatic',
        ${dialect.instant("?3")}, 0, 0, 0
      FROM ${dialect.records("record", "?4", { position: "integer", delivery_id: "text", webhook_id: "integer" })}
      ORDER BY record.position`

    const redelivered = database.run("DeliveryStore.redeliver")

    /** Adds the attempts to deliveries. */
    const withAttempts = (operation: string) => {
      const attempts = database.all(operation, AttemptRow)
      const text = `SELECT delivery_id, number, kind, started_at, duration_ms, status_code, error FROM webhook_attempt
        WHERE delivery_id IN ${dialect.numbers("?1")} ORDER BY delivery_id, number`
      return (rows: ReadonlyArray<typeof DeliveryRow.Type>) =>
        rows.length === 0
          ? Effect.succeed([])
          : Effect.map(attempts(text, [JSON.stringify(rows.map((row) => row.id))]), (found) =>
              toDeliveries(rows, found)
            )
    }
    const counted = database.one("DeliveryStore.list", Column.Count)
    const listed = database.all("DeliveryStore.list", DeliveryRow)
    const listedAttempts = withAttempts("DeliveryStore.list")
    const found = database.all("DeliveryStore.find", DeliveryRow)
    const foundAttempts = withAttempts("DeliveryStore.find")

    return DeliveryStore.of({
      add: ({ accountId, body, createdAt, deliveries, name, subject }) =>
        deliveries.length === 0
          ? Effect.void
          : Effect.gen(function* () {
              const event = yield* addedEvent(
                ...addEvent({ account_id: accountId, name, created_at: dialect.time(createdAt), body })
              )
              yield* addedDeliveries(addDeliveriesText, [
                event.id,
                subject,
                dialect.time(createdAt),
                JSON.stringify(
                  deliveries.map(({ id, webhookId }, position) => ({
                    position,
                    delivery_id: id,
                    webhook_id: webhookId
                  }))
                )
              ])
            }).pipe(database.together("DeliveryStore.add")),
      list: Effect.fnUntraced(function* (accountId, webhookId, status, page) {
        const where = `webhook_id = ?1${Option.match(status, { onNone: () => "", onSome: (only) => withStatus[only] })} AND ${ofAccount}`
        const { count } = yield* counted(`SELECT count(*) AS count FROM webhook_delivery WHERE ${where}`, [
          webhookId,
          accountId
        ])
        const rows = yield* listed(`${select} WHERE ${where} ORDER BY webhook_delivery.id DESC LIMIT ?3 OFFSET ?4`, [
          webhookId,
          accountId,
          page.limit,
          Page.offset(page)
        ])
        return { items: yield* listedAttempts(rows), count, page: page.page, limit: page.limit }
      }),
      find: Effect.fnUntraced(function* (accountId, webhookId, id) {
        const rows = yield* found(`${select} WHERE delivery_id = ?3 AND webhook_id = ?1 AND ${ofAccount}`, [
          webhookId,
          accountId,
          id
        ])
        return Option.fromUndefinedOr((yield* foundAttempts(rows))[0])
      }),
      redeliver: (accountId, webhookId, id, now) =>
        redelivered(
          `UPDATE webhook_delivery SET state = 'pending', due_at = ?4, kind = 'manual', claims = 0
            WHERE delivery_id = ?3 AND webhook_id = ?1 AND due_at IS NULL AND ${ofAccount}`,
          [webhookId, accountId, id, dialect.time(now)]
        ),
      cancelPending: Cancel.make(database, "DeliveryStore.cancelPending")
    })
  })
)

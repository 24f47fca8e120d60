import type { AccountId } from "@frontdesk/core/access/Account"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { type DeliveryId, maxAttempts } from "@frontdesk/core/delivery/Delivery"
import { type FailedDeliveries, type Step, stepOver } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import type { Database } from "../storage/Database.ts"
import { shownStatus } from "./DeliveryRow.ts"

/** A failed delivery, and whether its number of attempts and its time are those of a redelivery. */
const Examined = Schema.Struct({ id: Schema.Int, isAsked: Column.Flag })

/** The condition that the webhook `?1` belongs to the account `?2` and is not deleted. */
export const ofAccount =
  "EXISTS (SELECT 1 FROM webhook WHERE webhook.id = ?1 AND webhook.account_id = ?2 AND webhook.deleted_at IS NULL)"

/**
 * Returns the assignments that make a delivery due for one manual attempt (D-DEL-8). A delivery without an attempt
 * takes its place in the order of its subject again. It is ready at once, so a claim need not make many deliveries ready
 * after a redelivery of all that failed (`ReadyDeliveries`).
 */
const once = (now: string): string =>
  `SET state = 'pending', due_at = ${now}, kind = 'manual', claims = 0, in_line = TRUE,
    ready_account_id = account_id`

/** Returns the redelivery of one delivery. It has no effect on one that is pending or leased. */
export const one = (
  database: Database["Service"]
): ((
  accountId: AccountId,
  webhookId: WebhookId,
  id: DeliveryId,
  now: DateTime.Utc
) => Effect.Effect<void, StorageError>) => {
  const run = database.run("DeliveryStore.redeliver")
  const text = `UPDATE webhook_delivery ${once("?4")}
    WHERE delivery_id = ?3 AND webhook_id = ?1 AND due_at IS NULL AND ${ofAccount}`
  return (accountId, webhookId, id, now) => run(text, [webhookId, accountId, id, database.dialect.time(now)])
}

/**
 * Returns the redelivery of failed deliveries with fewer than `maxAttempts` attempts (D-DEL-10), step by step. They are
 * found before any row is locked. A step examines few rows, also when hardly any of them happened at the asked time.
 */
export const failed = (
  database: Database["Service"]
): ((which: FailedDeliveries, now: DateTime.Utc) => Effect.Effect<Step, StorageError>) => {
  const { dialect } = database
  const operation = "DeliveryStore.redeliverFailed"
  const examinedRows = database.all(operation, Examined)
  const keys = database.all(operation, Column.Key)
  const examinedText = `SELECT failed.id, CASE WHEN failed.attempts < ${maxAttempts}
        AND webhook_event.created_at >= ?4 AND webhook_event.created_at <= ?5 THEN 1 ELSE 0 END AS is_asked
    FROM (SELECT id, event_id, attempts FROM webhook_delivery
      WHERE webhook_id = ?1 AND id > ?3 AND ${shownStatus} = 'failed' AND ${ofAccount} ORDER BY id LIMIT ?6) AS failed
    JOIN webhook_event ON webhook_event.id = failed.event_id ORDER BY failed.id`
  const moveText = `UPDATE webhook_delivery ${once("?2")}
    WHERE ${dialect.lockedInOrder("webhook_delivery", `${dialect.isOneOf("id", "?1")} AND state = 'failed'`)} RETURNING id`

  return Effect.fnUntraced(function* ({ accountId, after, limit, since, until, webhookId }, now) {
    const examined = yield* examinedRows(examinedText, [
      webhookId,
      accountId,
      after ?? 0,
      dialect.time(since),
      dialect.time(until),
      limit
    ])
    const ids = examined.flatMap(({ id, isAsked }) => (isAsked ? [id] : []))
    const redelivered = ids.length === 0 ? [] : yield* keys(moveText, [JSON.stringify(ids), dialect.time(now)])
    return stepOver(
      examined.map(({ id }) => id),
      limit,
      redelivered.length
    )
  })
}

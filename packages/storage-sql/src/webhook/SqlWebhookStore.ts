import { AccountId } from "@frontdesk/core/access/Account"
import { type Webhook, WebhookStatus } from "@frontdesk/core/webhook/Webhook"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Column from "../storage/Column.ts"
import { Database } from "../storage/Database.ts"
import * as WriteStatements from "../storage/WriteStatements.ts"

const NullableTime = Schema.NullOr(Column.Time)

const WebhookRow = Schema.Struct({
  id: WebhookId,
  accountId: AccountId,
  name: Schema.String,
  url: Schema.String,
  subscribedEvents: Column.repeated(Schema.Array(WebhookEventName)),
  status: WebhookStatus,
  createdAt: Column.Time,
  updatedAt: Column.Time,
  lastDeliveryAt: NullableTime,
  lastSuccessAt: NullableTime,
  lastFailureAt: NullableTime,
  lastFailureStatus: Schema.NullOr(Schema.Int),
  consecutiveFailures: Schema.Int
})

const Id = Schema.Struct({ id: WebhookId })

const SecretsRow = Schema.Struct({
  id: WebhookId,
  accountId: AccountId,
  secret: Schema.String,
  previousSecret: Schema.NullOr(Schema.String)
})

const select = `SELECT id, account_id, name, url, subscribed_events, status, created_at, updated_at, last_delivery_at,
  last_success_at, last_failure_at, last_failure_status, consecutive_failures FROM webhook`

/** The `WebhookStore` in a SQL database. */
export const layer: Layer.Layer<WebhookStore, never, Database> = Layer.effect(
  WebhookStore,
  Effect.map(Database, (database) => {
    const { dialect } = database
    const time = (instant: DateTime.Utc | null) => (instant === null ? null : dialect.time(instant))
    const inserted = database.one("WebhookStore.insert", Id)
    const insert = WriteStatements.inserter("webhook", " RETURNING id")
    const findIn = (operation: string, ending: string) => {
      const found = database.first(operation, WebhookRow)
      const text = `${select} WHERE id = ?1 AND account_id = ?2 AND deleted_at IS NULL${ending}`
      return (accountId: AccountId, id: WebhookId) => found(text, [id, accountId])
    }
    const foundAnywhere = database.first("WebhookStore.findAnywhere", WebhookRow)
    const listed = database.readable("WebhookStore.list", WebhookRow)
    const subscribed = database.all("WebhookStore.subscribers", Id)
    const subscribersText = `SELECT id FROM webhook WHERE account_id = ?1 AND deleted_at IS NULL AND status <> 'disabled'
      AND ${dialect.contains("subscribed_events", "?2")} ORDER BY id${dialect.forReference("webhook")}`
    const updated = database.run("WebhookStore.update")
    const update = WriteStatements.updater("webhook", " AND deleted_at IS NULL")
    const deleted = database.first("WebhookStore.delete", Column.Found)
    const rotated = database.run("WebhookStore.rotateSecret")
    const secrets = database.all("WebhookStore.secrets", SecretsRow)
    const replaced = database.first("WebhookStore.replaceSecret", Column.Found)

    return WebhookStore.of({
      insert: (webhook, secret) =>
        Effect.map(
          inserted(
            ...insert({
              account_id: webhook.accountId,
              name: webhook.name,
              url: webhook.url,
              subscribed_events: JSON.stringify(webhook.subscribedEvents),
              status: webhook.status,
              secret: Redacted.value(secret),
              created_at: time(webhook.createdAt),
              updated_at: time(webhook.updatedAt),
              last_delivery_at: time(webhook.lastDeliveryAt),
              last_success_at: time(webhook.lastSuccessAt),
              last_failure_at: time(webhook.lastFailureAt),
              last_failure_status: webhook.lastFailureStatus,
              consecutive_failures: webhook.consecutiveFailures
            })
          ),
          ({ id }): Webhook => ({ ...webhook, id })
        ),
      find: findIn("WebhookStore.find", ""),
      findAnywhere: (id) => foundAnywhere(`${select} WHERE id = ?1 AND deleted_at IS NULL`, [id]),
      findForUpdate: findIn("WebhookStore.findForUpdate", dialect.forUpdate("webhook")),
      list: (accountId) => listed(`${select} WHERE account_id = ?1 AND deleted_at IS NULL ORDER BY id`, [accountId]),
      subscribers: (accountId, event) =>
        Effect.map(subscribed(subscribersText, [accountId, event]), (rows) => rows.map((row) => row.id)),
      update: (webhook) =>
        updated(
          ...update(
            {
              name: webhook.name,
              url: webhook.url,
              subscribed_events: JSON.stringify(webhook.subscribedEvents),
              status: webhook.status,
              updated_at: time(webhook.updatedAt)
            },
            webhook.id
          )
        ),
      // Secret and personal values are deleted at once. The deliveries, of which there may be very many, are purged
      // later in steps.
      delete: Effect.fnUntraced(function* (accountId, id) {
        const webhook = yield* deleted(
          `UPDATE webhook SET deleted_at = ?3, name = '', url = '', secret = '', previous_secret = NULL,
            previous_secret_expires_at = NULL WHERE id = ?1 AND account_id = ?2 AND deleted_at IS NULL RETURNING id`,
          [id, accountId, dialect.time(yield* DateTime.now)]
        )
        return Option.isSome(webhook)
      }),
      rotateSecret: (id, secret, previousExpiresAt) =>
        rotated(
          `UPDATE webhook SET previous_secret = secret, secret = ?2, previous_secret_expires_at = ?3
            WHERE id = ?1 AND deleted_at IS NULL`,
          [id, Redacted.value(secret), dialect.time(previousExpiresAt)]
        ),
      secrets: (after, limit) =>
        Effect.map(
          secrets(
            `SELECT id, account_id, secret, previous_secret FROM webhook
              WHERE id > ?1 AND deleted_at IS NULL ORDER BY id LIMIT ?2`,
            [after ?? 0, limit]
          ),
          (rows) =>
            rows.map(({ accountId, id, previousSecret, secret }) => ({
              webhookId: id,
              accountId,
              current: Redacted.make(secret),
              previous: previousSecret === null ? null : Redacted.make(previousSecret)
            }))
        ),
      replaceSecret: (id, before, after) =>
        Effect.map(
          replaced(
            `UPDATE webhook SET secret = CASE secret WHEN ?2 THEN ?3 ELSE secret END,
              previous_secret = CASE previous_secret WHEN ?2 THEN ?3 ELSE previous_secret END
              WHERE id = ?1 AND deleted_at IS NULL AND (secret = ?2 OR previous_secret = ?2) RETURNING id`,
            [id, Redacted.value(before), Redacted.value(after)]
          ),
          Option.isSome
        )
    })
  })
)

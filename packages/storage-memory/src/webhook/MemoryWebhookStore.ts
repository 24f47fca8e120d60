import { isEnabled, type Webhook } from "@frontdesk/core/webhook/Webhook"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { changed, Database } from "../storage/Database.ts"
import type { WebhookRow } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** The `WebhookStore` in memory. */
export const layer: Layer.Layer<WebhookStore, never, Database> = Layer.effect(
  WebhookStore,
  Effect.gen(function* () {
    const database = yield* Database

    const webhooksOf = (accountId: Webhook["accountId"]) =>
      database.read((state) =>
        Table.where(state.webhooks, (row) => row.webhook.accountId === accountId).map((row) => row.webhook)
      )

    const find = (accountId: Webhook["accountId"], id: WebhookId) =>
      database.read((state) =>
        Table.get(state.webhooks, id).pipe(
          Option.map((row) => row.webhook),
          Option.filter((webhook) => webhook.accountId === accountId)
        )
      )

    return WebhookStore.of({
      insert: (webhook, secret) =>
        database.modify((state) => {
          const [row, webhooks] = Table.insert(state.webhooks, (id): WebhookRow => ({
            webhook: { ...webhook, id: WebhookId.make(id) },
            secrets: { current: secret, previous: null }
          }))
          return changed(row.webhook, { ...state, webhooks })
        }),
      find,
      findAnywhere: (id) => database.read((state) => Option.map(Table.get(state.webhooks, id), (row) => row.webhook)),
      // Transactions run one after the other, so the row needs no lock.
      findForUpdate: find,
      list: webhooksOf,
      subscribers: (accountId, event) =>
        Effect.map(webhooksOf(accountId), (webhooks) =>
          webhooks
            .filter((webhook) => isEnabled(webhook) && webhook.subscribedEvents.includes(event))
            .map((webhook) => webhook.id)
        ),
      update: ({ id, name, url, subscribedEvents, status, updatedAt }) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            webhooks: Table.update(state.webhooks, id, ({ secrets, webhook }) => ({
              secrets,
              webhook: { ...webhook, name, url, subscribedEvents, status, updatedAt }
            }))
          })
        ),
      delete: (accountId, id) =>
        database.modify((state) => {
          const row = Option.filter(Table.get(state.webhooks, id), ({ webhook }) => webhook.accountId === accountId)
          if (Option.isNone(row)) return changed(false, state)
          const rows = HashMap.filter(state.deliveries.rows, (delivery) => delivery.webhookId !== id)
          return changed(true, {
            ...state,
            webhooks: Table.remove(state.webhooks, id),
            deliveries: { ...state.deliveries, rows }
          })
        }),
      rotateSecret: (id, secret, previousExpiresAt) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            webhooks: Table.update(state.webhooks, id, ({ webhook, secrets }) => ({
              webhook,
              secrets: { current: secret, previous: { secret: secrets.current, expiresAt: previousExpiresAt } }
            }))
          })
        ),
      secrets: (after, limit) =>
        database.read((state) =>
          Table.where(state.webhooks, ({ webhook }) => after === null || webhook.id > after)
            .slice(0, limit)
            .map(({ secrets, webhook }) => ({
              webhookId: webhook.id,
              accountId: webhook.accountId,
              current: secrets.current,
              previous: secrets.previous?.secret ?? null
            }))
        ),
      replaceSecret: (id, before, after) =>
        database.modify((state) => {
          const isBefore = (secret: Redacted.Redacted<string>) => Redacted.value(secret) === Redacted.value(before)
          const found = Option.filter(
            Table.get(state.webhooks, id),
            ({ secrets: { current, previous } }) =>
              isBefore(current) || (previous !== null && isBefore(previous.secret))
          )
          if (Option.isNone(found)) return changed(false, state)
          const replaced = (secret: Redacted.Redacted<string>) => (isBefore(secret) ? after : secret)
          const webhooks = Table.update(state.webhooks, id, ({ secrets: { current, previous }, webhook }) => ({
            webhook,
            secrets: {
              current: replaced(current),
              previous: previous === null ? null : { ...previous, secret: replaced(previous.secret) }
            }
          }))
          return changed(true, { ...state, webhooks })
        })
    })
  })
)

import { type Delivery, maxAttempts, maxListed, publicStatus } from "@frontdesk/core/delivery/Delivery"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { DeliveryRow } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import * as DeliveryClaim from "./DeliveryClaim.ts"
import { cancelled, updateWhere } from "./DeliveryResults.ts"
import * as DeliveryMaintenance from "./DeliveryMaintenance.ts"

const show = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhookId,
  eventType: row.event.name,
  ...publicStatus(row.state, row.dueAt),
  createdAt: row.event.createdAt,
  attempts: row.attempts.slice(-maxAttempts)
})

/** The `DeliveryStore` in memory. */
export const layer: Layer.Layer<DeliveryStore, never, Database> = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const database = yield* Database

    const isOf = (accountId: DeliveryRow["event"]["accountId"], webhookId: WebhookId) => (row: DeliveryRow) =>
      row.event.accountId === accountId && row.webhookId === webhookId

    return DeliveryStore.of({
      add: ({ deliveries, ...event }) =>
        database.modify((state) => {
          const added = deliveries.reduce(
            (table, { id, webhookId }) =>
              Table.insert(table, (key): DeliveryRow => ({
                key,
                id,
                event,
                webhookId,
                state: "pending",
                dueAt: event.createdAt,
                lease: null,
                kind: "automatic",
                results: 0,
                claims: 0,
                attempts: [],
                lastAnswer: null
              }))[1],
            state.deliveries
          )
          return changed(undefined, { ...state, deliveries: added })
        }),
      list: (accountId, webhookId, status, page) =>
        database.read((state) => {
          const all = Table.where(state.deliveries, isOf(accountId, webhookId)).map(show)
          const wanted = Option.match(status, {
            onNone: () => all,
            onSome: (only) => all.filter((delivery) => delivery.status === only)
          })
          return Page.sliceCapped(wanted.toReversed(), maxListed, page)
        }),
      listAbout: (accountId, subject, page) =>
        database.read((state) => {
          const all = Table.where(
            state.deliveries,
            ({ event }) => event.accountId === accountId && event.subject === subject
          )
          return Page.sliceCapped(all.map(show).toReversed(), maxListed, page)
        }),
      find: (accountId, webhookId, id) =>
        database.read((state) => {
          const [row] = Table.where(state.deliveries, (row) => row.id === id && isOf(accountId, webhookId)(row))
          return Option.map(Option.fromUndefinedOr(row), show)
        }),
      request: (accountId, webhookId, id) =>
        database.read((state) => {
          const [row] = Table.where(state.deliveries, (row) => row.id === id && isOf(accountId, webhookId)(row))
          return Option.flatMap(Option.fromUndefinedOr(row), ({ event: { body } }) =>
            Option.map(Table.get(state.webhooks, webhookId), ({ secrets }) => ({ body, secrets }))
          )
        }),
      redeliver: (accountId, webhookId, id, now) =>
        database.modify((state) =>
          changed(
            undefined,
            updateWhere(
              state,
              (row) => row.id === id && isOf(accountId, webhookId)(row) && !DeliveryClaim.isOpen(row),
              (row) => DeliveryMaintenance.redelivered(row, now)
            )[1]
          )
        ),
      redeliverFailed: (which, now) =>
        database.modify((state) => changed(...DeliveryMaintenance.redeliverFailed(state, which, now))),
      cancelOpen: (webhookId) => database.modify((state) => changed(undefined, cancelled(state, webhookId))),
      backlog: (webhookId) =>
        database.read(
          (state) =>
            Table.where(state.deliveries, (row) => row.webhookId === webhookId && DeliveryClaim.isOpen(row)).length
        ),
      countOpen: (max) =>
        database.read((state) => Math.min(Table.where(state.deliveries, DeliveryClaim.isOpen).length, max)),
      locate: (id) =>
        database.read((state) => {
          const [row] = Table.where(state.deliveries, (row) => row.id === id)
          return row === undefined
            ? Option.none()
            : Option.some({ accountId: row.event.accountId, webhookId: row.webhookId })
        }),
      lastAnswers: (accountId, webhookId, ids) =>
        database.read((state) => {
          const wanted = new Set(ids)
          const rows = Table.where(state.deliveries, (row) => wanted.has(row.id) && isOf(accountId, webhookId)(row))
          return new Map(rows.flatMap(({ id, lastAnswer }) => (lastAnswer === null ? [] : [[id, lastAnswer] as const])))
        }),
      sweep: (which) => database.modify((state) => changed(...DeliveryMaintenance.sweep(state, which))),
      // The deletion of a webhook deletes its deliveries immediately.
      purge: () => Effect.succeed(false)
    })
  })
)

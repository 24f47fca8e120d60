import type { ClaimedDelivery, Delivery } from "@frontdesk/core/webhook/Delivery"
import { DeliveryStore } from "@frontdesk/core/webhook/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook/Webhook"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { DeliveryRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import * as Claim from "./Claim.ts"
import * as Recording from "./Recording.ts"

const show = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhookId,
  eventType: row.event.name,
  status: row.state === "leased" ? "pending" : row.state,
  createdAt: row.event.createdAt,
  nextAttemptAt: row.state === "pending" ? row.dueAt : null,
  attempts: row.attempts
})

const claimed = (state: State, row: DeliveryRow, leaseId: string): Option.Option<ClaimedDelivery> =>
  Option.map(Table.get(state.webhooks, row.webhookId), ({ webhook, secrets }) => ({
    key: row.key,
    id: row.id,
    leaseId,
    accountId: row.event.accountId,
    webhookId: row.webhookId,
    url: webhook.url,
    secrets,
    eventName: row.event.name,
    body: row.event.body,
    results: row.results,
    claims: row.claims,
    kind: row.kind
  }))

/** Changes the rows that satisfy a predicate; answers how many. */
const updateWhere = (
  state: State,
  predicate: (row: DeliveryRow) => boolean,
  change: (row: DeliveryRow) => DeliveryRow
): readonly [count: number, next: State] => {
  const rows = Table.where(state.deliveries, predicate)
  const next = rows.map((row): readonly [number, DeliveryRow] => [row.key, change(row)])
  return [rows.length, { ...state, deliveries: Table.replace(state.deliveries, next) }]
}

/** Deliveries in memory. */
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
                attempts: []
              }))[1],
            state.deliveries
          )
          return changed(undefined, { ...state, deliveries: added })
        }),
      claim: (request) =>
        database.modify((state) => {
          const chosen = Claim.choose(Table.where(state.deliveries, Claim.isOpen), request).map((row): DeliveryRow => ({
            ...row,
            state: "leased",
            dueAt: request.leaseUntil,
            lease: { id: request.leaseId, owner: request.owner },
            claims: row.claims + 1
          }))
          return changed(
            chosen.flatMap((row) => Option.toArray(claimed(state, row, request.leaseId))),
            {
              ...state,
              deliveries: Table.replace(
                state.deliveries,
                chosen.map((row) => [row.key, row] as const)
              )
            }
          )
        }),
      record: (results, now) =>
        database.modify((state) => {
          const recorded: Array<number> = []
          const next = results.reduce(
            (before, result) =>
              Option.match(Recording.record(before, result, now), {
                onNone: () => before,
                onSome: (after) => {
                  recorded.push(result.key)
                  return after
                }
              }),
            state
          )
          return changed(recorded, next)
        }),
      release: (owner, now) =>
        database.modify((state) =>
          changed(
            ...updateWhere(
              state,
              (row) => row.state === "leased" && row.lease?.owner === owner,
              (row) => ({ ...row, state: "pending", dueAt: now, lease: null })
            )
          )
        ),
      nextDue: (after) => database.read((state) => Claim.nextDue(Table.where(state.deliveries, Claim.isOpen), after)),
      list: (accountId, webhookId, status, page) =>
        database.read((state) => {
          const all = Table.where(state.deliveries, isOf(accountId, webhookId)).map(show)
          const wanted = Option.match(status, {
            onNone: () => all,
            onSome: (only) => all.filter((delivery) => delivery.status === only)
          })
          return Page.slice(wanted.toReversed(), page)
        }),
      find: (accountId, webhookId, id) =>
        database.read((state) => {
          const [row] = Table.where(state.deliveries, (row) => row.id === id && isOf(accountId, webhookId)(row))
          return Option.map(Option.fromUndefinedOr(row), show)
        }),
      redeliver: (accountId, webhookId, id, now) =>
        database.modify((state) =>
          changed(
            undefined,
            updateWhere(
              state,
              (row) => row.id === id && isOf(accountId, webhookId)(row) && !Claim.isOpen(row),
              (row) => ({ ...row, state: "pending", dueAt: now, kind: "manual", claims: 0 })
            )[1]
          )
        ),
      cancelPending: (webhookId) =>
        database.modify((state) =>
          changed(
            undefined,
            updateWhere(
              state,
              (row) => row.webhookId === webhookId && Claim.isOpen(row),
              (row) => ({ ...row, state: "cancelled", dueAt: null, lease: null })
            )[1]
          )
        )
    })
  })
)

import type { ClaimedDelivery } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import * as DeliveryTransition from "@frontdesk/core/delivery/DeliveryTransition"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { DeliveryRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"
import * as DeliveryClaim from "./DeliveryClaim.ts"
import * as DeliveryResults from "./DeliveryResults.ts"

/** Returns a claimed delivery as `claim` returns it. */
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
    dueAt: row.dueAt ?? row.event.createdAt,
    results: row.results,
    claims: row.claims + 1,
    kind: row.kind
  }))

/** Returns whether a delivery is not sent because its webhook is disabled. Tests and manual attempts are sent. */
const isUnwanted = (state: State, row: DeliveryRow): boolean =>
  row.kind === "automatic" &&
  row.event.name !== "webhook.test" &&
  Option.exists(Table.get(state.webhooks, row.webhookId), ({ webhook }) => webhook.status === "disabled")

/** The `DeliveryQueue` in memory. */
export const layer: Layer.Layer<DeliveryQueue, never, Database> = Layer.effect(
  DeliveryQueue,
  Effect.map(Database, (database) =>
    DeliveryQueue.of({
      claim: (request) =>
        database.modify((state) => {
          const chosen = DeliveryClaim.choose(Table.where(state.deliveries, DeliveryClaim.isOpen), request)
          const wanted = chosen.filter((row) => !isUnwanted(state, row))
          const next = chosen.map((row): readonly [number, DeliveryRow] => [
            row.key,
            isUnwanted(state, row)
              ? DeliveryResults.toCancelled(row)
              : {
                  ...row,
                  state: DeliveryTransition.after(row.state, "claim"),
                  dueAt: request.leaseUntil,
                  lease: { id: request.leaseId, owner: request.owner },
                  claims: row.claims + 1
                }
          ])
          return changed(
            wanted.flatMap((row) => Option.toArray(claimed(state, row, request.leaseId))),
            { ...state, deliveries: Table.replace(state.deliveries, next) }
          )
        }),
      isCurrent: ({ key, leaseId, url }) =>
        database.read((state) =>
          Option.exists(
            Table.get(state.deliveries, key),
            (row) =>
              row.state === "leased" &&
              row.lease?.id === leaseId &&
              !isUnwanted(state, row) &&
              Option.exists(Table.get(state.webhooks, row.webhookId), ({ webhook }) => webhook.url === url)
          )
        ),
      record: (results, now) =>
        database.modify((state) => {
          const [recorded, next] = DeliveryResults.record(state, results, now)
          return changed({ recorded, deferred: [] }, next)
        }),
      postpone: (keys, leaseId, dueAt) =>
        database.modify((state) =>
          changed(
            undefined,
            DeliveryResults.updateWhere(
              state,
              (row) => row.state === "leased" && row.lease?.id === leaseId && keys.includes(row.key),
              (row) => ({
                ...row,
                state: DeliveryTransition.after(row.state, "postpone"),
                dueAt,
                lease: null,
                claims: row.claims - 1
              })
            )[1]
          )
        ),
      release: (owner, now) =>
        database.modify((state) =>
          changed(
            ...DeliveryResults.updateWhere(
              state,
              (row) => row.state === "leased" && row.lease?.owner === owner && !DeliveryClaim.isDue(row, now),
              (row) => ({ ...row, state: DeliveryTransition.after(row.state, "release"), dueAt: now, lease: null })
            )
          )
        ),
      nextDue: (after) =>
        database.read((state) => DeliveryClaim.nextDue(Table.where(state.deliveries, DeliveryClaim.isOpen), after)),
      oldestDue: database.read((state) => DeliveryClaim.oldestDue(Table.where(state.deliveries, DeliveryClaim.isOpen)))
    })
  )
)

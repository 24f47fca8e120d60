import type { AccountId } from "@frontdesk/core/access/Account"
import { type Delivery, type DeliveryId, type DeliveryStatus, maxListed } from "@frontdesk/core/delivery/Delivery"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { mutantsOf } from "./Mutant.ts"

type Store = DeliveryStore["Service"]

/** Returns an `add` that remembers the account of each webhook, and the accounts. */
const rememberAccounts = (store: Store) => {
  const accounts = new Map<WebhookId, AccountId>()
  const add: Store["add"] = (event) => {
    for (const { webhookId } of event.deliveries) accounts.set(webhookId, event.accountId)
    return store.add(event)
  }
  return { add, accounts }
}

/** Returns a mutation of `cancelOpen` that receives the account, and a function that lists deliveries of the webhook. */
const cancelling =
  (
    cancel: (
      store: Store,
      webhook: { readonly accountId: AccountId; readonly webhookId: WebhookId },
      accounts: ReadonlyMap<WebhookId, AccountId>
    ) => ReturnType<Store["cancelOpen"]>
  ) =>
  (store: Store): Pick<Store, "add" | "cancelOpen"> => {
    const { accounts, add } = rememberAccounts(store)
    return {
      add,
      cancelOpen: (webhookId) => {
        const accountId = accounts.get(webhookId)
        return accountId === undefined ? store.cancelOpen(webhookId) : cancel(store, { accountId, webhookId }, accounts)
      }
    }
  }

const listAll = (store: Store, accountId: AccountId, webhookId: WebhookId, status: DeliveryStatus) =>
  Effect.map(store.list(accountId, webhookId, Option.some(status), { page: 1, limit: maxListed }), ({ items }) => items)

/** Returns a mutation of `cancelOpen` after which some of the deliveries that were open are open again. */
const leaving = (isLeft: (delivery: Delivery, index: number) => boolean) =>
  cancelling(
    Effect.fnUntraced(function* (store, { accountId, webhookId }) {
      const open = (yield* listAll(store, accountId, webhookId, "pending")).toReversed()
      yield* store.cancelOpen(webhookId)
      for (const { createdAt, id, nextAttemptAt } of open.filter(isLeft)) {
        yield* store.redeliver(accountId, webhookId, id, nextAttemptAt ?? createdAt)
      }
    })
  )

/** Returns a mutation of `cancelOpen` that also cancels finished deliveries. */
const cancellingAlso = (status: DeliveryStatus) =>
  cancelling(
    Effect.fnUntraced(function* (store, { accountId, webhookId }) {
      for (const { createdAt, id } of yield* listAll(store, accountId, webhookId, status)) {
        yield* store.redeliver(accountId, webhookId, id, createdAt)
      }
      yield* store.cancelOpen(webhookId)
    })
  )

/** Returns a mutation of `cancelOpen` that cancels the deliveries of all webhooks which have some in common with it. */
const cancellingOthers = (isCancelled: (other: AccountId, accountId: AccountId) => boolean) =>
  cancelling((store, { accountId, webhookId }, accounts) =>
    Effect.forEach(
      [...accounts].filter(([id, other]) => id === webhookId || isCancelled(other, accountId)),
      ([id]) => store.cancelOpen(id),
      { discard: true }
    )
  )

/** Mutants of `DeliveryStore.cancelOpen`. */
export const cancelOpen = mutantsOf(DeliveryStore, {
  "cancelOpen has no effect": () => ({ cancelOpen: () => Effect.void }),
  "cancelOpen leaves a delivery in flight": leaving(({ nextAttemptAt }) => nextAttemptAt === null),
  "cancelOpen leaves a pending delivery": leaving(({ nextAttemptAt }) => nextAttemptAt !== null),
  "cancelOpen leaves a delivery that waits for its second attempt": leaving(
    ({ attempts, nextAttemptAt }) => attempts.length > 0 && nextAttemptAt !== null
  ),
  "cancelOpen leaves a delivery that is due later": leaving(
    ({ createdAt, nextAttemptAt }) => nextAttemptAt !== null && DateTime.isGreaterThan(nextAttemptAt, createdAt)
  ),
  "cancelOpen leaves a webhook.test": leaving(({ eventType }) => eventType === "webhook.test"),
  "cancelOpen leaves a redelivered delivery": (store) => {
    const redelivered = new Set<DeliveryId>()
    return {
      ...leaving(({ id, nextAttemptAt }) => nextAttemptAt !== null && redelivered.has(id))(store),
      redeliver: (accountId, webhookId, id, now) => {
        redelivered.add(id)
        return store.redeliver(accountId, webhookId, id, now)
      }
    }
  },
  "cancelOpen cancels only the first delivery": leaving((_, index) => index > 0),
  "cancelOpen leaves the last of many deliveries, which are then claimed": leaving((_, index) => index >= 200),
  "cancelOpen cancels delivered deliveries": cancellingAlso("delivered"),
  "cancelOpen cancels failed deliveries": cancellingAlso("failed"),
  "cancelOpen cancels the deliveries of all webhooks": cancellingOthers(() => true),
  "cancelOpen cancels the deliveries of all webhooks of the account": cancellingOthers(
    (other, accountId) => other === accountId
  ),
  "cancelOpen does not end the lease of what it cancels": (store) => {
    const shown = new Map<DeliveryId, Delivery>()
    return {
      ...cancelling(
        Effect.fnUntraced(function* (_, { accountId, webhookId }) {
          const open = yield* listAll(store, accountId, webhookId, "pending")
          if (open.every(({ nextAttemptAt }) => nextAttemptAt !== null)) return yield* store.cancelOpen(webhookId)
          for (const one of open) shown.set(one.id, { ...one, status: "cancelled", nextAttemptAt: null })
        })
      )(store),
      find: (accountId, webhookId, id) =>
        Effect.map(
          store.find(accountId, webhookId, id),
          Option.map((found) => shown.get(id) ?? found)
        )
    }
  }
})

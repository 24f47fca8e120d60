import type { AccountId } from "@frontdesk/core/access/Account"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { filterPage, justAfter, justBefore, mutantsOf, reversed, reversedPage } from "./Mutant.ts"

type Store = DeliveryStore["Service"]

/**
 * Mutants of `DeliveryStore`. Those of `cancelOpen` are in `mutant/deliveryCancellation`, those of `purge` in
 * {@link purge}.
 */
export const deliveryStore = mutantsOf(DeliveryStore, {
  "add stores one delivery of a webhook event": (store) => ({
    add: (event) => store.add({ ...event, deliveries: event.deliveries.slice(0, 1) })
  }),
  "add makes the deliveries due a millisecond late": (store) => ({
    add: (event) => store.add({ ...event, createdAt: justAfter(event.createdAt) })
  }),
  "add changes the body": (store) => ({ add: (event) => store.add({ ...event, body: event.body.slice(1) }) }),
  "list returns the oldest delivery first": (store) => ({
    list: (accountId, webhookId, status, page) => reversedPage(store.list(accountId, webhookId, status, page))
  }),
  "list ignores the status": (store) => ({
    list: (accountId, webhookId, _status, page) => store.list(accountId, webhookId, Option.none(), page)
  }),
  "list shows no attempts": (store) => ({
    list: (accountId, webhookId, status, page) =>
      Effect.map(store.list(accountId, webhookId, status, page), (found) => ({
        ...found,
        items: found.items.map((delivery) => ({ ...delivery, attempts: [] }))
      }))
  }),
  "list leaves out finished deliveries": (store) => ({
    list: (accountId, webhookId, status, page) =>
      filterPage(store.list(accountId, webhookId, status, page), (delivery) => delivery.status === "pending")
  }),
  "listAbout is empty": (store) => ({ listAbout: (accountId, _subject, page) => store.listAbout(accountId, "", page) }),
  "listAbout returns the oldest delivery first": (store) => ({
    listAbout: (accountId, subject, page) => reversedPage(store.listAbout(accountId, subject, page))
  }),
  "listAbout leaves out deliveries with an attempt": (store) => ({
    listAbout: (accountId, subject, page) =>
      filterPage(store.listAbout(accountId, subject, page), (delivery) => delivery.attempts.length === 0)
  }),
  "listAbout returns the deliveries about another subject": (store) => ({
    listAbout: (accountId, subject, page) => store.listAbout(accountId, `${subject}1`, page)
  }),
  "listAbout does not say that it is capped": (store) => ({
    listAbout: (accountId, subject, page) =>
      Effect.map(store.listAbout(accountId, subject, page), (found) => ({ ...found, isCapped: false }))
  }),
  "list does not say that it is capped": (store) => ({
    list: (accountId, webhookId, status, page) =>
      Effect.map(store.list(accountId, webhookId, status, page), (found) => ({ ...found, isCapped: false }))
  }),
  "find ignores the account": (store) => ({
    find: (accountId, webhookId, id) =>
      Effect.flatMap(store.locate(id), (owner) =>
        store.find(Option.match(owner, { onNone: () => accountId, onSome: (one) => one.accountId }), webhookId, id)
      )
  }),
  "find ignores the webhook": (store) => ({
    find: (accountId, webhookId, id) =>
      Effect.flatMap(store.locate(id), (owner) =>
        store.find(accountId, Option.match(owner, { onNone: () => webhookId, onSome: (one) => one.webhookId }), id)
      )
  }),
  "find returns the attempts in reverse order": (store) => ({
    find: (accountId, webhookId, id) =>
      Effect.map(
        store.find(accountId, webhookId, id),
        Option.map((delivery) => ({ ...delivery, attempts: delivery.attempts.toReversed() }))
      )
  }),
  "redeliver has no effect": () => ({ redeliver: () => Effect.void }),
  "redeliver makes a delivery due a millisecond late": (store) => ({
    redeliver: (accountId, webhookId, id, now) => store.redeliver(accountId, webhookId, id, justAfter(now))
  }),
  "redeliver ignores the account": (store) => ({
    redeliver: (accountId, webhookId, id, now) =>
      Effect.flatMap(store.locate(id), (owner) =>
        store.redeliver(
          Option.match(owner, { onNone: () => accountId, onSome: (one) => one.accountId }),
          webhookId,
          id,
          now
        )
      )
  }),
  "redeliverFailed has no effect": () => ({ redeliverFailed: () => Effect.succeed({ count: 0, after: null }) }),
  "redeliverFailed ignores the limit": (store) => ({
    redeliverFailed: (which, now) => store.redeliverFailed({ ...which, limit: 10_000 }, now)
  }),
  "redeliverFailed leaves out a webhook event at `since`": (store) => ({
    redeliverFailed: (which, now) => store.redeliverFailed({ ...which, since: justAfter(which.since) }, now)
  }),
  "redeliverFailed leaves out a webhook event at `until`": (store) => ({
    redeliverFailed: (which, now) => store.redeliverFailed({ ...which, until: justBefore(which.until) }, now)
  }),
  "redeliverFailed begins again in each step": (store) => ({
    redeliverFailed: (which, now) =>
      Effect.map(store.redeliverFailed({ ...which, after: null }, now), (step) => ({
        ...step,
        after: step.count === 0 ? null : step.after
      }))
  }),
  "countOpen is zero": () => ({ countOpen: () => Effect.succeed(0) }),
  "countOpen ignores the maximum": (store) => ({ countOpen: () => store.countOpen(1_000) }),
  "backlog is zero": () => ({ backlog: () => Effect.succeed(0) }),
  "request returns none": () => ({ request: () => Effect.succeedNone }),
  "request ignores the previous secret": (store) => ({
    request: (accountId, webhookId, id) =>
      Effect.map(
        store.request(accountId, webhookId, id),
        Option.map((request) => ({ ...request, secrets: { ...request.secrets, previous: null } }))
      )
  }),
  "request changes the body": (store) => ({
    request: (accountId, webhookId, id) =>
      Effect.map(
        store.request(accountId, webhookId, id),
        Option.map((request) => ({ ...request, body: request.body.slice(1) }))
      )
  }),
  "locate returns none": () => ({ locate: () => Effect.succeedNone }),
  "lastAnswers is empty": () => ({ lastAnswers: () => Effect.succeed(new Map()) }),
  "lastAnswers leaves out empty answers": (store) => ({
    lastAnswers: (accountId, webhookId, ids) =>
      Effect.map(
        store.lastAnswers(accountId, webhookId, ids),
        (answers) => new Map([...answers].filter(([, answer]) => answer !== ""))
      )
  }),
  "lastAnswers includes deliveries without an attempt": (store) => ({
    lastAnswers: (accountId, webhookId, ids) =>
      Effect.map(
        store.lastAnswers(accountId, webhookId, ids),
        (answers) => new Map(ids.map((id) => [id, answers.get(id) ?? ""] as const))
      )
  }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed({ count: 0, after: null }) }),
  "sweep deletes a webhook event of exactly the time": (store) => ({
    sweep: (which) => store.sweep({ ...which, before: justAfter(which.before) })
  }),
  "sweep ignores the limit of rows": (store) => ({
    sweep: (which) => store.sweep({ ...which, limit: { ...which.limit, rows: 10_000 } })
  }),
  "sweep ignores the limit of bytes": (store) => ({
    sweep: (which) => store.sweep({ ...which, limit: { ...which.limit, bytes: Number.MAX_SAFE_INTEGER } })
  }),
  "sweep ends after one step": (store) => ({
    sweep: (which) => Effect.map(store.sweep(which), (step) => ({ ...step, after: null }))
  })
})

/** A webhook event that was added for several webhooks. */
interface SharedEvent {
  readonly accountId: AccountId
  readonly webhookIds: ReadonlyArray<WebhookId>
}

/**
 * Returns a mutation of `purge` that receives the webhooks of each webhook event with several webhooks: those that were
 * deleted and those that still need it. The tests provide the store of the webhooks.
 */
const purgingShared =
  (
    make: (
      store: Store
    ) => (
      limit: Parameters<Store["purge"]>[0],
      events: ReadonlyArray<{ readonly deleted: ReadonlyArray<WebhookId>; readonly needing: ReadonlyArray<WebhookId> }>
    ) => ReturnType<Store["purge"]>
  ) =>
  (store: Store): Pick<Store, "add" | "purge"> => {
    const events: Array<SharedEvent> = []
    const purge = make(store)
    return {
      add: (event) => {
        const webhookIds = [...new Set(event.deliveries.map(({ webhookId }) => webhookId))]
        if (webhookIds.length > 1) events.push({ accountId: event.accountId, webhookIds })
        return store.add(event)
      },
      purge: Effect.fnUntraced(function* (limit) {
        const webhooks = yield* Effect.serviceOption(WebhookStore)
        if (Option.isNone(webhooks)) return yield* store.purge(limit)
        const states = yield* Effect.forEach(events, ({ accountId, webhookIds }) =>
          Effect.map(webhooks.value.list(accountId), (all) => {
            const isNeeding = (webhookId: WebhookId) => all.some(({ id }) => id === webhookId)
            return {
              deleted: webhookIds.filter((id) => !isNeeding(id)),
              needing: webhookIds.filter(isNeeding)
            }
          })
        )
        return yield* purge(limit, states)
      })
    }
  }

/** Returns a mutation of `purge` that does something with the webhooks that still need a webhook event. */
const purgingNeeded = (
  change: (store: Store, needing: ReadonlyArray<WebhookId>) => Effect.Effect<unknown, StorageError>
) =>
  purgingShared(
    (store) => (limit, events) =>
      Effect.andThen(
        Effect.forEach(
          events.filter(({ deleted, needing }) => deleted.length > 0 && needing.length > 0),
          ({ needing }) => change(store, needing)
        ),
        store.purge(limit)
      )
  )

const cancelAll = (store: Store, webhookIds: ReadonlyArray<WebhookId>) =>
  Effect.forEach(webhookIds, store.cancelOpen, { discard: true })

/** Deletes every webhook event whose deliveries have finished. */
const sweepAll = (store: Store) =>
  store.sweep({
    before: DateTime.makeUnsafe(8.64e15),
    after: null,
    limit: { rows: 10_000, bytes: Number.MAX_SAFE_INTEGER }
  })

/**
 * Mutants of `DeliveryStore.purge`. Only a storage that deletes deliveries in steps after the deletion of their webhook
 * finds all of them, unlike the one in memory.
 */
export const purge = mutantsOf(DeliveryStore, {
  "purge has no effect": () => ({ purge: () => Effect.succeed(false) }),
  "purge returns false after each step": (store) => ({ purge: (limit) => Effect.as(store.purge(limit), false) }),
  "purge returns true when it finds nothing": (store) => ({ purge: (limit) => Effect.as(store.purge(limit), true) }),
  "purge ignores the limit of rows": (store) => ({ purge: (limit) => store.purge({ ...limit, rows: 1_000 }) }),
  "purge ignores the limit of bytes": (store) => ({
    purge: (limit) => store.purge({ ...limit, bytes: Number.MAX_SAFE_INTEGER })
  }),
  "purge deletes finished webhook events of every webhook": (store) => ({
    purge: (limit) => {
      const before = DateTime.makeUnsafe(8.64e15)
      return Effect.andThen(store.sweep({ before, after: null, limit }), store.purge(limit))
    }
  }),
  "purge deletes a webhook event that another webhook waits for": purgingNeeded((store, needing) =>
    Effect.andThen(cancelAll(store, needing), sweepAll(store))
  ),
  "purge deletes a webhook event that another webhook has received": purgingNeeded(sweepAll),
  "purge cancels the deliveries of a webhook event to other webhooks": purgingNeeded(cancelAll),
  "purge keeps a webhook event that it has kept once, when its last webhook is deleted": purgingShared((store) => {
    const kept = new Set<number>()
    return (limit, events) => {
      if (events.some(({ needing }, index) => needing.length === 0 && kept.has(index))) return Effect.succeed(false)
      events.forEach(({ deleted, needing }, index) => deleted.length > 0 && needing.length > 0 && kept.add(index))
      return store.purge(limit)
    }
  }),
  "purge does not cancel what cancelOpen has left": (store) => {
    let isLeft = false
    return {
      add: (event) =>
        Effect.andThen(
          Effect.sync(() => (isLeft = false)),
          store.add(event)
        ),
      cancelOpen: (webhookId) =>
        Effect.andThen(
          Effect.sync(() => (isLeft = true)),
          store.cancelOpen(webhookId)
        ),
      purge: (limit) => (isLeft ? Effect.succeed(false) : store.purge(limit))
    }
  }
})

/** Mutants of `DeliveryQueue`. Those of `record` are in `mutant/deliveryRecord`. */
export const deliveryQueue = mutantsOf(DeliveryQueue, {
  "claim returns a delivery a millisecond early": (queue) => ({
    claim: (request) => queue.claim({ ...request, now: justAfter(request.now) })
  }),
  "claim returns a delivery a millisecond late": (queue) => ({
    claim: (request) => queue.claim({ ...request, now: justBefore(request.now) })
  }),
  "claim does not lease": (queue) => ({ claim: (request) => queue.claim({ ...request, leaseUntil: request.now }) }),
  "claim leases for a day": (queue) => ({
    claim: (request) => queue.claim({ ...request, leaseUntil: DateTime.add(request.leaseUntil, { days: 1 }) })
  }),
  "claim ignores the limit": (queue) => ({ claim: (request) => queue.claim({ ...request, limit: 1_000 }) }),
  "claim ignores perWebhook": (queue) => ({ claim: (request) => queue.claim({ ...request, perWebhook: 1_000 }) }),
  "claim ignores the places that a webhook has taken": (queue) => ({
    claim: (request) => queue.claim({ ...request, takenPlaces: new Map() })
  }),
  "claim ignores the places of an account": (queue) => ({
    claim: (request) => queue.claim({ ...request, takenByAccount: new Map() })
  }),
  "claim returns the longest due last": (queue) => ({ claim: (request) => reversed(queue.claim(request)) }),
  "claim counts no claims": (queue) => ({
    claim: (request) => Effect.map(queue.claim(request), (all) => all.map((one) => ({ ...one, claims: 1 })))
  }),
  "claim counts no results": (queue) => ({
    claim: (request) => Effect.map(queue.claim(request), (all) => all.map((one) => ({ ...one, results: 0 })))
  }),
  "claim returns every attempt as automatic": (queue) => ({
    claim: (request) => Effect.map(queue.claim(request), (all) => all.map((one) => ({ ...one, kind: "automatic" })))
  }),
  "claim leaves out the replaced secret": (queue) => ({
    claim: (request) =>
      Effect.map(queue.claim(request), (all) =>
        all.map((one) => ({ ...one, secrets: { ...one.secrets, previous: null } }))
      )
  }),
  "isCurrent is always true": () => ({ isCurrent: () => Effect.succeed(true) }),
  "isCurrent is always false": () => ({ isCurrent: () => Effect.succeed(false) }),
  "postpone has no effect": () => ({ postpone: () => Effect.void }),
  "postpone makes a delivery due a millisecond late": (queue) => ({
    postpone: (keys, leaseId, dueAt) => queue.postpone(keys, leaseId, justAfter(dueAt))
  }),
  "postpone postpones one delivery": (queue) => ({
    postpone: (keys, leaseId, dueAt) => queue.postpone(keys.slice(0, 1), leaseId, dueAt)
  }),
  "postpone ignores the lease": (queue) => {
    const leases = new Map<number, string>()
    return {
      claim: (request) =>
        Effect.tap(queue.claim(request), (all) =>
          Effect.sync(() => all.forEach(({ key, leaseId }) => leases.set(key, leaseId)))
        ),
      postpone: (keys, leaseId, dueAt) =>
        Effect.forEach(keys, (key) => queue.postpone([key], leases.get(key) ?? leaseId, dueAt), { discard: true })
    }
  },
  "release has no effect": () => ({ release: () => Effect.succeed(0) }),
  "release returns 1": (queue) => ({ release: (owner, now) => Effect.as(queue.release(owner, now), 1) }),
  "release ignores the owner": (queue) => {
    const owners = new Set<string>()
    return {
      claim: (request) =>
        Effect.andThen(
          Effect.sync(() => owners.add(request.owner)),
          queue.claim(request)
        ),
      release: (_owner, now) =>
        Effect.map(
          Effect.forEach([...owners], (owner) => queue.release(owner, now)),
          (counts) => counts.reduce((sum, count) => sum + count, 0)
        )
    }
  },
  "nextDue includes the instant": (queue) => ({ nextDue: (after) => queue.nextDue(justBefore(after)) }),
  "nextDue returns none": () => ({ nextDue: () => Effect.succeedNone }),
  "oldestDue returns none": () => ({ oldestDue: Effect.succeedNone }),
  "oldestDue leaves out what is due": (queue) => ({
    oldestDue: Effect.flatMap(DateTime.now, queue.nextDue)
  })
})

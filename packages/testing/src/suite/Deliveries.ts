import type { AccountId } from "@frontdesk/core/access/Account"
import {
  type ClaimedDelivery,
  DeliveryId,
  type DeliveryResult,
  type NewWebhookEvent
} from "@frontdesk/core/delivery/Delivery"
import { type ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore, type Step } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"

/** A webhook by its id and account. */
export interface Target {
  readonly id: WebhookId
  readonly accountId: AccountId
}

/** Keeps an event for one webhook, due at `Samples.now` unless the fields say otherwise; answers the delivery's id. */
export const add = (webhook: Target, subject: string, fields: Partial<NewWebhookEvent> = {}) =>
  Effect.gen(function* () {
    const id = newId()
    yield* (yield* DeliveryStore).add({
      accountId: webhook.accountId,
      name: "call.ended",
      subject,
      body: new TextEncoder().encode(`{"subject":"${subject}"}`),
      createdAt: Samples.now,
      deliveries: [{ id, webhookId: webhook.id }],
      ...fields
    })
    return id
  })

/** A delivery id that no other delivery has. */
export const newId = (): DeliveryId => DeliveryId.make(crypto.randomUUID())

/** Claims at so many minutes after `Samples.now`, for half a minute, as many as there are unless asked otherwise. */
export const claim = (minutes: number, asked: Partial<ClaimRequest> = {}) =>
  Effect.flatMap(DeliveryQueue, (queue) =>
    queue.claim({
      now: Samples.later(minutes),
      leaseUntil: Samples.later(minutes + 0.5),
      leaseId: crypto.randomUUID(),
      owner: "owner",
      limit: 1_000,
      perWebhook: 1_000,
      inFlight: new Map(),
      ...asked
    })
  )

/** A result of a claimed delivery: a success, or a failure to be tried again so many minutes after `Samples.now`. */
export const result = (claimed: ClaimedDelivery, retryAt: number | null): DeliveryResult => ({
  key: claimed.key,
  leaseId: claimed.leaseId,
  webhookId: claimed.webhookId,
  url: claimed.url,
  kind: claimed.kind,
  attempt: {
    startedAt: Samples.later(1),
    durationMs: 12,
    statusCode: retryAt === null ? 204 : 503,
    error: retryAt === null ? null : "the answer was 503"
  },
  responseBody: retryAt === null ? "" : "<h1>ü</h1>",
  next: retryAt === null ? { state: "delivered" } : { state: "pending", dueAt: Samples.later(retryAt) },
  webhookStatus: retryAt === null ? "active" : null
})

/** The last failure: the delivery is given up, and the webhook moves to the status. */
export const giveUp = (claimed: ClaimedDelivery, webhookStatus: DeliveryResult["webhookStatus"]): DeliveryResult => ({
  ...result(claimed, 0),
  next: { state: "failed" },
  webhookStatus
})

/** Takes steps until there is no more to do; answers what each changed. */
export const walk = <E, R>(
  take: (after: number | null) => Effect.Effect<Step, E, R>
): Effect.Effect<ReadonlyArray<number>, E, R> =>
  Effect.gen(function* () {
    const counts: Array<number> = []
    let after: number | null = null
    do {
      const step: Step = yield* take(after)
      counts.push(step.count)
      after = step.after
    } while (after !== null)
    return counts
  })

/** Purges everything that deleted webhooks have left. */
export const purge = Effect.gen(function* () {
  const store = yield* DeliveryStore
  while (yield* store.purge(Samples.rows(1_000)));
})

/** The store; no event is left in it. */
export const swept = Effect.gen(function* () {
  yield* empty
  yield* purge
  const store = yield* DeliveryStore
  yield* walk((after) =>
    store.sweep({ before: Samples.at("2200-01-01T00:00:00.000Z"), after, limit: Samples.rows(1_000) })
  )
  return store
})

/** The queue; no delivery of another test is left in it. */
export const empty = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const farAway = Samples.at("2200-01-01T00:00:00.000Z")
  const rest = claim(0, { now: farAway, leaseUntil: farAway })
  for (let taken = yield* rest; taken.length > 0; taken = yield* rest) {
    const webhookIds = new Set(taken.map((delivery) => delivery.webhookId))
    yield* Effect.forEach(webhookIds, (id) => store.cancelPending(id), { discard: true })
  }
  return yield* DeliveryQueue
})

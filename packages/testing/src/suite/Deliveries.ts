import type { AccountId } from "@frontdesk/core/access/Account"
import {
  type ClaimedDelivery,
  DeliveryId,
  type DeliveryResult,
  type NewWebhookEvent
} from "@frontdesk/core/delivery/Delivery"
import { type ClaimRequest, DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Samples from "./Samples.ts"

/** A webhook, identified by its id and account. */
export interface Target {
  readonly id: WebhookId
  readonly accountId: AccountId
}

/** Stores a webhook of an account of its own, and returns it. */
export const newWebhook = Effect.suspend(() =>
  Effect.flatMap(Samples.makeAccount(), ({ id }) => Samples.makeWebhook(id))
)

/**
 * Stores a webhook event with one delivery, due at `Samples.now` unless `fields` has another time. Returns the
 * delivery's id.
 */
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

/** Stores a webhook event of some minutes after `Samples.now` with one delivery. Returns the delivery's id. */
export const addAt = (webhook: Target, minutes: number) =>
  add(webhook, `call:${minutes}`, { createdAt: Samples.later(minutes) })

/** Returns a random delivery id. */
export const newId = (): DeliveryId => DeliveryId.make(crypto.randomUUID())

/** The length of the lease of {@link claim}, in minutes. */
export const leaseMinutes = 0.5

/**
 * Claims the deliveries that are due some minutes after `Samples.now`, with a lease of {@link leaseMinutes}. `request`
 * replaces the default limits.
 */
export const claim = (minutes: number, request: Partial<ClaimRequest> = {}) =>
  Effect.flatMap(DeliveryQueue, (queue) =>
    queue.claim({
      now: Samples.later(minutes),
      leaseUntil: Samples.later(minutes + leaseMinutes),
      leaseId: crypto.randomUUID(),
      owner: "owner",
      limit: 1_000,
      perWebhook: 1_000,
      takenPlaces: new Map(),
      takenByAccount: new Map(),
      ...request
    })
  )

/** Claims the only delivery that is due some minutes after `Samples.now`. Dies if none or several are due. */
export const claimOne = (minutes: number) =>
  Effect.gen(function* () {
    const [claimed, ...rest] = yield* claim(minutes)
    if (claimed === undefined || rest.length > 0) return yield* Effect.die("not exactly one delivery was due")
    return claimed
  })

/** Returns the stored delivery with an id. */
export const find = (webhook: Target, id: DeliveryId) =>
  Effect.flatMap(DeliveryStore, (store) => store.find(webhook.accountId, webhook.id, id))

/** Returns the stored webhook. */
export const findWebhook = (webhook: Target) =>
  Effect.flatMap(WebhookStore, (webhooks) => webhooks.find(webhook.accountId, webhook.id))

/**
 * Returns the result of a claimed delivery: a success for null, or a failure with the next attempt `retryAt` minutes
 * after `Samples.now`.
 */
export const result = (claimed: ClaimedDelivery, retryAt: number | null): DeliveryResult => ({
  key: claimed.key,
  leaseId: claimed.leaseId,
  accountId: claimed.accountId,
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

/**
 * Returns the result of a last failed attempt: the delivery becomes `failed`, the webhook gets the status (null:
 * unchanged).
 */
export const finalFailure = (
  claimed: ClaimedDelivery,
  webhookStatus: DeliveryResult["webhookStatus"]
): DeliveryResult => ({
  ...result(claimed, 0),
  next: { state: "failed" },
  webhookStatus
})

/** The result of one step through many rows. Its `after` is where the next step continues. */
interface StepFrom<Place> {
  readonly count: number
  readonly after: Place | null
}

/** Takes steps until the last one. Returns how many rows each step changed. */
export const takeAllSteps = <E, R, Place = number>(
  take: (after: Place | null) => Effect.Effect<StepFrom<Place>, E, R>
): Effect.Effect<ReadonlyArray<number>, E, R> =>
  Effect.gen(function* () {
    const counts: Array<number> = []
    let after: Place | null = null
    do {
      const step: StepFrom<Place> = yield* take(after)
      counts.push(step.count)
      after = step.after
    } while (after !== null)
    return counts
  })

/** Purges all remaining deliveries of deleted webhooks. */
export const purge = Effect.gen(function* () {
  const store = yield* DeliveryStore
  while (yield* store.purge(Samples.rowLimit(1_000)));
})

/** Deletes every webhook event and delivery. Returns the store. */
export const emptyStore = Effect.gen(function* () {
  yield* emptyQueue
  yield* purge
  const store = yield* DeliveryStore
  yield* takeAllSteps((after) =>
    store.sweep({ before: Samples.at("2200-01-01T00:00:00.000Z"), after, limit: Samples.rowLimit(1_000) })
  )
  return store
})

/** Cancels every open delivery that an earlier test left. Returns the queue. */
export const emptyQueue = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const farFuture = Samples.at("2200-01-01T00:00:00.000Z")
  const rest = claim(0, { now: farFuture, leaseUntil: farFuture })
  const cancelled = new Set<number>()
  for (let taken = yield* rest; taken.length > 0; taken = yield* rest) {
    // Without this check the loop would never end for a storage that does not cancel.
    if (taken.some(({ key }) => cancelled.has(key))) {
      return yield* Effect.die(new Error("claim returned a delivery that cancelOpen and purge must have cancelled"))
    }
    for (const { key } of taken) cancelled.add(key)
    const webhookIds = new Set(taken.map((delivery) => delivery.webhookId))
    yield* Effect.forEach(webhookIds, (id) => store.cancelOpen(id), { discard: true })
    // A storage may leave some of many deliveries to the purge, and claims none of them until then.
    yield* purge
  }
  return yield* DeliveryQueue
})

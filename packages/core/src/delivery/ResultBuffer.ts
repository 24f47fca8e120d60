import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import type { StorageError } from "../storage/StorageError.ts"
import type { DeliveryResult } from "./Delivery.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** How results are collected before they are recorded. */
export interface BatchSettings {
  /** How many results are recorded without waiting for more; half of what is in flight, if that is more. */
  readonly size: number
  /** How long the first result of a batch waits for others, in milliseconds. */
  readonly delayMillis: number
  /** How many results wait at most because another writer holds their webhook. */
  readonly maxDeferred: number
}

/**
 * The results of attempts until they are recorded; times in milliseconds of the monotonic clock.
 *
 * A result stays true however long the store is out of reach. So it is kept, and offered until the store has it; if another
 * process has claimed the delivery by then, it changes nothing. A batch that the store refuses is offered again in halves,
 * in turn with what is new, so that one result that cannot be recorded delays the others only briefly. A result whose
 * webhook another writer holds is offered again with the next batch.
 */
export interface ResultBuffer {
  readonly settings: BatchSettings
  /** What has not been offered yet. */
  readonly fresh: ReadonlyArray<DeliveryResult>
  /** When the fresh results are offered at the latest. */
  readonly batchAt: number
  /** What the store is recording now. */
  readonly offered: ReadonlyArray<DeliveryResult>
  /** What the store refused, in the parts in which it is offered again. */
  readonly refused: ReadonlyArray<ReadonlyArray<DeliveryResult>>
  /** Why the store refused something last; null when nothing refused waits. */
  readonly refusal: StorageError | null
  /** The results whose webhook another writer holds, the first first, with the time since when. */
  readonly deferred: ReadonlyMap<DeliveryResult, number>
  /** Whether the log says that results have been waiting for other writers for long. */
  readonly isDeferralReported: boolean
  /** The webhooks whose results could not be recorded: nothing of them is claimed until they are. */
  readonly deferredWebhooks: ReadonlySet<WebhookId>
  /** How many offers in a row settled nothing. */
  readonly failedOffers: number
  /** Nothing is offered before. */
  readonly restUntil: number
  /** Whether the next offer is a part of what was refused. */
  readonly isTurnOfRefused: boolean
}

/** What the log says of results that wait or are lost. */
export type Report =
  | { readonly _tag: "ResultsRefused"; readonly error: StorageError }
  | { readonly _tag: "ResultsDiscarded"; readonly count: number; readonly reason: unknown }
  | { readonly _tag: "WebhooksDeferred"; readonly count: number }

/** What an offer came to. */
export interface Outcome {
  readonly buffer: ResultBuffer
  /** What is over: recorded, given up, or of a lease that was lost. */
  readonly settled: ReadonlyArray<DeliveryResult>
  readonly reports: ReadonlyArray<Report>
}

/** The longest rest before results are offered again. */
const maxRestMillis = 400

/** How long others may hold a webhook before the log says so. */
const reportAfterMillis = Duration.toMillis("5 seconds")

/** Returns a recording without results. */
export const make = (settings: BatchSettings): ResultBuffer => ({
  settings,
  fresh: [],
  batchAt: 0,
  offered: [],
  refused: [],
  refusal: null,
  deferred: new Map(),
  isDeferralReported: false,
  deferredWebhooks: new Set(),
  failedOffers: 0,
  restUntil: 0,
  isTurnOfRefused: false
})

/** All results that are not settled. */
export const all = ({ deferred, fresh, offered, refused }: ResultBuffer): ReadonlyArray<DeliveryResult> => [
  ...new Set([...deferred.keys(), ...offered, ...refused.flat(), ...fresh])
]

/** How many results are not settled and do not wait for another writer. */
export const countWaiting = ({ deferred, fresh, offered, refused }: ResultBuffer): number =>
  fresh.length +
  offered.filter((result) => !deferred.has(result)).length +
  refused.reduce((sum, part) => sum + part.length, 0)

/** The recording with one more result. */
export const add = (buffer: ResultBuffer, result: DeliveryResult, now: number): ResultBuffer => ({
  ...buffer,
  fresh: [...buffer.fresh, result],
  batchAt: buffer.fresh.length === 0 ? now + buffer.settings.delayMillis : buffer.batchAt
})

/** Whether the next offer is a part of what was refused. */
const isPartNext = ({ deferred, fresh, isTurnOfRefused, refused }: ResultBuffer): boolean =>
  refused.length > 0 && (isTurnOfRefused || fresh.length + deferred.size === 0)

/**
 * When something is offered next; infinity while the store is recording, or when there is nothing. `sending` tells how many
 * deliveries may still bring a result. A recording that is closing does not wait for more.
 */
export const offerAt = (buffer: ResultBuffer, sending: number, isClosing: boolean): number => {
  const { batchAt, deferred, fresh, offered, refused, restUntil, settings } = buffer
  if (offered.length > 0) return Number.POSITIVE_INFINITY
  if (isPartNext(buffer)) return restUntil
  if (fresh.length === 0) return deferred.size > 0 ? restUntil : Number.POSITIVE_INFINITY
  // What is new need not wait for what others hold.
  const rested = refused.length === 0 && !isClosing ? 0 : restUntil
  const isEnough = fresh.length >= Math.max(settings.size, (sending + fresh.length) / 2)
  return isClosing || isEnough ? rested : Math.max(rested, batchAt)
}

/** The recording while the store records `offered`: what is new with what others held, or a part of what was refused. */
export const offer = (buffer: ResultBuffer): ResultBuffer => {
  const [part = [], ...others] = buffer.refused
  return isPartNext(buffer)
    ? { ...buffer, offered: part, refused: others, isTurnOfRefused: false }
    : { ...buffer, offered: [...buffer.deferred.keys(), ...buffer.fresh], fresh: [], isTurnOfRefused: true }
}

/** What the offer came to if the store recorded it, all but the results with these keys, whose webhooks others hold. */
export const recorded = (buffer: ResultBuffer, deferredKeys: ReadonlyArray<number>, now: number): Outcome => {
  const keys = new Set(deferredKeys)
  const isDeferred = ({ key }: DeliveryResult) => keys.has(key)
  return after(
    buffer,
    buffer.offered.filter((result) => !isDeferred(result)),
    buffer.offered.filter(isDeferred),
    now
  )
}

/** What the offer came to if the store refused it. A single result that can never be recorded is given up. */
export const refuse = (buffer: ResultBuffer, error: StorageError, now: number): Outcome => {
  const { offered } = buffer
  if (offered.length === 1 && !error.isRetryable) {
    return reporting({ _tag: "ResultsDiscarded", count: 1, reason: error }, after(buffer, offered, [], now))
  }
  const kept = {
    ...buffer,
    deferred: without(buffer.deferred, offered),
    refused: [...buffer.refused, ...Arr.chunksOf(offered, Math.ceil(offered.length / 2))],
    refusal: error
  }
  const outcome = after(kept, [], [], now)
  return buffer.refusal === null ? reporting({ _tag: "ResultsRefused", error }, outcome) : outcome
}

const reporting = (report: Report, outcome: Outcome): Outcome => ({ ...outcome, reports: [report, ...outcome.reports] })

/** Why results are given up that could not be recorded in time. */
export const discardReason = ({ deferred, refusal }: ResultBuffer): unknown =>
  refusal ?? (deferred.size > 0 ? "others hold their webhooks" : "the store does not answer")

/** What follows from an offer of which some is over, and some waits for others. */
const after = (
  buffer: ResultBuffer,
  over: ReadonlyArray<DeliveryResult>,
  waiting: ReadonlyArray<DeliveryResult>,
  now: number
): Outcome => {
  const { fresh, refused, settings } = buffer
  const [deferred, discarded] = limit(waitingSince(without(buffer.deferred, over), waiting, now), settings.maxDeferred)
  const settled = [...over, ...discarded]
  const failedOffers = settled.length > 0 ? 0 : buffer.failedOffers + 1
  const isEmpty = fresh.length + refused.length + deferred.size === 0
  const mayGoOn = isEmpty || (failedOffers === 0 && fresh.length + refused.length > 0)
  const restUntil = mayGoOn ? 0 : now + Math.min(5 * 2 ** failedOffers, maxRestMillis)
  const [since] = deferred.values()
  const isDeferredLong = since !== undefined && now - since >= reportAfterMillis
  const deferredWebhooks = new Set([...deferred.keys(), ...refused.flat()].map(({ webhookId }) => webhookId))
  return {
    buffer: {
      ...buffer,
      offered: [],
      deferred,
      deferredWebhooks,
      refusal: refused.length === 0 ? null : buffer.refusal,
      failedOffers,
      restUntil,
      batchAt: Math.max(now, restUntil) + settings.delayMillis,
      isDeferralReported: isDeferredLong
    },
    settled,
    reports:
      isDeferredLong && !buffer.isDeferralReported ? [{ _tag: "WebhooksDeferred", count: countWebhooks(deferred) }] : []
  }
}

type Deferred = ResultBuffer["deferred"]

const without = (deferred: Deferred, results: ReadonlyArray<DeliveryResult>): Deferred => {
  if (deferred.size === 0) return deferred
  const left = new Map(deferred)
  for (const result of results) left.delete(result)
  return left
}

const waitingSince = (deferred: Deferred, results: ReadonlyArray<DeliveryResult>, now: number): Deferred => {
  if (results.length === 0) return deferred
  const waiting = new Map(deferred)
  for (const result of results) if (!waiting.has(result)) waiting.set(result, now)
  return waiting
}

/**
 * Gives up the first of too many; they are sent again when their leases have ended. But one of each webhook stays, because
 * nothing of a webhook is claimed while one waits.
 */
const limit = (deferred: Deferred, max: number): readonly [Deferred, ReadonlyArray<DeliveryResult>] => {
  if (deferred.size <= max) return [deferred, []]
  const counts = new Map<WebhookId, number>()
  for (const { webhookId } of deferred.keys()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
  const discarded: Array<DeliveryResult> = []
  for (const result of deferred.keys()) {
    if (discarded.length === deferred.size - max) break
    const count = counts.get(result.webhookId) ?? 0
    if (count <= 1) continue
    counts.set(result.webhookId, count - 1)
    discarded.push(result)
  }
  return [without(deferred, discarded), discarded]
}

const countWebhooks = (deferred: Deferred): number =>
  new Set([...deferred.keys()].map(({ webhookId }) => webhookId)).size

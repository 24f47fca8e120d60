import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import type { StorageError } from "../storage/StorageError.ts"
import type { DeliveryResult } from "./Delivery.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** How results are collected before they are recorded. */
export interface BatchSettings {
  /**
   * The number of results that are recorded without waiting for more. If half of the deliveries that are being sent or
   * have a new result is more, that number counts.
   */
  readonly size: number
  /** How long the first result of a batch waits for others, in milliseconds. */
  readonly delayMillis: number
  /** The maximum number of deferred results. Beyond it the oldest ones are given up. */
  readonly maxDeferred: number
}

/**
 * The results of attempts until the store has recorded them. Times are milliseconds of the monotonic clock.
 *
 * An offer is one Record command with some of the results. A result is offered until the store records it, however long
 * the store is unavailable. It is discarded when an offer of this result alone fails with an error that no retry can
 * help, when too many results are deferred, and when the process stops before the store records it (D-DEL-19, D-DEL-21).
 * When another process has claimed the delivery meanwhile, recording the result has no effect.
 *
 * A batch that the store refuses is offered again in halves, alternating with new results. So one result that cannot be
 * recorded delays the others only briefly. A result is deferred when another transaction locks its webhook. It is
 * offered again with the next batch.
 */
export interface ResultBuffer {
  readonly settings: BatchSettings
  /** The results that have not been offered. */
  readonly fresh: ReadonlyArray<DeliveryResult>
  /** When the fresh results are offered, even if few. */
  readonly batchAt: number
  /** The results that the store is recording now. */
  readonly offered: ReadonlyArray<DeliveryResult>
  /** The results that the store refused, in the parts in which they are offered again. */
  readonly refused: ReadonlyArray<ReadonlyArray<DeliveryResult>>
  /** The last error of the store; null when there are no refused results. */
  readonly refusal: StorageError | null
  /** The deferred results, oldest first, with the time at which each was first deferred. */
  readonly deferred: ReadonlyMap<DeliveryResult, number>
  /** Whether the present deferral was reported in the log. */
  readonly isDeferralReported: boolean
  /**
   * The webhooks with deferred or refused results. None of their deliveries is claimed until the results are recorded.
   */
  readonly blockedWebhooks: ReadonlySet<WebhookId>
  /** The number of offers in a row without a settled result. */
  readonly failedOffers: number
  /** The end of the rest before refused or deferred results are offered again. New results may be offered earlier. */
  readonly restUntil: number
  /** Whether the next offer is a part of the refused results. Otherwise it has the fresh and deferred ones. */
  readonly isRefusedNext: boolean
}

/** A problem with results that the worker writes to the log. */
export type Report =
  /** The store failed. Reported once, until all refused results are settled. */
  | { readonly _tag: "ResultsRefused"; readonly error: StorageError }
  /** Results were given up. Their deliveries are sent again when their leases have ended. */
  | { readonly _tag: "ResultsDiscarded"; readonly count: number; readonly reason: unknown }
  /**
   * Results have been deferred for 5 seconds. Reported once, until no result has been deferred for so long. `count` is the
   * number of webhooks with deferred results.
   */
  | { readonly _tag: "WebhooksDeferred"; readonly count: number }

/** The outcome of an offer. */
export interface Outcome {
  readonly buffer: ResultBuffer
  /** The results that need no further offer: recorded, given up, or with a lost lease. */
  readonly settled: ReadonlyArray<DeliveryResult>
  readonly reports: ReadonlyArray<Report>
}

/** The longest rest before results are offered again. */
const maxRestMillis = 400

/** How long results may be deferred before a report. */
const reportAfterMillis = Duration.toMillis("5 seconds")

/** Returns an empty buffer. */
export const make = (settings: BatchSettings): ResultBuffer => ({
  settings,
  fresh: [],
  batchAt: 0,
  offered: [],
  refused: [],
  refusal: null,
  deferred: new Map(),
  isDeferralReported: false,
  blockedWebhooks: new Set(),
  failedOffers: 0,
  restUntil: 0,
  isRefusedNext: false
})

/** Returns all results that are not settled. */
export const all = ({ deferred, fresh, offered, refused }: ResultBuffer): ReadonlyArray<DeliveryResult> => [
  ...new Set([...deferred.keys(), ...offered, ...refused.flat(), ...fresh])
]

/** Returns how many results are not settled and not deferred. They count towards `maxInFlight`. */
export const countWaiting = ({ deferred, fresh, offered, refused }: ResultBuffer): number =>
  fresh.length +
  offered.filter((result) => !deferred.has(result)).length +
  refused.reduce((sum, part) => sum + part.length, 0)

/** Returns the buffer with one more result. */
export const add = (buffer: ResultBuffer, result: DeliveryResult, now: number): ResultBuffer => ({
  ...buffer,
  fresh: [...buffer.fresh, result],
  batchAt: buffer.fresh.length === 0 ? now + buffer.settings.delayMillis : buffer.batchAt
})

/** Returns whether the next offer is a part of the refused results. */
const isPartNext = ({ deferred, fresh, isRefusedNext, refused }: ResultBuffer): boolean =>
  refused.length > 0 && (isRefusedNext || fresh.length + deferred.size === 0)

/**
 * Returns when the next offer is due; infinity while the store is recording, or without results. A time in the past
 * means at once.
 *
 * @param sending the number of deliveries that may still have a result
 * @param isClosing whether the process is ending, so that the offer does not wait for more results
 */
export const offerAt = (buffer: ResultBuffer, sending: number, isClosing: boolean): number => {
  const { batchAt, deferred, fresh, offered, refused, restUntil, settings } = buffer
  if (offered.length > 0) return Number.POSITIVE_INFINITY
  if (isPartNext(buffer)) return restUntil
  if (fresh.length === 0) return deferred.size > 0 ? restUntil : Number.POSITIVE_INFINITY
  // New results do not wait for the locks of deferred ones.
  const restEnd = refused.length === 0 && !isClosing ? 0 : restUntil
  const isEnough = fresh.length >= Math.max(settings.size, (sending + fresh.length) / 2)
  return isClosing || isEnough ? restEnd : Math.max(restEnd, batchAt)
}

/**
 * Returns the buffer during an offer. `offered` has a part of the refused results, or the deferred and the fresh ones.
 */
export const offer = (buffer: ResultBuffer): ResultBuffer => {
  const [part = [], ...others] = buffer.refused
  return isPartNext(buffer)
    ? { ...buffer, offered: part, refused: others, isRefusedNext: false }
    : { ...buffer, offered: [...buffer.deferred.keys(), ...buffer.fresh], fresh: [], isRefusedNext: true }
}

/**
 * Returns the outcome of an offer that the store recorded, except for the results with these keys, which it deferred.
 */
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

/** Returns the outcome of an offer that the store refused. A single result is given up when a retry cannot help. */
export const refuse = (buffer: ResultBuffer, error: StorageError, now: number): Outcome => {
  const { offered } = buffer
  if (offered.length === 1 && !error.isRetryable) {
    return reporting({ _tag: "ResultsDiscarded", count: 1, reason: error }, after(buffer, offered, [], now))
  }
  const divided = {
    ...buffer,
    deferred: without(buffer.deferred, offered),
    refused: [...buffer.refused, ...Arr.chunksOf(offered, Math.ceil(offered.length / 2))],
    refusal: error
  }
  const outcome = after(divided, [], [], now)
  return buffer.refusal === null ? reporting({ _tag: "ResultsRefused", error }, outcome) : outcome
}

const reporting = (report: Report, outcome: Outcome): Outcome => ({ ...outcome, reports: [report, ...outcome.reports] })

/** Returns the reason for the log why the remaining results were not recorded in time. */
export const discardReason = ({ deferred, refusal }: ResultBuffer): unknown =>
  refusal ?? (deferred.size > 0 ? "other transactions lock their webhooks" : "the store does not answer")

/** Returns the outcome of an offer in which the store has settled some results and deferred others. */
const after = (
  buffer: ResultBuffer,
  done: ReadonlyArray<DeliveryResult>,
  newlyDeferred: ReadonlyArray<DeliveryResult>,
  now: number
): Outcome => {
  const { fresh, refused, settings } = buffer
  const [deferred, discarded] = limit(defer(without(buffer.deferred, done), newlyDeferred, now), settings.maxDeferred)
  const settled = [...done, ...discarded]
  const failedOffers = settled.length > 0 ? 0 : buffer.failedOffers + 1
  const isEmpty = fresh.length + refused.length + deferred.size === 0
  const needsNoRest = isEmpty || (failedOffers === 0 && fresh.length + refused.length > 0)
  const restUntil = needsNoRest ? 0 : now + Math.min(5 * 2 ** failedOffers, maxRestMillis)
  const [since] = deferred.values()
  const isDeferredLong = since !== undefined && now - since >= reportAfterMillis
  const blockedWebhooks = new Set([...deferred.keys(), ...refused.flat()].map(({ webhookId }) => webhookId))
  return {
    buffer: {
      ...buffer,
      offered: [],
      deferred,
      blockedWebhooks,
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
  const remaining = new Map(deferred)
  for (const result of results) remaining.delete(result)
  return remaining
}

/** Returns the deferred results with these added. A result that was deferred before keeps its time. */
const defer = (deferred: Deferred, results: ReadonlyArray<DeliveryResult>, now: number): Deferred => {
  if (results.length === 0) return deferred
  const after = new Map(deferred)
  for (const result of results) if (!after.has(result)) after.set(result, now)
  return after
}

/**
 * Returns the deferred results that stay, and the oldest ones beyond the limit, which are given up. Their deliveries
 * are sent again when their leases have ended. One result of each webhook stays, because it blocks claims of the
 * webhook.
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

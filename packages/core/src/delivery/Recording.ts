import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import type { StorageError } from "../storage/StorageError.ts"
import type { DeliveryResult } from "./Delivery.ts"
import type { WebhookId } from "../webhook/Webhook.ts"

/** How results are collected before they are recorded. */
export interface BatchSettings {
  /** How many results are recorded without waiting for more; half of what is in flight, if that is more. */
  readonly size: number
  /** How long the first result of a batch waits for others, in milliseconds. */
  readonly delayMillis: number
  /** How many results wait at most because another writer holds their webhook. */
  readonly maxBusy: number
}

/**
 * The results of attempts until they are recorded; times in milliseconds of the monotonic clock.
 *
 * A result stays true however long the store is out of reach. So it is kept, and offered until the store has it; if another
 * process has claimed the delivery by then, it changes nothing. A batch that the store refuses is offered again in halves,
 * in turn with what is new, so that one result that cannot be recorded delays the others only briefly. A result whose
 * webhook another writer holds is offered again with the next batch.
 */
export interface Recording {
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
  readonly busy: ReadonlyMap<DeliveryResult, number>
  /** Whether the log says that results have been waiting for other writers for long. */
  readonly isHoldReported: boolean
  /** The webhooks whose results could not be recorded: nothing of them is claimed until they are. */
  readonly held: ReadonlySet<WebhookId>
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
  | { readonly _tag: "ResultsGivenUp"; readonly count: number; readonly reason: unknown }
  | { readonly _tag: "WebhooksHeld"; readonly count: number }

/** What an offer came to. */
export interface Outcome {
  readonly recording: Recording
  /** What is over: recorded, given up, or of a lease that was lost. */
  readonly settled: ReadonlyArray<DeliveryResult>
  readonly reports: ReadonlyArray<Report>
}

/** The longest rest before results are offered again. */
const longestRestMillis = 400

/** How long others may hold a webhook before the log says so. */
const longHoldMillis = Duration.toMillis("5 seconds")

/** Returns a recording without results. */
export const make = (settings: BatchSettings): Recording => ({
  settings,
  fresh: [],
  batchAt: 0,
  offered: [],
  refused: [],
  refusal: null,
  busy: new Map(),
  isHoldReported: false,
  held: new Set(),
  failedOffers: 0,
  restUntil: 0,
  isTurnOfRefused: false
})

/** All results that are not settled. */
export const all = ({ busy, fresh, offered, refused }: Recording): ReadonlyArray<DeliveryResult> => [
  ...new Set([...busy.keys(), ...offered, ...refused.flat(), ...fresh])
]

/** How many results are not settled and do not wait for another writer. */
export const countWaiting = ({ busy, fresh, offered, refused }: Recording): number =>
  fresh.length +
  offered.filter((result) => !busy.has(result)).length +
  refused.reduce((sum, part) => sum + part.length, 0)

/** The recording with one more result. */
export const add = (recording: Recording, result: DeliveryResult, now: number): Recording => ({
  ...recording,
  fresh: [...recording.fresh, result],
  batchAt: recording.fresh.length === 0 ? now + recording.settings.delayMillis : recording.batchAt
})

/** Whether the next offer is a part of what was refused. */
const isPartNext = ({ busy, fresh, isTurnOfRefused, refused }: Recording): boolean =>
  refused.length > 0 && (isTurnOfRefused || fresh.length + busy.size === 0)

/**
 * When something is offered next; infinity while the store is recording, or when there is nothing. `sending` tells how many
 * deliveries may still bring a result. A recording that is closing does not wait for more.
 */
export const offerAt = (recording: Recording, sending: number, isClosing: boolean): number => {
  const { batchAt, busy, fresh, offered, refused, restUntil, settings } = recording
  if (offered.length > 0) return Number.POSITIVE_INFINITY
  if (isPartNext(recording)) return restUntil
  if (fresh.length === 0) return busy.size > 0 ? restUntil : Number.POSITIVE_INFINITY
  // What is new need not wait for what others hold.
  const rested = refused.length === 0 && !isClosing ? 0 : restUntil
  const isEnough = fresh.length >= Math.max(settings.size, (sending + fresh.length) / 2)
  return isClosing || isEnough ? rested : Math.max(rested, batchAt)
}

/** The recording while the store records `offered`: what is new with what others held, or a part of what was refused. */
export const offer = (recording: Recording): Recording => {
  const [part = [], ...others] = recording.refused
  return isPartNext(recording)
    ? { ...recording, offered: part, refused: others, isTurnOfRefused: false }
    : { ...recording, offered: [...recording.busy.keys(), ...recording.fresh], fresh: [], isTurnOfRefused: true }
}

/** What the offer came to if the store recorded it, all but the results with these keys, whose webhooks others hold. */
export const recorded = (recording: Recording, busyKeys: ReadonlyArray<number>, now: number): Outcome => {
  const keys = new Set(busyKeys)
  const isBusy = ({ key }: DeliveryResult) => keys.has(key)
  return after(
    recording,
    recording.offered.filter((result) => !isBusy(result)),
    recording.offered.filter(isBusy),
    now
  )
}

/** What the offer came to if the store refused it. A single result that can never be recorded is given up. */
export const refuse = (recording: Recording, error: StorageError, now: number): Outcome => {
  const { offered } = recording
  if (offered.length === 1 && !error.isRetryable) {
    return reporting({ _tag: "ResultsGivenUp", count: 1, reason: error }, after(recording, offered, [], now))
  }
  const kept = {
    ...recording,
    busy: without(recording.busy, offered),
    refused: [...recording.refused, ...Arr.chunksOf(offered, Math.ceil(offered.length / 2))],
    refusal: error
  }
  const outcome = after(kept, [], [], now)
  return recording.refusal === null ? reporting({ _tag: "ResultsRefused", error }, outcome) : outcome
}

const reporting = (report: Report, outcome: Outcome): Outcome => ({ ...outcome, reports: [report, ...outcome.reports] })

/** Why results are given up that could not be recorded in time. */
export const reasonToGiveUp = ({ busy, refusal }: Recording): unknown =>
  refusal ?? (busy.size > 0 ? "others hold their webhooks" : "the store does not answer")

/** What follows from an offer of which some is over, and some waits for others. */
const after = (
  recording: Recording,
  over: ReadonlyArray<DeliveryResult>,
  waiting: ReadonlyArray<DeliveryResult>,
  now: number
): Outcome => {
  const { fresh, refused, settings } = recording
  const [busy, givenUp] = limit(waitingSince(without(recording.busy, over), waiting, now), settings.maxBusy)
  const settled = [...over, ...givenUp]
  const failedOffers = settled.length > 0 ? 0 : recording.failedOffers + 1
  const isEmpty = fresh.length + refused.length + busy.size === 0
  const mayGoOn = isEmpty || (failedOffers === 0 && fresh.length + refused.length > 0)
  const restUntil = mayGoOn ? 0 : now + Math.min(5 * 2 ** failedOffers, longestRestMillis)
  const [since] = busy.values()
  const isHeldLong = since !== undefined && now - since >= longHoldMillis
  const held = new Set([...busy.keys(), ...refused.flat()].map(({ webhookId }) => webhookId))
  return {
    recording: {
      ...recording,
      offered: [],
      busy,
      held,
      refusal: refused.length === 0 ? null : recording.refusal,
      failedOffers,
      restUntil,
      batchAt: Math.max(now, restUntil) + settings.delayMillis,
      isHoldReported: isHeldLong
    },
    settled,
    reports: isHeldLong && !recording.isHoldReported ? [{ _tag: "WebhooksHeld", count: countWebhooks(busy) }] : []
  }
}

type Busy = Recording["busy"]

const without = (busy: Busy, results: ReadonlyArray<DeliveryResult>): Busy => {
  if (busy.size === 0) return busy
  const left = new Map(busy)
  for (const result of results) left.delete(result)
  return left
}

const waitingSince = (busy: Busy, results: ReadonlyArray<DeliveryResult>, now: number): Busy => {
  if (results.length === 0) return busy
  const waiting = new Map(busy)
  for (const result of results) if (!waiting.has(result)) waiting.set(result, now)
  return waiting
}

/**
 * Gives up the first of too many; they are sent again when their leases have ended. But one of each webhook stays, because
 * nothing of a webhook is claimed while one waits.
 */
const limit = (busy: Busy, max: number): readonly [Busy, ReadonlyArray<DeliveryResult>] => {
  if (busy.size <= max) return [busy, []]
  const counts = new Map<WebhookId, number>()
  for (const { webhookId } of busy.keys()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
  const givenUp: Array<DeliveryResult> = []
  for (const result of busy.keys()) {
    if (givenUp.length === busy.size - max) break
    const count = counts.get(result.webhookId) ?? 0
    if (count <= 1) continue
    counts.set(result.webhookId, count - 1)
    givenUp.push(result)
  }
  return [without(busy, givenUp), givenUp]
}

const countWebhooks = (busy: Busy): number => new Set([...busy.keys()].map(({ webhookId }) => webhookId)).size

import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { StorageError } from "../storage/StorageError.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { DeliverySettings } from "./DeliverySettings.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import type { Lease } from "../background/Lease.ts"
import * as DeliveryConcurrency from "./DeliveryConcurrency.ts"
import * as PoisonIsolation from "./PoisonIsolation.ts"
import * as ResultBuffer from "./ResultBuffer.ts"

/**
 * What a process that delivers knows. The worker gives every {@link Input} to
 * `DeliveryEngine.step`, and carries out the {@link Command}s it returns.
 * Times are milliseconds of the monotonic clock unless their type says otherwise.
 */
export interface State {
  readonly settings: EngineSettings
  readonly mode: Mode
  readonly claiming: Claiming
  /** Whether there may be more to claim than the last round of claims found. */
  readonly mayClaimMore: boolean
  readonly concurrency: DeliveryConcurrency.DeliveryConcurrency
  readonly isolation: PoisonIsolation.PoisonIsolation
  readonly results: ResultBuffer.ResultBuffer
  /** When results that could not be recorded are given up; null while deliveries are claimed or sent. */
  readonly closesAt: number | null
  /** How many attempts were made. */
  readonly attemptCount: number
  /** Why the only claim of a process that runs once failed. */
  readonly failure: StorageError | null
}

/**
 * How long the process delivers: until it is stopped, or until one claim has been sent. One that is stopping claims nothing
 * more, and ends when what is in flight is recorded or given up.
 */
export type Mode = "forever" | "once" | "stopping"

/** What the process is doing about deliveries that are due. */
export type Claiming =
  /** It waits until it is woken, or until this time. */
  | { readonly _tag: "Resting"; readonly until: number }
  /** The store is claiming, in a round of claims that began at this time. */
  | { readonly _tag: "Claiming"; readonly roundBegan: DateTime.Utc }
  /** The store is putting back what must not be sent now; the rest of the claim is sent afterwards. */
  | {
      readonly _tag: "Postponing"
      readonly roundBegan: DateTime.Utc
      readonly sends: ReadonlyArray<Command>
      readonly isOver: boolean
    }
  /** The store is looking when the next delivery is due. */
  | { readonly _tag: "FindingNextDue" }
  /** The store is out of reach since a time, and is asked at another. */
  | { readonly _tag: "StoreUnavailable"; readonly since: number; readonly probeAt: number }
  /** The store is asked whether it is back. */
  | { readonly _tag: "ProbingStore"; readonly since: number }
  /** The store is back, and every process has time to record its results until then. */
  | { readonly _tag: "WaitingForOtherProcesses"; readonly until: number }

/** What happens to the process. */
export type Input =
  /** Time has passed. */
  | { readonly _tag: "Tick" }
  /** A delivery may have become due. */
  | { readonly _tag: "Notified" }
  /** The claim has ended with these deliveries; others of it were put back already. */
  | {
      readonly _tag: "Claimed"
      readonly deliveries: ReadonlyArray<ClaimedDelivery>
      readonly lease: Lease
      readonly isSomePostponed: boolean
    }
  | { readonly _tag: "Postponed" }
  /** In how many milliseconds the next delivery is due; infinity if none is. */
  | { readonly _tag: "NextDue"; readonly inMillis: number }
  | { readonly _tag: "StoreAvailable" }
  /** The claim or a question failed. */
  | { readonly _tag: "StoreFailed"; readonly error: StorageError }
  /** An attempt was made. */
  | { readonly _tag: "Attempted"; readonly result: DeliveryResult }
  /** An attempt was not made after all, and its delivery was put back. */
  | { readonly _tag: "NotSent"; readonly delivery: ClaimedDelivery }
  /** The results were recorded, all but those with these keys. */
  | { readonly _tag: "Recorded"; readonly deferred: ReadonlyArray<number> }
  | { readonly _tag: "RecordFailed"; readonly error: StorageError }
  | { readonly _tag: "Stop" }

/** What the worker has to do. */
export type Command =
  /** Claim; then give Claimed or StoreFailed. */
  | { readonly _tag: "Claim"; readonly limit: number; readonly inFlight: ReadonlyMap<WebhookId, number> }
  /** Make one attempt; then give Attempted or NotSent. */
  | { readonly _tag: "Send"; readonly delivery: ClaimedDelivery; readonly lease: Lease }
  /** Make these due at that time; then give Postponed. */
  | {
      readonly _tag: "Postpone"
      readonly deliveries: ReadonlyArray<ClaimedDelivery>
      readonly until: DateTime.Utc
    }
  /** Look when the next delivery after that time is due; then give NextDue or StoreFailed. */
  | { readonly _tag: "FindNextDue"; readonly after: DateTime.Utc }
  /** Ask the store anything; then give StoreAvailable or StoreFailed. */
  | { readonly _tag: "ProbeStore" }
  /** Record these; then give Recorded or RecordFailed. */
  | { readonly _tag: "Record"; readonly results: ReadonlyArray<DeliveryResult> }
  /** Write it to the log; no input follows. */
  | { readonly _tag: "Report"; readonly report: Report }

/** What the log says. */
export type Report = ResultBuffer.Report | { readonly _tag: "StoreFailed"; readonly error: StorageError }

/** The settings that matter here, in milliseconds. */
export interface EngineSettings {
  readonly maxInFlight: number
  readonly maxInFlightPerWebhook: number
  readonly maxClaims: number
  readonly pollMillis: number
  readonly batch: ResultBuffer.BatchSettings
}

/** The time at which something happens, on both clocks. */
export interface Now {
  readonly millis: number
  readonly time: DateTime.Utc
}

/** How many results wait for other writers at most, as a multiple of the places. */
const maxDeferredPerSend = 4

/** The settings of an engine. */
export const settingsOf = (settings: DeliverySettings): EngineSettings => ({
  maxInFlight: settings.maxInFlight,
  maxInFlightPerWebhook: settings.maxInFlightPerWebhook,
  maxClaims: settings.maxClaims,
  pollMillis: Duration.toMillis(settings.pollInterval),
  batch: {
    size: settings.batchSize,
    delayMillis: Duration.toMillis(settings.batchDelay),
    maxDeferred: maxDeferredPerSend * settings.maxInFlight
  }
})

/** Returns the state in which a process begins; `slow` are the webhooks that were slow before. */
export const make = (settings: EngineSettings, mode: Mode, slow?: ReadonlySet<WebhookId>): State => ({
  settings,
  mode,
  claiming: { _tag: "Resting", until: 0 },
  mayClaimMore: true,
  concurrency: DeliveryConcurrency.make(
    { total: settings.maxInFlight, perWebhook: settings.maxInFlightPerWebhook },
    slow
  ),
  isolation: PoisonIsolation.none,
  results: ResultBuffer.make(settings.batch),
  closesAt: null,
  attemptCount: 0,
  failure: null
})

/** How many deliveries were claimed and have no recorded result yet. */
export const countInFlight = ({ concurrency, results }: State): number =>
  concurrency.count + ResultBuffer.all(results).length

/** Returns whether the process has stopped and nothing is left to do. */
export const isOver = ({ closesAt, results }: State): boolean =>
  closesAt !== null && ResultBuffer.all(results).length === 0

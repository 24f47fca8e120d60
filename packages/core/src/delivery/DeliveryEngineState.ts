import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as HashMap from "effect/HashMap"
import type { StorageError } from "../storage/StorageError.ts"
import type { AccountId } from "../access/Account.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { DeliverySettings } from "./DeliverySettings.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import type { Lease } from "../background/Lease.ts"
import * as DeliveryConcurrency from "./DeliveryConcurrency.ts"
import * as PoisonIsolation from "./PoisonIsolation.ts"
import * as ResultBuffer from "./ResultBuffer.ts"

/**
 * The state of one process that sends deliveries. The worker passes every {@link Input} to `DeliveryEngine.step`, and
 * carries out the {@link Command}s that it returns.
 *
 * Times are milliseconds of the monotonic clock unless their type says otherwise.
 */
export interface State {
  readonly settings: EngineSettings
  readonly mode: Mode
  readonly claiming: Claiming
  /** Whether another round of claims may find deliveries that the last round did not. */
  readonly mayClaimMore: boolean
  readonly concurrency: DeliveryConcurrency.DeliveryConcurrency
  /** The number of deliveries being sent, by account. An account without any is absent. */
  readonly sendingByAccount: HashMap.HashMap<AccountId, number>
  readonly isolation: PoisonIsolation.PoisonIsolation
  readonly results: ResultBuffer.ResultBuffer
  /** When unrecorded results are discarded; null unless the process is stopping and neither claims nor sends. */
  readonly closesAt: number | null
  /** The number of attempts that have ended. */
  readonly attemptCount: number
  /** The error of the queue that ended an engine with the mode `once`; null when there was none. */
  readonly failure: StorageError | null
}

/**
 * How long the process sends deliveries.
 *
 * - `forever`: until a Stop.
 * - `once`: until the deliveries of one claim are sent and recorded.
 * - `stopping`: it makes no more claims, and ends when every result is recorded or discarded.
 */
export type Mode = "forever" | "once" | "stopping"

/** What the process is doing to claim due deliveries. */
export type Claiming =
  /** It claims again at this time, or at once when `mayClaimMore` is true. */
  | { readonly _tag: "Resting"; readonly until: number }
  /** A Claim is running, in a round of claims that began at this time. */
  | { readonly _tag: "Claiming"; readonly roundBegan: DateTime.Utc }
  /** A Postpone is running for a part of a claim. `sends` has the commands for the other part, which follow it. */
  | {
      readonly _tag: "Postponing"
      readonly roundBegan: DateTime.Utc
      readonly sends: ReadonlyArray<Command>
      /** Whether the round ends with this claim. */
      readonly isLastClaim: boolean
    }
  /** A FindNextDue is running. */
  | { readonly _tag: "FindingNextDue" }
  /** The queue has been unavailable since the time `since`, and is probed again at `probeAt`. */
  | { readonly _tag: "QueueUnavailable"; readonly since: number; readonly probeAt: number }
  /** A ProbeQueue is running. The queue has been unavailable since this time. */
  | { readonly _tag: "ProbingQueue"; readonly since: number }
  /** The queue is available again. Until this time only results are recorded, by every process. */
  | { readonly _tag: "WaitingForOtherProcesses"; readonly until: number }

/** Something that has happened, and that may change the state of the process. */
export type Input =
  /** The time of `DeliveryEngine.nextTick` has come. */
  | { readonly _tag: "Tick" }
  /** A delivery may have become due. */
  | { readonly _tag: "Notified" }
  /** A Claim has ended. `isSomePostponed` is true when deliveries with unreadable secrets were postponed. */
  | {
      readonly _tag: "Claimed"
      readonly deliveries: ReadonlyArray<ClaimedDelivery>
      readonly lease: Lease
      readonly isSomePostponed: boolean
    }
  /** A Postpone has ended. */
  | { readonly _tag: "Postponed" }
  /** The next delivery is due in so many milliseconds; infinity means that there is none. */
  | { readonly _tag: "NextDue"; readonly inMillis: number }
  /** A ProbeQueue has succeeded. */
  | { readonly _tag: "QueueAvailable" }
  /** A Claim, a FindNextDue or a ProbeQueue has failed. */
  | { readonly _tag: "QueueFailed"; readonly error: StorageError }
  /** A Send has ended with this result. */
  | { readonly _tag: "Attempted"; readonly result: DeliveryResult }
  /** A Send has ended without a result. The delivery is due again at once, or when its lease ends. */
  | { readonly _tag: "NotSent"; readonly delivery: ClaimedDelivery }
  /**
   * A Record has ended. The results with the keys in `deferred` were not recorded, because their webhooks are locked.
   */
  | { readonly _tag: "Recorded"; readonly deferred: ReadonlyArray<number> }
  /** A Record has failed: no result was recorded. */
  | { readonly _tag: "RecordFailed"; readonly error: StorageError }
  /** The process is to stop. */
  | { readonly _tag: "Stop" }

/** What the worker is to do, and the input that follows when it has ended. */
export type Command =
  /** Claim up to `limit` deliveries. Followed by Claimed or QueueFailed. */
  | {
      readonly _tag: "Claim"
      readonly limit: number
      readonly takenPlaces: ReadonlyMap<WebhookId, number>
      readonly takenByAccount: ReadonlyMap<AccountId, number>
    }
  /** Make one attempt. Followed by Attempted or NotSent. */
  | { readonly _tag: "Send"; readonly delivery: ClaimedDelivery; readonly lease: Lease }
  /** Postpone these deliveries of one claim. Followed by Postponed. */
  | {
      readonly _tag: "Postpone"
      readonly deliveries: ReadonlyArray<ClaimedDelivery>
      readonly until: DateTime.Utc
    }
  /** Find the earliest due time later than `after`. Followed by NextDue or QueueFailed. */
  | { readonly _tag: "FindNextDue"; readonly after: DateTime.Utc }
  /** Check whether the queue answers. Followed by QueueAvailable or QueueFailed. */
  | { readonly _tag: "ProbeQueue" }
  /** Record these results. Followed by Recorded or RecordFailed. */
  | { readonly _tag: "Record"; readonly results: ReadonlyArray<DeliveryResult> }
  /** Write to the log. No input follows. */
  | { readonly _tag: "Report"; readonly report: Report }

/** A problem that the engine reports for the log. */
export type Report = ResultBuffer.Report | { readonly _tag: "QueueFailed"; readonly error: StorageError }

/** The settings of the engine: those of `DeliverySettings` that it needs, with durations in milliseconds. */
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

/** The maximum number of deferred results, as a multiple of `maxInFlight` (D-DEL-21). */
const maxDeferredPerPlace = 4

/** Returns the settings of the engine. */
export const settingsOf = (settings: DeliverySettings): EngineSettings => ({
  maxInFlight: settings.maxInFlight,
  maxInFlightPerWebhook: settings.maxInFlightPerWebhook,
  maxClaims: settings.maxClaims,
  pollMillis: Duration.toMillis(settings.pollInterval),
  batch: {
    size: settings.batchSize,
    delayMillis: Duration.toMillis(settings.batchDelay),
    maxDeferred: maxDeferredPerPlace * settings.maxInFlight
  }
})

/** Returns the first state of a process. `slow` has the webhooks that are known to be slow. */
export const make = (settings: EngineSettings, mode: Mode, slow?: ReadonlySet<WebhookId>): State => ({
  settings,
  mode,
  claiming: { _tag: "Resting", until: 0 },
  mayClaimMore: true,
  concurrency: DeliveryConcurrency.make(
    { total: settings.maxInFlight, perWebhook: settings.maxInFlightPerWebhook },
    slow
  ),
  sendingByAccount: HashMap.empty(),
  isolation: PoisonIsolation.empty,
  results: ResultBuffer.make(settings.batch),
  closesAt: null,
  attemptCount: 0,
  failure: null
})

/** Returns how many deliveries are in flight: being sent, or with a result that is not recorded. */
export const countInFlight = ({ concurrency, results }: State): number =>
  concurrency.count + ResultBuffer.all(results).length

/** Returns whether the process has stopped and every result is recorded or discarded. */
export const hasEnded = ({ closesAt, results }: State): boolean =>
  closesAt !== null && ResultBuffer.all(results).length === 0

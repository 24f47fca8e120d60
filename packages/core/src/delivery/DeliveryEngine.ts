import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { StorageError } from "../storage/StorageError.ts"
import * as Timestamp from "../values/Timestamp.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import type { DeliverySettings } from "./DeliverySettings.ts"
import type { WebhookId } from "../webhook/Webhook.ts"
import type { Lease } from "../background/Lease.ts"
import * as Places from "./Places.ts"
import * as Recording from "./Recording.ts"
import * as Suspects from "./Suspects.ts"

/**
 * What a process that delivers knows. The worker gives every {@link Input} to {@link step}, and does what the commands say.
 * Times are milliseconds of the monotonic clock unless their type says otherwise.
 */
export interface State {
  readonly settings: EngineSettings
  readonly mode: Mode
  readonly claiming: Claiming
  /** Whether there may be more to claim than the last round of claims found. */
  readonly isWoken: boolean
  readonly places: Places.Places
  readonly suspects: Suspects.Suspects
  readonly recording: Recording.Recording
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
      readonly _tag: "PuttingBack"
      readonly roundBegan: DateTime.Utc
      readonly sends: ReadonlyArray<Command>
      readonly isOver: boolean
    }
  /** The store is looking when the next delivery is due. */
  | { readonly _tag: "AskingNextDue" }
  /** The store is out of reach since a time, and is asked at another. */
  | { readonly _tag: "StoreAway"; readonly since: number; readonly askAt: number }
  /** The store is asked whether it is back. */
  | { readonly _tag: "AskingWhetherBack"; readonly since: number }
  /** The store is back, and every process has time to record its results until then. */
  | { readonly _tag: "LettingOthersRecord"; readonly until: number }

/** What happens to the process. */
export type Input =
  /** Time has passed. */
  | { readonly _tag: "Tick" }
  /** A delivery may have become due. */
  | { readonly _tag: "Woken" }
  /** The claim has ended with these deliveries; others of it were put back already. */
  | {
      readonly _tag: "Claimed"
      readonly deliveries: ReadonlyArray<ClaimedDelivery>
      readonly lease: Lease
      readonly isSomePutBack: boolean
    }
  | { readonly _tag: "PutBack" }
  /** In how many milliseconds the next delivery is due; infinity if none is. */
  | { readonly _tag: "NextDue"; readonly inMillis: number }
  | { readonly _tag: "StoreIsBack" }
  /** The claim or a question failed. */
  | { readonly _tag: "StoreFailed"; readonly error: StorageError }
  /** An attempt was made. */
  | { readonly _tag: "Attempted"; readonly result: DeliveryResult }
  /** An attempt was not made after all, and its delivery was put back. */
  | { readonly _tag: "NotSent"; readonly delivery: ClaimedDelivery }
  /** The results were recorded, all but those with these keys. */
  | { readonly _tag: "Recorded"; readonly busy: ReadonlyArray<number> }
  | { readonly _tag: "RecordFailed"; readonly error: StorageError }
  | { readonly _tag: "Stop" }

/** What the worker has to do. */
export type Command =
  /** Claim; then give Claimed or StoreFailed. */
  | { readonly _tag: "Claim"; readonly limit: number; readonly inFlight: ReadonlyMap<WebhookId, number> }
  /** Make one attempt; then give Attempted or NotSent. */
  | { readonly _tag: "Send"; readonly delivery: ClaimedDelivery; readonly lease: Lease }
  /** Make these due at that time; then give PutBack. */
  | {
      readonly _tag: "PutBack"
      readonly deliveries: ReadonlyArray<ClaimedDelivery>
      readonly until: DateTime.Utc
    }
  /** Look when the next delivery after that time is due; then give NextDue or StoreFailed. */
  | { readonly _tag: "AskNextDue"; readonly after: DateTime.Utc }
  /** Ask the store anything; then give StoreIsBack or StoreFailed. */
  | { readonly _tag: "AskWhetherBack" }
  /** Record these; then give Recorded or RecordFailed. */
  | { readonly _tag: "Record"; readonly results: ReadonlyArray<DeliveryResult> }
  /** Write it to the log; no input follows. */
  | { readonly _tag: "Report"; readonly report: Report }

/** What the log says. */
export type Report = Recording.Report | { readonly _tag: "StoreFailed"; readonly error: StorageError }

/** The settings that matter here, in milliseconds. */
export interface EngineSettings {
  readonly maxInFlight: number
  readonly maxInFlightPerWebhook: number
  readonly maxClaims: number
  readonly pollMillis: number
  readonly batch: Recording.BatchSettings
}

/** The time at which something happens, on both clocks. */
export interface Now {
  readonly millis: number
  readonly time: DateTime.Utc
}

/**
 * How long nothing is claimed at most after a store that was out of reach answers again. Every process may have results then
 * whose leases have ended, and no process knows of those of another: so none claims until all had the time to record.
 */
const maxClaimDelayMillis = Duration.toMillis("5 seconds")

/** How long results are offered when nothing else is left to do. */
const lastOffersMillis = Duration.toMillis("6 seconds")

/** How many results wait for other writers at most, as a multiple of the places. */
const busyPerPlace = 4

/** The settings of an engine. */
export const settingsOf = (settings: DeliverySettings): EngineSettings => ({
  maxInFlight: settings.maxInFlight,
  maxInFlightPerWebhook: settings.maxInFlightPerWebhook,
  maxClaims: settings.maxClaims,
  pollMillis: Duration.toMillis(settings.pollInterval),
  batch: {
    size: settings.batchSize,
    delayMillis: Duration.toMillis(settings.batchDelay),
    maxBusy: busyPerPlace * settings.maxInFlight
  }
})

/** Returns the state in which a process begins; `slow` are the webhooks that were slow before. */
export const make = (settings: EngineSettings, mode: Mode, slow?: ReadonlySet<WebhookId>): State => ({
  settings,
  mode,
  claiming: { _tag: "Resting", until: 0 },
  isWoken: true,
  places: Places.make({ total: settings.maxInFlight, perWebhook: settings.maxInFlightPerWebhook }, slow),
  suspects: Suspects.none,
  recording: Recording.make(settings.batch),
  closesAt: null,
  attemptCount: 0,
  failure: null
})

/** How many deliveries were claimed and have no recorded result yet. */
export const countInFlight = ({ places, recording }: State): number => places.count + Recording.all(recording).length

/** Returns whether the process has stopped and nothing is left to do. */
export const isOver = ({ closesAt, recording }: State): boolean =>
  closesAt !== null && Recording.all(recording).length === 0

/** When a Tick is due; infinity if nothing happens before another input. */
export const nextTick = (state: State): number => {
  if (isOver(state)) return 0
  const { closesAt, places, recording } = state
  const offerAt = Recording.offerAt(recording, places.count, isClosing(state))
  return Math.min(offerAt, claimAt(state), closesAt ?? Number.POSITIVE_INFINITY)
}

/** When a Tick claims, or asks a store that is away; infinity while the store is claiming or being asked. */
const claimAt = ({ claiming, isWoken, mode }: State): number => {
  if (mode === "stopping") return Number.POSITIVE_INFINITY
  switch (claiming._tag) {
    case "Resting":
      return isWoken ? 0 : claiming.until
    case "LettingOthersRecord":
      return claiming.until
    case "StoreAway":
      return claiming.askAt
    default:
      return Number.POSITIVE_INFINITY
  }
}

type Step = readonly [State, ReadonlyArray<Command>]

const nothing: ReadonlyArray<never> = []

/** What follows from an input: the next state, and what has to be done. */
export const step = (state: State, input: Input, now: Now): Step => {
  const [next, commands] = change(state, input, now)
  return [close(next, now), commands]
}

const change = (state: State, input: Input, now: Now): Step => {
  switch (input._tag) {
    case "Tick":
      return tick(state, now)
    case "Woken":
      return [{ ...state, isWoken: true }, nothing]
    case "Claimed":
      return claimed(state, input, now)
    case "PutBack":
      return state.claiming._tag === "PuttingBack" ? goOn(state, state.claiming) : [state, nothing]
    case "NextDue": {
      const until = now.millis + Math.min(input.inMillis, state.settings.pollMillis)
      return [{ ...state, claiming: { _tag: "Resting", until } }, nothing]
    }
    case "StoreIsBack":
      return [{ ...state, claiming: storeIsBack(state, now) }, nothing]
    case "StoreFailed":
      return storeFailed(state, input.error, now)
    case "Attempted":
      return [attempted(state, input.result, now), nothing]
    case "NotSent":
      return [notSent(state, input.delivery), nothing]
    case "Recorded":
      return settle(state, Recording.recorded(state.recording, input.busy, now.millis))
    case "RecordFailed":
      return settle(state, Recording.refuse(state.recording, input.error, now.millis))
    case "Stop":
      return [{ ...state, mode: "stopping" }, nothing]
  }
}

const tick = (state: State, now: Now): Step => {
  const [claiming, claims] = tickClaiming(state, now)
  const [recording, records] = tickRecording(claiming, now)
  return [recording, [...claims, ...records]]
}

const tickClaiming = (state: State, now: Now): Step => {
  const { claiming } = state
  if (claimAt(state) > now.millis) return [state, nothing]
  if (claiming._tag === "StoreAway") {
    const asking: Claiming = { _tag: "AskingWhetherBack", since: claiming.since }
    return [{ ...state, claiming: asking }, [{ _tag: "AskWhetherBack" }]]
  }
  // What wakes it from now on counts for the next round, in which every webhook has a turn again.
  return claim({ ...state, isWoken: false, places: Places.beginRound(state.places) }, now.time)
}

const tickRecording = (state: State, now: Now): Step => {
  const { closesAt, places, recording } = state
  if (closesAt !== null && closesAt <= now.millis) return giveUpAll(state)
  if (Recording.offerAt(recording, places.count, isClosing(state)) > now.millis) return [state, nothing]
  const offering = Recording.offer(recording)
  return [{ ...state, recording: offering }, [{ _tag: "Record", results: offering.offered }]]
}

/** Claims as many deliveries as there are places; without any, the round is over. */
const claim = (state: State, roundBegan: DateTime.Utc): Step => {
  const limit = room(state)
  if (limit === 0) return endRound(state, roundBegan)
  const places = Places.beginClaim(state.places, state.recording.held)
  return [
    { ...state, places, claiming: { _tag: "Claiming", roundBegan } },
    [{ _tag: "Claim", limit, inFlight: new Map(places.shown) }]
  ]
}

const claimed = (
  state: State,
  { deliveries, isSomePutBack, lease }: Extract<Input, { readonly _tag: "Claimed" }>,
  now: Now
): Step => {
  if (state.claiming._tag !== "Claiming") return [state, nothing]
  const { roundBegan } = state.claiming
  const { admitted, refused, suspects } = Suspects.admit(state.suspects, deliveries, state.settings)
  const webhookIds = admitted.map(({ webhookId }) => webhookId)
  const places = Places.start(state.places, webhookIds)
  const started: State = {
    ...state,
    suspects,
    places,
    isWoken: state.isWoken || webhookIds.some((webhookId) => Places.isUnseen(places, webhookId, state.recording.held))
  }
  const sends = admitted.map((delivery): Command => ({ _tag: "Send", delivery, lease }))
  // What was put back took places that other deliveries may have.
  const isOver = !Places.isTurnToCome(places) && refused.length === 0 && !isSomePutBack
  const isOnceOver = state.mode === "once" && admitted.length > 0
  const rest = { _tag: "PuttingBack", roundBegan, sends, isOver: isOver || isOnceOver } as const
  if (refused.length === 0) return goOn(started, rest)
  const until = Timestamp.after(now.time, Duration.millis(state.settings.pollMillis))
  return [{ ...started, claiming: rest }, [{ _tag: "PutBack", deliveries: refused, until }]]
}

/** Sends what was claimed; then claims again in the same round, or ends the round. */
const goOn = (
  state: State,
  { isOver, roundBegan, sends }: Extract<Claiming, { readonly _tag: "PuttingBack" }>
): Step => {
  const [next, commands] = isOver || state.mode === "stopping" ? endRound(state, roundBegan) : claim(state, roundBegan)
  return [next, [...sends, ...commands]]
}

/**
 * Ends a round. What was due when it began was claimed, or waits for a place or for an earlier event, and a recorded result
 * wakes the process. What has become due since is claimed at once.
 */
const endRound = (state: State, roundBegan: DateTime.Utc): Step => {
  if (state.mode === "forever")
    return [{ ...state, claiming: { _tag: "AskingNextDue" } }, [{ _tag: "AskNextDue", after: roundBegan }]]
  return [stop(state), nothing]
}

const storeIsBack = ({ claiming, settings }: State, now: Now): Claiming => {
  const away = claiming._tag === "AskingWhetherBack" ? now.millis - claiming.since : settings.pollMillis
  return { _tag: "LettingOthersRecord", until: now.millis + Math.min(away, maxClaimDelayMillis) }
}

const storeFailed = (state: State, error: StorageError, now: Now): Step => {
  const { claiming, mode, settings } = state
  if (mode === "once") return [{ ...stop(state), failure: error }, nothing]
  const next = now.millis + settings.pollMillis
  const reports: ReadonlyArray<Command> = [{ _tag: "Report", report: { _tag: "StoreFailed", error } }]
  if (error.reason !== "unavailable") return [{ ...state, claiming: { _tag: "Resting", until: next } }, reports]
  return claiming._tag === "AskingWhetherBack"
    ? [{ ...state, claiming: { _tag: "StoreAway", since: claiming.since, askAt: next } }, nothing]
    : [{ ...state, claiming: { _tag: "StoreAway", since: now.millis, askAt: next } }, reports]
}

/** The state of a process that claims nothing more. */
const stop = (state: State): State => ({
  ...state,
  mode: "stopping",
  claiming: { _tag: "Resting", until: Number.POSITIVE_INFINITY }
})

const attempted = (state: State, result: DeliveryResult, now: Now): State => {
  const { webhookId } = result
  const judged = Places.judge(state.places, webhookId, result.attempt.durationMs)
  return {
    ...left(state, Places.leave(judged, webhookId), webhookId),
    attemptCount: state.attemptCount + 1,
    recording: Recording.add(state.recording, result, now.millis)
  }
}

const notSent = (state: State, delivery: ClaimedDelivery): State => ({
  ...left(state, Places.leave(state.places, delivery.webhookId), delivery.webhookId),
  suspects: Suspects.leave(state.suspects, [delivery]),
  isWoken: true
})

/** The state with a place that has become free. */
const left = (state: State, places: Places.Places, webhookId: WebhookId): State => ({
  ...state,
  places,
  isWoken: state.isWoken || Places.isShareFree(places) || Places.isUnseen(places, webhookId, state.recording.held)
})

const settle = (state: State, { recording, reports, settled }: Recording.Outcome): Step => {
  const next = { ...state, recording, suspects: Suspects.leave(state.suspects, settled) }
  const isWoken = state.isWoken || settled.length > 0 || (room(state) === 0 && room(next) > 0)
  return [{ ...next, isWoken }, reports.map((report): Command => ({ _tag: "Report", report }))]
}

/** How many more deliveries may be claimed. Results that wait for other writers occupy no place. */
const room = ({ places, recording }: State): number =>
  Math.max(0, places.limits.total - places.count - Recording.countWaiting(recording))

const isClosing = ({ closesAt }: State): boolean => closesAt !== null

/** A process that is stopping records what is left when nothing is claimed or sent any more, and gives up after a while. */
const close = (state: State, now: Now): State => {
  const { claiming, closesAt, mode, places } = state
  const isClaiming = claiming._tag === "Claiming" || claiming._tag === "PuttingBack"
  if (mode !== "stopping" || closesAt !== null || isClaiming || places.count > 0) return state
  return { ...state, closesAt: now.millis + lastOffersMillis }
}

const giveUpAll = (state: State): Step => {
  const results = Recording.all(state.recording)
  const reason = Recording.reasonToGiveUp(state.recording)
  return [
    { ...state, recording: Recording.make(state.settings.batch) },
    results.length === 0
      ? nothing
      : [{ _tag: "Report", report: { _tag: "ResultsGivenUp", count: results.length, reason } }]
  ]
}

import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { StorageError } from "../storage/StorageError.ts"
import * as Timestamp from "../values/Timestamp.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import * as DeliveryConcurrency from "./DeliveryConcurrency.ts"
import { type Claiming, type Command, type Input, isOver, type Now, type State } from "./DeliveryEngineState.ts"
import * as PoisonIsolation from "./PoisonIsolation.ts"
import * as ResultBuffer from "./ResultBuffer.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/**
 * How long nothing is claimed at most after a store that was out of reach answers again. Every process may have results then
 * whose leases have ended, and no process knows of those of another: so none claims until all had the time to record.
 */
const maxClaimDelayMillis = Duration.toMillis("5 seconds")

/** How long results are offered when nothing else is left to do. */
const lastOffersMillis = Duration.toMillis("6 seconds")

/** When a Tick is due; infinity if nothing happens before another input. */
export const nextTick = (state: State): number => {
  if (isOver(state)) return 0
  const { closesAt, concurrency, results } = state
  const offerAt = ResultBuffer.offerAt(results, concurrency.count, isClosing(state))
  return Math.min(offerAt, claimAt(state), closesAt ?? Number.POSITIVE_INFINITY)
}

/** When a Tick claims, or asks a store that is away; infinity while the store is claiming or being asked. */
const claimAt = ({ claiming, mayClaimMore, mode }: State): number => {
  if (mode === "stopping") return Number.POSITIVE_INFINITY
  switch (claiming._tag) {
    case "Resting":
      return mayClaimMore ? 0 : claiming.until
    case "WaitingForOtherProcesses":
      return claiming.until
    case "StoreUnavailable":
      return claiming.probeAt
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
    case "Notified":
      return [{ ...state, mayClaimMore: true }, nothing]
    case "Claimed":
      return claimed(state, input, now)
    case "Postponed":
      return state.claiming._tag === "Postponing" ? goOn(state, state.claiming) : [state, nothing]
    case "NextDue": {
      const until = now.millis + Math.min(input.inMillis, state.settings.pollMillis)
      return [{ ...state, claiming: { _tag: "Resting", until } }, nothing]
    }
    case "StoreAvailable":
      return [{ ...state, claiming: storeAvailable(state, now) }, nothing]
    case "StoreFailed":
      return storeFailed(state, input.error, now)
    case "Attempted":
      return [attempted(state, input.result, now), nothing]
    case "NotSent":
      return [notSent(state, input.delivery), nothing]
    case "Recorded":
      return settle(state, ResultBuffer.recorded(state.results, input.deferred, now.millis))
    case "RecordFailed":
      return settle(state, ResultBuffer.refuse(state.results, input.error, now.millis))
    case "Stop":
      return [{ ...state, mode: "stopping" }, nothing]
  }
}

const tick = (state: State, now: Now): Step => {
  const [claiming, claims] = tickClaiming(state, now)
  const [results, records] = tickRecording(claiming, now)
  return [results, [...claims, ...records]]
}

const tickClaiming = (state: State, now: Now): Step => {
  const { claiming } = state
  if (claimAt(state) > now.millis) return [state, nothing]
  if (claiming._tag === "StoreUnavailable") {
    const asking: Claiming = { _tag: "ProbingStore", since: claiming.since }
    return [{ ...state, claiming: asking }, [{ _tag: "ProbeStore" }]]
  }
  // What wakes it from now on counts for the next round, in which every webhook has a turn again.
  return claim(
    { ...state, mayClaimMore: false, concurrency: DeliveryConcurrency.beginRound(state.concurrency) },
    now.time
  )
}

const tickRecording = (state: State, now: Now): Step => {
  const { closesAt, concurrency, results } = state
  if (closesAt !== null && closesAt <= now.millis) return discardAll(state)
  if (ResultBuffer.offerAt(results, concurrency.count, isClosing(state)) > now.millis) return [state, nothing]
  const offering = ResultBuffer.offer(results)
  return [{ ...state, results: offering }, [{ _tag: "Record", results: offering.offered }]]
}

/** Claims as many deliveries as there are places; without any, the round is over. */
const claim = (state: State, roundBegan: DateTime.Utc): Step => {
  const limit = room(state)
  if (limit === 0) return endRound(state, roundBegan)
  const concurrency = DeliveryConcurrency.beginClaim(state.concurrency, state.results.deferredWebhooks)
  return [
    { ...state, concurrency, claiming: { _tag: "Claiming", roundBegan } },
    [{ _tag: "Claim", limit, inFlight: new Map(concurrency.shown) }]
  ]
}

const claimed = (
  state: State,
  { deliveries, isSomePostponed, lease }: Extract<Input, { readonly _tag: "Claimed" }>,
  now: Now
): Step => {
  if (state.claiming._tag !== "Claiming") return [state, nothing]
  const { roundBegan } = state.claiming
  const { admitted, isolation, postponed } = PoisonIsolation.admit(state.isolation, deliveries, state.settings)
  const webhookIds = admitted.map(({ webhookId }) => webhookId)
  const concurrency = DeliveryConcurrency.start(state.concurrency, webhookIds)
  const started: State = {
    ...state,
    isolation,
    concurrency,
    mayClaimMore:
      state.mayClaimMore ||
      webhookIds.some((webhookId) =>
        DeliveryConcurrency.isUnseen(concurrency, webhookId, state.results.deferredWebhooks)
      )
  }
  const sends = admitted.map((delivery): Command => ({ _tag: "Send", delivery, lease }))
  // What was put back took places that other deliveries may have.
  const isOver = !DeliveryConcurrency.isTurnToCome(concurrency) && postponed.length === 0 && !isSomePostponed
  const isOnceOver = state.mode === "once" && admitted.length > 0
  const rest = { _tag: "Postponing", roundBegan, sends, isOver: isOver || isOnceOver } as const
  if (postponed.length === 0) return goOn(started, rest)
  const until = Timestamp.after(now.time, Duration.millis(state.settings.pollMillis))
  return [{ ...started, claiming: rest }, [{ _tag: "Postpone", deliveries: postponed, until }]]
}

/** Sends what was claimed; then claims again in the same round, or ends the round. */
const goOn = (
  state: State,
  { isOver, roundBegan, sends }: Extract<Claiming, { readonly _tag: "Postponing" }>
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
    return [{ ...state, claiming: { _tag: "FindingNextDue" } }, [{ _tag: "FindNextDue", after: roundBegan }]]
  return [stop(state), nothing]
}

const storeAvailable = ({ claiming, settings }: State, now: Now): Claiming => {
  const away = claiming._tag === "ProbingStore" ? now.millis - claiming.since : settings.pollMillis
  return { _tag: "WaitingForOtherProcesses", until: now.millis + Math.min(away, maxClaimDelayMillis) }
}

const storeFailed = (state: State, error: StorageError, now: Now): Step => {
  const { claiming, mode, settings } = state
  if (mode === "once") return [{ ...stop(state), failure: error }, nothing]
  const next = now.millis + settings.pollMillis
  const reports: ReadonlyArray<Command> = [{ _tag: "Report", report: { _tag: "StoreFailed", error } }]
  if (error.reason !== "unavailable") return [{ ...state, claiming: { _tag: "Resting", until: next } }, reports]
  return claiming._tag === "ProbingStore"
    ? [{ ...state, claiming: { _tag: "StoreUnavailable", since: claiming.since, probeAt: next } }, nothing]
    : [{ ...state, claiming: { _tag: "StoreUnavailable", since: now.millis, probeAt: next } }, reports]
}

/** The state of a process that claims nothing more. */
const stop = (state: State): State => ({
  ...state,
  mode: "stopping",
  claiming: { _tag: "Resting", until: Number.POSITIVE_INFINITY }
})

const attempted = (state: State, result: DeliveryResult, now: Now): State => {
  const { webhookId } = result
  const judged = DeliveryConcurrency.judge(state.concurrency, webhookId, result.attempt.durationMs)
  return {
    ...left(state, DeliveryConcurrency.leave(judged, webhookId), webhookId),
    attemptCount: state.attemptCount + 1,
    results: ResultBuffer.add(state.results, result, now.millis)
  }
}

const notSent = (state: State, delivery: ClaimedDelivery): State => ({
  ...left(state, DeliveryConcurrency.leave(state.concurrency, delivery.webhookId), delivery.webhookId),
  isolation: PoisonIsolation.leave(state.isolation, [delivery]),
  mayClaimMore: true
})

/** The state with a place that has become free. */
const left = (state: State, concurrency: DeliveryConcurrency.DeliveryConcurrency, webhookId: WebhookId): State => ({
  ...state,
  concurrency,
  mayClaimMore:
    state.mayClaimMore ||
    DeliveryConcurrency.isShareFree(concurrency) ||
    DeliveryConcurrency.isUnseen(concurrency, webhookId, state.results.deferredWebhooks)
})

const settle = (state: State, { buffer, reports, settled }: ResultBuffer.Outcome): Step => {
  const next = { ...state, results: buffer, isolation: PoisonIsolation.leave(state.isolation, settled) }
  const mayClaimMore = state.mayClaimMore || settled.length > 0 || (room(state) === 0 && room(next) > 0)
  return [{ ...next, mayClaimMore }, reports.map((report): Command => ({ _tag: "Report", report }))]
}

/** How many more deliveries may be claimed. Results that wait for other writers occupy no place. */
const room = ({ concurrency, results }: State): number =>
  Math.max(0, concurrency.limits.total - concurrency.count - ResultBuffer.countWaiting(results))

const isClosing = ({ closesAt }: State): boolean => closesAt !== null

/** A process that is stopping records what is left when nothing is claimed or sent any more, and gives up after a while. */
const close = (state: State, now: Now): State => {
  const { claiming, closesAt, mode, concurrency } = state
  const isClaiming = claiming._tag === "Claiming" || claiming._tag === "Postponing"
  if (mode !== "stopping" || closesAt !== null || isClaiming || concurrency.count > 0) return state
  return { ...state, closesAt: now.millis + lastOffersMillis }
}

const discardAll = (state: State): Step => {
  const results = ResultBuffer.all(state.results)
  const reason = ResultBuffer.discardReason(state.results)
  return [
    { ...state, results: ResultBuffer.make(state.settings.batch) },
    results.length === 0
      ? nothing
      : [{ _tag: "Report", report: { _tag: "ResultsDiscarded", count: results.length, reason } }]
  ]
}

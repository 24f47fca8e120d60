import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Timestamp from "../values/Timestamp.ts"
import type { ClaimedDelivery, DeliveryResult } from "./Delivery.ts"
import * as DeliveryConcurrency from "./DeliveryConcurrency.ts"
import { type Claiming, type Command, hasEnded, type Input, type Now, type State } from "./DeliveryEngineState.ts"
import * as PoisonIsolation from "./PoisonIsolation.ts"
import * as ResultBuffer from "./ResultBuffer.ts"

/**
 * The maximum time that the engine waits after an outage of the queue before it claims again (D-DEL-20). Any process may
 * have results whose leases ended during the outage. A process that claimed at once would send those deliveries a second
 * time.
 */
const maxClaimDelayMillis = Duration.toMillis("5 seconds")

/** How long a process that is stopping tries to record its last results (D-DEL-19). */
const closingMillis = Duration.toMillis("6 seconds")

/** Returns when the next Tick is due. Infinity means that the engine waits for another input. */
export const nextTick = (state: State): number => {
  if (hasEnded(state)) return 0
  const { closesAt, concurrency, results } = state
  const offerAt = ResultBuffer.offerAt(results, concurrency.count, isClosing(state))
  return Math.min(offerAt, claimAt(state), closesAt ?? Number.POSITIVE_INFINITY)
}

/**
 * Returns when a Tick claims or probes the queue. Infinity means that no Tick does: a command to the queue is running, or
 * the engine is stopping or rests without an end.
 */
const claimAt = ({ claiming, mayClaimMore, mode }: State): number => {
  if (mode === "stopping") return Number.POSITIVE_INFINITY
  switch (claiming._tag) {
    case "Resting":
      return mayClaimMore ? 0 : claiming.until
    case "WaitingForOtherProcesses":
      return claiming.until
    case "QueueUnavailable":
      return claiming.probeAt
    default:
      return Number.POSITIVE_INFINITY
  }
}

type Step = readonly [State, ReadonlyArray<Command>]

const noCommands: ReadonlyArray<never> = []

/**
 * Returns the next state after an input, and the commands that the worker carries out.
 *
 * The function is pure: every time comes from `now`. The worker calls it again at {@link nextTick} with a Tick.
 */
export const step = (state: State, input: Input, now: Now): Step => {
  const [next, commands] = change(state, input, now)
  return [close(next, now), commands]
}

const change = (state: State, input: Input, now: Now): Step => {
  switch (input._tag) {
    case "Tick":
      return tick(state, now)
    case "Notified":
      return [{ ...state, mayClaimMore: true }, noCommands]
    case "Claimed":
      return claimed(state, input, now)
    case "Postponed":
      return state.claiming._tag === "Postponing" ? continueRound(state, state.claiming) : [state, noCommands]
    case "NextDue": {
      const until = now.millis + Math.min(input.inMillis, state.settings.pollMillis)
      return [{ ...state, claiming: { _tag: "Resting", until } }, noCommands]
    }
    case "QueueAvailable":
      return [{ ...state, claiming: queueAvailable(state, now) }, noCommands]
    case "QueueFailed":
      return queueFailed(state, input.error, now)
    case "Attempted":
      return [attempted(state, input.result, now), noCommands]
    case "NotSent":
      return [notSent(state, input.delivery), noCommands]
    case "Recorded":
      return settle(state, ResultBuffer.recorded(state.results, input.deferred, now.millis))
    case "RecordFailed":
      return settle(state, ResultBuffer.refuse(state.results, input.error, now.millis))
    case "Stop":
      return [{ ...state, mode: "stopping" }, noCommands]
  }
}

const tick = (state: State, now: Now): Step => {
  const [claiming, claims] = tickClaiming(state, now)
  const [results, records] = tickRecording(claiming, now)
  return [results, [...claims, ...records]]
}

const tickClaiming = (state: State, now: Now): Step => {
  const { claiming } = state
  if (claimAt(state) > now.millis) return [state, noCommands]
  if (claiming._tag === "QueueUnavailable") {
    const probing: Claiming = { _tag: "ProbingQueue", since: claiming.since }
    return [{ ...state, claiming: probing }, [{ _tag: "ProbeQueue" }]]
  }
  // Reset before the claim: a notification from now on may be about a delivery that this round does not see.
  return claim(
    { ...state, mayClaimMore: false, concurrency: DeliveryConcurrency.beginRound(state.concurrency) },
    now.time
  )
}

const tickRecording = (state: State, now: Now): Step => {
  const { closesAt, concurrency, results } = state
  if (closesAt !== null && closesAt <= now.millis) return discardAll(state)
  if (ResultBuffer.offerAt(results, concurrency.count, isClosing(state)) > now.millis) return [state, noCommands]
  const offering = ResultBuffer.offer(results)
  return [{ ...state, results: offering }, [{ _tag: "Record", results: offering.offered }]]
}

/** Claims up to as many deliveries as the free capacity. Without free capacity it ends the round. */
const claim = (state: State, roundBegan: DateTime.Utc): Step => {
  const limit = freeCapacity(state)
  if (limit === 0) return endRound(state, roundBegan)
  const concurrency = DeliveryConcurrency.beginClaim(state.concurrency, state.results.blockedWebhooks)
  return [
    { ...state, concurrency, claiming: { _tag: "Claiming", roundBegan } },
    [
      {
        _tag: "Claim",
        limit,
        takenPlaces: new Map(concurrency.takenPlaces),
        takenByAccount: new Map(state.sendingByAccount)
      }
    ]
  ]
}

const claimed = (
  state: State,
  { deliveries, isSomePostponed, lease }: Extract<Input, { readonly _tag: "Claimed" }>,
  now: Now
): Step => {
  if (state.claiming._tag !== "Claiming") return [state, noCommands]
  const { roundBegan } = state.claiming
  const { admitted, isolation, postponed } = PoisonIsolation.admit(state.isolation, deliveries, state.settings)
  const webhookIds = admitted.map(({ webhookId }) => webhookId)
  const concurrency = DeliveryConcurrency.start(state.concurrency, webhookIds)
  const started: State = {
    ...state,
    isolation,
    concurrency,
    sendingByAccount: admitted.reduce((counts, { accountId }) => addTo(counts, accountId, 1), state.sendingByAccount),
    mayClaimMore:
      state.mayClaimMore ||
      webhookIds.some((webhookId) =>
        DeliveryConcurrency.canClaimMoreOf(concurrency, webhookId, state.results.blockedWebhooks)
      )
  }
  const sends = admitted.map((delivery): Command => ({ _tag: "Send", delivery, lease }))
  // Postponed deliveries used up a part of the limit, so another claim of this round may find more.
  const isNothingLeft = !DeliveryConcurrency.hasTurnsLeft(concurrency) && postponed.length === 0 && !isSomePostponed
  const isOnceDone = state.mode === "once" && admitted.length > 0
  const rest = { _tag: "Postponing", roundBegan, sends, isLastClaim: isNothingLeft || isOnceDone } as const
  if (postponed.length === 0) return continueRound(started, rest)
  const until = Timestamp.after(now.time, Duration.millis(state.settings.pollMillis))
  return [{ ...started, claiming: rest }, [{ _tag: "Postpone", deliveries: postponed, until }]]
}

/** Sends the claimed deliveries; then claims again in the same round, or ends the round. */
const continueRound = (
  state: State,
  { isLastClaim, roundBegan, sends }: Extract<Claiming, { readonly _tag: "Postponing" }>
): Step => {
  const [next, commands] =
    isLastClaim || state.mode === "stopping" ? endRound(state, roundBegan) : claim(state, roundBegan)
  return [next, [...sends, ...commands]]
}

/**
 * Ends a round and looks for the next due time after the beginning of the round. A delivery that was due before that, and
 * was not claimed, waits for free capacity or for an earlier webhook event of its subject. A recorded result then starts
 * another round.
 */
const endRound = (state: State, roundBegan: DateTime.Utc): Step => {
  if (state.mode === "forever")
    return [{ ...state, claiming: { _tag: "FindingNextDue" } }, [{ _tag: "FindNextDue", after: roundBegan }]]
  return [stop(state), noCommands]
}

const queueAvailable = ({ claiming, settings }: State, now: Now): Claiming => {
  const outageMillis = claiming._tag === "ProbingQueue" ? now.millis - claiming.since : settings.pollMillis
  return { _tag: "WaitingForOtherProcesses", until: now.millis + Math.min(outageMillis, maxClaimDelayMillis) }
}

const queueFailed = (state: State, error: StorageError, now: Now): Step => {
  const { claiming, mode, settings } = state
  if (mode === "once") return [{ ...stop(state), failure: error }, noCommands]
  const next = now.millis + settings.pollMillis
  const reports: ReadonlyArray<Command> = [{ _tag: "Report", report: { _tag: "QueueFailed", error } }]
  if (error.reason !== "unavailable") return [{ ...state, claiming: { _tag: "Resting", until: next } }, reports]
  return claiming._tag === "ProbingQueue"
    ? [{ ...state, claiming: { _tag: "QueueUnavailable", since: claiming.since, probeAt: next } }, noCommands]
    : [{ ...state, claiming: { _tag: "QueueUnavailable", since: now.millis, probeAt: next } }, reports]
}

/** Returns the state in which the process makes no more claims. */
const stop = (state: State): State => ({
  ...state,
  mode: "stopping",
  claiming: { _tag: "Resting", until: Number.POSITIVE_INFINITY }
})

const attempted = (state: State, result: DeliveryResult, now: Now): State => {
  const { webhookId } = result
  const observed = DeliveryConcurrency.observe(state.concurrency, webhookId, result.attempt.durationMs)
  return {
    ...withConcurrency(state, DeliveryConcurrency.end(observed, webhookId), result),
    attemptCount: state.attemptCount + 1,
    results: ResultBuffer.add(state.results, result, now.millis)
  }
}

const notSent = (state: State, delivery: ClaimedDelivery): State => ({
  ...withConcurrency(state, DeliveryConcurrency.end(state.concurrency, delivery.webhookId), delivery),
  isolation: PoisonIsolation.remove(state.isolation, [delivery]),
  mayClaimMore: true
})

/** Returns the state after a delivery to a webhook has ended, which may allow another claim. */
const withConcurrency = (
  state: State,
  concurrency: DeliveryConcurrency.DeliveryConcurrency,
  { accountId, webhookId }: Pick<ClaimedDelivery, "accountId" | "webhookId">
): State => ({
  ...state,
  concurrency,
  sendingByAccount: addTo(state.sendingByAccount, accountId, -1),
  mayClaimMore:
    state.mayClaimMore ||
    DeliveryConcurrency.canClaimMoreSlow(concurrency) ||
    DeliveryConcurrency.canClaimMoreOf(concurrency, webhookId, state.results.blockedWebhooks)
})

const settle = (state: State, { buffer, reports, settled }: ResultBuffer.Outcome): Step => {
  const next = { ...state, results: buffer, isolation: PoisonIsolation.remove(state.isolation, settled) }
  const mayClaimMore = state.mayClaimMore || settled.length > 0 || (freeCapacity(state) === 0 && freeCapacity(next) > 0)
  return [{ ...next, mayClaimMore }, reports.map((report): Command => ({ _tag: "Report", report }))]
}

const addTo = (counts: State["sendingByAccount"], accountId: AccountId, change: number): State["sendingByAccount"] => {
  const count = Option.getOrElse(HashMap.get(counts, accountId), () => 0) + change
  return count > 0 ? HashMap.set(counts, accountId, count) : HashMap.remove(counts, accountId)
}

/** Returns how many more deliveries may be in flight. Results that wait for a locked webhook do not count. */
const freeCapacity = ({ concurrency, results }: State): number =>
  Math.max(0, concurrency.limits.total - concurrency.count - ResultBuffer.countWaiting(results))

const isClosing = ({ closesAt }: State): boolean => closesAt !== null

/**
 * Begins the end of a stopping process when it is neither claiming nor sending. The process then records the remaining
 * results. It discards them after {@link closingMillis}.
 */
const close = (state: State, now: Now): State => {
  const { claiming, closesAt, mode, concurrency } = state
  const isClaiming = claiming._tag === "Claiming" || claiming._tag === "Postponing"
  if (mode !== "stopping" || closesAt !== null || isClaiming || concurrency.count > 0) return state
  return { ...state, closesAt: now.millis + closingMillis }
}

/** Ends a process whose last results could not be recorded in time. */
const discardAll = (state: State): Step => {
  const results = ResultBuffer.all(state.results)
  const reason = ResultBuffer.discardReason(state.results)
  return [
    { ...state, results: ResultBuffer.make(state.settings.batch) },
    results.length === 0
      ? noCommands
      : [{ _tag: "Report", report: { _tag: "ResultsDiscarded", count: results.length, reason } }]
  ]
}

import type { Entry, Fact, ResultRow } from "../Fact.ts"
import { noteFull } from "./claimRules.ts"
import {
  cancel,
  claimName,
  disturb,
  unfinishedOf,
  willBeOffered,
  lastDisturbed,
  type ModelClaim,
  type ModelWebhook,
  rule,
  countCase,
  type State,
  noteDuration
} from "./State.ts"

type Recorded = Extract<Fact, { readonly _tag: "Recorded" }>

/** Applies the results that a process records, and checks them. */
export const recorded = (state: State, entry: Entry, fact: Recorded): void => {
  rule(state, "a process records with a time that its clock has shown", state.hasRead(fact.process, fact.now, 0))
  if (fact.outcome === "lost") countCase(state, "the answer to a record is lost")
  const isRefused = fact.outcome === "refused" || fact.outcome === "refused for good"
  const isPausing = unfinishedOf(state, fact.process).some(willBeOffered)
  const recordedKeys: Array<number> = []
  const disabledWebhooks = new Set<ModelWebhook>()
  for (const result of fact.results) {
    const claim = state.claims.get(claimName(result.leaseId, result.key))
    rule(
      state,
      "a process records only results of its own unfinished claims",
      claim !== undefined && claim.process === fact.process && state.unfinished.has(claim)
    )
    if (claim === undefined) continue
    const isCurrent = claim.delivery.lease === claim && !claim.delivery.webhook.deleted
    if (!isPausing) recordedInTime(state, entry, claim)
    noteDuration(state, claim.delivery.webhook, result.durationMs)
    noteFull(state, claim.delivery.webhook, entry.elapsed)
    // The process claimed nothing of the webhook while it offered the result again.
    if (willBeOffered(claim)) state.lastFull.set(String(claim.delivery.webhook.id), entry.elapsed)
    if (fact.outcome === "answered") state.unfinished.delete(claim)
    else refuse(claim, entry, fact)
    if (claim.refused?.forGood === true) claim.deferred = null
    if (isCurrent) checkResult(state, entry, claim, result)
    else if (claim.refused === null) countCase(state, "a result arrives after its claim became stale")
    if (!isCurrent || isRefused) continue
    recordedKeys.push(result.key)
    storeResult(state, entry, fact, claim, result)
    if (result.webhookStatus !== "disabled") continue
    if (claim.url === claim.delivery.webhook.url) disabledWebhooks.add(claim.delivery.webhook)
  }
  state.recorded.set(fact.process, entry.elapsed)
  rule(
    state,
    "exactly the results of claims that are not stale are recorded",
    JSON.stringify(recordedKeys.toSorted((a, b) => a - b)) === JSON.stringify(fact.keys.toSorted((a, b) => a - b))
  )
  for (const webhook of disabledWebhooks) cancel(state, webhook, entry.elapsed)
  if (isRefused) disturb(state, entry)
}

/** Notes results that the store has deferred. */
export const deferred = (state: State, entry: Entry, fact: Extract<Fact, { readonly _tag: "Deferred" }>): void => {
  const isPausing = unfinishedOf(state, fact.process).some(willBeOffered)
  for (const { key, leaseId } of fact.results) {
    const claim = state.claims.get(claimName(leaseId, key))
    if (claim === undefined) continue
    if (!isPausing) recordedInTime(state, entry, claim)
    claim.deferred = entry
    countCase(state, "a result is deferred because its webhook is locked")
  }
  state.recorded.set(fact.process, entry.elapsed)
}

const refuse = (claim: ModelClaim, { elapsed }: Entry, { outcome, results }: Recorded): void => {
  claim.refused = {
    since: claim.refused?.since ?? elapsed,
    until: elapsed,
    forGood: outcome === "refused for good" && results.length === 1
  }
}

const recordedInTime = (state: State, entry: Entry, { answer, deferred, process }: ModelClaim): void => {
  if (answer === null || lastDisturbed(state, entry) >= answer.elapsed) return
  const since = Math.max(answer.elapsed, state.recorded.get(process) ?? 0)
  // A result whose webhook another writer had locked is offered again after a pause that grows with each attempt.
  const pause = deferred === null ? 0 : maxPauseMillis
  rule(
    state,
    "a result waits for its batch no longer than the batch delay when nothing disturbs",
    entry.elapsed - since <= state.settings.batchDelay + pause
  )
}

/** The longest pause before a deferred result is offered again. */
const maxPauseMillis = 400

const isSuccess = (status: number | null) => status !== null && status >= 200 && status <= 299

/** Checks a result against the contract. */
const checkResult = (state: State, entry: Entry, claim: ModelClaim, result: ResultRow): void => {
  const { elapsed, wall } = entry
  const { delivery } = claim
  const { maxClaims, timeoutMargin, retryDelays, timeout } = state.settings
  const hasTooManyClaims = claim.claims > maxClaims
  const gaveUpWaiting = claim.sent !== null && elapsed >= claim.sent + timeout + timeoutMargin
  rule(
    state,
    "a result has the receiver's status, or none if it did not answer in time",
    hasTooManyClaims
      ? claim.sent === null && result.statusCode === null
      : (claim.answer !== null && result.statusCode === claim.answer.status) ||
          (gaveUpWaiting && result.statusCode === null)
  )
  rule(state, "exactly the statuses 2xx are a success", (result.error === null) === isSuccess(result.statusCode))
  rule(state, "an attempt has the kind of its delivery", result.kind === delivery.kind)
  rule(state, "an attempt starts at its claim or later", state.hasRead(claim.process, result.startedAt, claim.elapsed))
  const verdict = [result.state, result.webhookStatus].join()
  const delay = retryDelays[delivery.results]
  if (isSuccess(result.statusCode))
    rule(state, "a success ends the delivery and makes the webhook active", verdict === "delivered,active")
  else if (result.statusCode === 410)
    rule(state, "status 410 fails the delivery and disables the webhook", verdict === "failed,disabled")
  else if (hasTooManyClaims) rule(state, "a delivery with too many claims fails", verdict === "failed,")
  else if (delivery.kind === "manual") rule(state, "a manual attempt that fails has no retry", verdict === "failed,")
  else if (delay === undefined)
    rule(state, "the fourth failure fails the delivery and the webhook", verdict === "failed,failed")
  else {
    const ended = (result.dueAt ?? 0) - delay
    const answeredAt = claim.answer?.elapsed ?? (claim.sent ?? 0) + timeout + timeoutMargin
    rule(state, "the first three failures are followed by a retry", verdict === "pending,")
    rule(
      state,
      "a retry is due the planned time after the end of the previous attempt",
      state.hasRead(claim.process, ended, answeredAt) &&
        (lastDisturbed(state, entry) >= claim.elapsed || ended === wall - elapsed + answeredAt)
    )
  }
}

const storeResult = (
  state: State,
  { elapsed }: Entry,
  { now }: Recorded,
  claim: ModelClaim,
  result: ResultRow
): void => {
  const { delivery } = claim
  const { webhook } = delivery
  countResultCases(state, claim, result)
  delivery.attempts = [
    ...delivery.attempts,
    {
      number: delivery.attempts.length + 1,
      kind: result.kind,
      startedAt: result.startedAt,
      durationMs: result.durationMs,
      statusCode: result.statusCode,
      error: result.error
    }
  ]
  delivery.state = result.state
  delivery.dueAt = result.dueAt
  delivery.lease = null
  delivery.kind = "automatic"
  delivery.claims = 0
  if (result.kind === "automatic") delivery.results += 1
  rule(state, "a delivery has at most four automatic results", delivery.results <= 4)
  state.lastMoved.set(delivery.orderKey, elapsed)

  webhook.lastDeliveryAt = now
  if (webhook.status !== "disabled" && webhook.url === claim.url)
    webhook.status = result.webhookStatus ?? webhook.status
  if (result.error === null) {
    webhook.lastSuccessAt = now
    webhook.consecutiveFailures = 0
  } else {
    webhook.lastFailureAt = now
    webhook.lastFailureStatus = result.statusCode
    webhook.consecutiveFailures += 1
  }
}

const countResultCases = (state: State, { delivery, elapsed, sent, url }: ModelClaim, result: ResultRow): void => {
  const { webhook } = delivery
  if (url !== webhook.url) countCase(state, "a result concerns a URL that the webhook no longer has")
  if (result.state === "delivered")
    countCase(state, `delivered at attempt ${Math.min(5, delivery.attempts.length + 1)}`)
  if (result.state === "delivered" && webhook.status === "failed") countCase(state, "a failed webhook is active again")
  if (result.state === "delivered" && webhook.status === "disabled")
    countCase(state, "a delivery to a disabled webhook succeeds")
  if (result.webhookStatus === "failed") countCase(state, "a delivery fails for the fourth time")
  if (result.webhookStatus === "disabled") countCase(state, "a receiver answers 410")
  if (result.kind === "manual" && result.error !== null) countCase(state, "a manual attempt fails")
  if (sent === null) countCase(state, "a delivery fails without being sent")
  if (sent !== null && state.disturbed >= elapsed) countCase(state, "a result is recorded in spite of a disturbance")
}

import type { Entry, Fact, Judged } from "../Fact.ts"
import { markFull } from "./claimRules.ts"
import {
  cancel,
  claimName,
  disturb,
  held,
  isKept,
  lastDisturbed,
  type ModelClaim,
  type ModelWebhook,
  rule,
  saw,
  type State,
  took
} from "./State.ts"

type Recorded = Extract<Fact, { readonly _tag: "Recorded" }>

/** A process tells the store what came of its requests. */
export const recorded = (state: State, entry: Entry, fact: Recorded): void => {
  rule(state, "a process records with a reading of its clock", state.hasRead(fact.process, fact.now, 0))
  if (fact.outcome === "lost") saw(state, "the answer to a record is lost")
  const isRefused = fact.outcome === "refused" || fact.outcome === "refused for good"
  const isPausing = held(state, fact.process).some(isKept)
  const kept: Array<number> = []
  const gone = new Set<ModelWebhook>()
  for (const result of fact.results) {
    const claim = state.claims.get(claimName(result.leaseId, result.key))
    rule(
      state,
      "a process records what it has claimed, until it is told that it is recorded",
      claim !== undefined && claim.process === fact.process && state.inHand.has(claim)
    )
    if (claim === undefined) continue
    const holds = claim.delivery.lease === claim && !claim.delivery.webhook.deleted
    if (!isPausing) inTime(state, entry, claim)
    took(state, claim.delivery.webhook, result.durationMs)
    markFull(state, claim.delivery.webhook, entry.elapsed)
    // Until the store took it, nothing was claimed of its webhook.
    if (isKept(claim)) state.full.set(String(claim.delivery.webhook.id), entry.elapsed)
    if (fact.outcome === "told") state.inHand.delete(claim)
    else refuse(claim, entry, fact)
    if (claim.refused?.forGood === true) claim.passedOver = null
    if (holds) judge(state, entry, claim, result)
    else if (claim.refused === null) saw(state, "a result comes too late for its lease")
    if (!holds || isRefused) continue
    kept.push(result.key)
    keep(state, entry, fact, claim, result)
    if (result.webhookStatus !== "disabled") continue
    if (claim.url === claim.delivery.webhook.url) gone.add(claim.delivery.webhook)
  }
  state.recorded.set(fact.process, entry.elapsed)
  rule(
    state,
    "a result is recorded if its lease is held, else it changes nothing",
    JSON.stringify(kept.toSorted((a, b) => a - b)) === JSON.stringify(fact.keys.toSorted((a, b) => a - b))
  )
  for (const webhook of gone) cancel(state, webhook, entry.elapsed)
  if (isRefused) disturb(state, entry)
}

/** The store leaves results of a process for later. */
export const passedOver = (state: State, entry: Entry, fact: Extract<Fact, { readonly _tag: "PassedOver" }>): void => {
  const isPausing = held(state, fact.process).some(isKept)
  for (const { key, leaseId } of fact.results) {
    const claim = state.claims.get(claimName(leaseId, key))
    if (claim === undefined) continue
    if (!isPausing) inTime(state, entry, claim)
    claim.passedOver = entry
    saw(state, "a webhook is held while its result is recorded")
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

const inTime = (state: State, entry: Entry, { answer, passedOver, process }: ModelClaim): void => {
  if (answer === null || lastDisturbed(state, entry) >= answer.elapsed) return
  const since = Math.max(answer.elapsed, state.recorded.get(process) ?? 0)
  // A result whose webhook another writer held is offered again after a rest that grows with each attempt.
  const rest = passedOver === null ? 0 : maxRestMillis
  rule(
    state,
    "a result waits for others no longer than it may when nothing is in the way",
    entry.elapsed - since <= state.settings.batchDelay + rest
  )
}

/** The longest rest before a result is offered again. */
const maxRestMillis = 400

const isSuccess = (status: number | null) => status !== null && status >= 200 && status <= 299

/** What a result has to say, by the contract. */
const judge = (state: State, entry: Entry, claim: ModelClaim, result: Judged): void => {
  const { elapsed, wall } = entry
  const { delivery } = claim
  const { maxClaims, patience, retryDelays, timeout } = state.settings
  const unsent = claim.claims > maxClaims
  const gaveUpWaiting = claim.sent !== null && elapsed >= claim.sent + timeout + patience
  rule(
    state,
    "a result tells what the receiver answered, or that it did not in time",
    unsent
      ? claim.sent === null && result.statusCode === null
      : (claim.answer !== null && result.statusCode === claim.answer.status) ||
          (gaveUpWaiting && result.statusCode === null)
  )
  rule(state, "any 2xx is success, and nothing else", (result.error === null) === isSuccess(result.statusCode))
  rule(state, "a try has the kind of its delivery", result.kind === delivery.kind)
  rule(state, "a try begins when it is claimed", state.hasRead(claim.process, result.startedAt, claim.elapsed))
  const verdict = [result.state, result.webhookStatus].join()
  const delay = retryDelays[delivery.results]
  if (isSuccess(result.statusCode))
    rule(state, "a success is final, and its webhook active", verdict === "delivered,active")
  else if (result.statusCode === 410) rule(state, "410 ends it and disables the webhook", verdict === "failed,disabled")
  else if (unsent) rule(state, "what was taken too often is given up", verdict === "failed,")
  else if (delivery.kind === "manual") rule(state, "a manual try that fails has no retry", verdict === "failed,")
  else if (delay === undefined) rule(state, "the fourth failure fails the webhook too", verdict === "failed,failed")
  else {
    const ended = (result.dueAt ?? 0) - delay
    const heard = claim.answer?.elapsed ?? (claim.sent ?? 0) + timeout + patience
    rule(state, "the first three failures are followed by a retry", verdict === "pending,")
    rule(
      state,
      "a retry is due the planned time after the end of the attempt before",
      state.hasRead(claim.process, ended, heard) &&
        (lastDisturbed(state, entry) >= claim.elapsed || ended === wall - elapsed + heard)
    )
  }
}

const keep = (state: State, { elapsed }: Entry, { now }: Recorded, claim: ModelClaim, result: Judged): void => {
  const { delivery } = claim
  const { webhook } = delivery
  notice(state, claim, result)
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
  rule(state, "a delivery has four automatic results at most", delivery.results <= 4)
  state.moved.set(delivery.line, elapsed)

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

const notice = (state: State, { delivery, elapsed, sent, url }: ModelClaim, result: Judged): void => {
  const { webhook } = delivery
  if (url !== webhook.url) saw(state, "a result comes of a URL that its webhook no longer has")
  if (result.state === "delivered") saw(state, `delivered at attempt ${Math.min(5, delivery.attempts.length + 1)}`)
  if (result.state === "delivered" && webhook.status === "failed") saw(state, "a failed webhook is active again")
  if (result.state === "delivered" && webhook.status === "disabled") saw(state, "a disabled webhook takes a delivery")
  if (result.webhookStatus === "failed") saw(state, "a delivery fails for the fourth time")
  if (result.webhookStatus === "disabled") saw(state, "an endpoint is gone")
  if (result.kind === "manual" && result.error !== null) saw(state, "a manual try fails")
  if (sent === null) saw(state, "a delivery is given up unsent")
  if (sent !== null && state.disturbed >= elapsed) saw(state, "a result is kept although something was in the way")
}

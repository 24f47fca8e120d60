import type { Entry, Fact } from "../Fact.ts"
import { signature, standardSignature } from "../SimulatedCrypto.ts"
import { markFull } from "./claimRules.ts"
import { fresh, held, isKept, lastDisturbed, type ModelClaim, rule, saw, type State, took } from "./State.ts"

type Sent = Extract<Fact, { readonly _tag: "Sent" }>

/** A request reaches a receiver. */
export const sent = (state: State, entry: Entry, fact: Sent): void => {
  const { elapsed, wall } = entry
  const claim = state.claims.get(fact.claim)
  rule(
    state,
    "a process sends what it has claimed, under the delivery's id, once for each claim",
    claim !== undefined && claim.process === fact.process && claim.sent === null && state.inHand.has(claim)
  )
  if (claim === undefined) return
  const { delivery } = claim
  rule(state, "a repeat has the same bytes", fact.body === delivery.body)
  rule(state, "a delivery goes to the URL it was claimed with", fact.url === claim.url)
  rule(
    state,
    "the headers tell the delivery, the event, and the signature under the present secret",
    fact.headers["X-Service-Delivery-ID"] === delivery.id &&
      fact.headers["webhook-id"] === delivery.id &&
      fact.headers["X-Service-Event"] === delivery.event &&
      fact.headers["X-Service-Signature"] === signature(fact.body, claim.secret)
  )
  if (elapsed === claim.elapsed) signedTwice(state, wall, fact, claim)
  rule(state, "what was taken too often without a result is not sent", claim.claims <= state.settings.maxClaims)
  inCompany(state, claim)
  rule(
    state,
    "what is claimed is sent at once when nothing is in the way",
    elapsed === claim.elapsed || lastDisturbed(state, entry) >= claim.elapsed
  )
  underLease(state, entry, claim)
  claim.sent = elapsed
}

/** Nothing is sent under a lease that ends before the attempt must, nor under an old one that was lost. */
const underLease = (state: State, { elapsed, wall }: Entry, claim: ModelClaim): void => {
  const { delivery, leaseUntil } = claim
  rule(
    state,
    "what is sent has its whole timeout before its lease ends",
    wall + state.settings.timeout <= leaseUntil &&
      elapsed - claim.elapsed + state.settings.timeout <= state.settings.lease
  )
  const isCurrent = delivery.lease === claim && !delivery.webhook.deleted && delivery.webhook.url === claim.url
  if (elapsed - claim.elapsed <= fresh) {
    if (!isCurrent) saw(state, "a claim is lost within the second in which it is sent")
  } else rule(state, "a claim that is no longer new is sent only while it is current", isCurrent)
}

/** What was taken again and again is in flight with few of its kind, in the end alone. */
const inCompany = (state: State, { claims, process }: ModelClaim): void => {
  const { maxClaims } = state.settings
  if (claims === 1) return
  const company = held(state, process).filter(
    (other) => other.claims >= claims && other.claims <= maxClaims && (other.refused === null || isKept(other))
  )
  if (company.length === 1) saw(state, "a delivery under suspicion is sent alone")
  rule(
    state,
    "the oftener a delivery was taken without a result, the fewer are in flight with it that were taken as often",
    company.length <= Math.max(1, 4 ** (maxClaims - 2 - claims))
  )
}

/** In the second scheme the old secret signs too, until its time is over. */
const signedTwice = (state: State, wall: number, { body, headers }: Sent, claim: ModelClaim): void => {
  const { delivery, previous, secret } = claim
  const isBoth = previous !== null && wall < previous.expiresAt
  if (isBoth) saw(state, "two secrets sign")
  const content = `${delivery.id}.${Math.floor(wall / 1_000)}.${body}`
  rule(
    state,
    "the second scheme signs with the present secret, and with the one before until its time is over",
    headers["webhook-signature"] ===
      [secret, ...(isBoth ? [previous.secret] : [])].map((each) => standardSignature(content, each)).join(" ")
  )
}

/** A process learns what came of its request. */
export const answered = (
  state: State,
  { elapsed }: Entry,
  fact: Extract<Fact, { readonly _tag: "Answered" }>
): void => {
  const claim = state.claims.get(fact.claim)
  if (claim === undefined) return
  markFull(state, claim.delivery.webhook, elapsed)
  took(state, claim.delivery.webhook, elapsed - (claim.sent ?? elapsed))
  claim.answer = { elapsed, status: fact.status }
}

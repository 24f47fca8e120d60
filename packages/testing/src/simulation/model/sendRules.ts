import type { Entry, Fact } from "../Fact.ts"
import { signature, standardSignature } from "../SimulatedCrypto.ts"
import { noteFull } from "./claimRules.ts"
import {
  maxUncheckedAge,
  unfinishedOf,
  willBeOffered,
  lastDisturbed,
  type ModelClaim,
  rule,
  countCase,
  type State,
  noteDuration
} from "./State.ts"

type Sent = Extract<Fact, { readonly _tag: "Sent" }>

/** Applies a request that reaches a receiver, and checks it. */
export const sent = (state: State, entry: Entry, fact: Sent): void => {
  const { elapsed, wall } = entry
  const claim = state.claims.get(fact.claim)
  rule(
    state,
    "a process sends at most one request for each of its claims",
    claim !== undefined && claim.process === fact.process && claim.sent === null && state.unfinished.has(claim)
  )
  if (claim === undefined) return
  const { delivery } = claim
  rule(state, "every request of a delivery has the stored body", fact.body === delivery.body)
  rule(state, "a request goes to the URL that the claim returned", fact.url === claim.url)
  rule(
    state,
    "the headers have the delivery id, the name of the webhook event and the signature with the current secret",
    fact.headers["X-Service-Delivery-ID"] === delivery.id &&
      fact.headers["webhook-id"] === delivery.id &&
      fact.headers["X-Service-Event"] === delivery.event &&
      fact.headers["X-Service-Signature"] === signature(fact.body, claim.secret)
  )
  if (elapsed === claim.elapsed) signedInSecondScheme(state, wall, fact, claim)
  rule(state, "a delivery with too many claims is not sent", claim.claims <= state.settings.maxClaims)
  withinIsolation(state, claim)
  rule(
    state,
    "a claimed delivery is sent immediately when nothing disturbs",
    elapsed === claim.elapsed || lastDisturbed(state, entry) >= claim.elapsed
  )
  withinLease(state, entry, claim)
  claim.sent = elapsed
}

/** Checks that the lease covers the whole timeout, and that an old claim is still current. */
const withinLease = (state: State, { elapsed, wall }: Entry, claim: ModelClaim): void => {
  const { delivery, leaseUntil } = claim
  rule(
    state,
    "the timeout of a request ends before its lease",
    wall + state.settings.timeout <= leaseUntil &&
      elapsed - claim.elapsed + state.settings.timeout <= state.settings.lease
  )
  const isCurrent = delivery.lease === claim && !delivery.webhook.deleted && delivery.webhook.url === claim.url
  if (elapsed - claim.elapsed <= maxUncheckedAge) {
    if (!isCurrent) countCase(state, "a claim becomes stale within the second in which it is sent")
  } else rule(state, "a claim that is older than a second is sent only while it is current", isCurrent)
}

/**
 * Checks poison isolation: a delivery with several claims is in flight with few that are as suspect, in the end alone.
 */
const withinIsolation = (state: State, { claims, process }: ModelClaim): void => {
  const { maxClaims } = state.settings
  if (claims === 1) return
  const suspects = unfinishedOf(state, process).filter(
    (other) => other.claims >= claims && other.claims <= maxClaims && (other.refused === null || willBeOffered(other))
  )
  if (suspects.length === 1) countCase(state, "a suspect delivery is sent alone")
  rule(
    state,
    "the more claims without a result a delivery has, the fewer equally suspect deliveries are in flight with it",
    suspects.length <= Math.max(1, 4 ** (maxClaims - 2 - claims))
  )
}

/** Checks the second signature scheme, in which a previous secret also signs until it expires. */
const signedInSecondScheme = (state: State, wall: number, { body, headers }: Sent, claim: ModelClaim): void => {
  const { delivery, previous, secret } = claim
  const isBoth = previous !== null && wall < previous.expiresAt
  if (isBoth) countCase(state, "a request is signed with two secrets")
  const content = `${delivery.id}.${Math.floor(wall / 1_000)}.${body}`
  rule(
    state,
    "the second scheme signs with the current secret, and with the previous one until it expires",
    headers["webhook-signature"] ===
      [secret, ...(isBoth ? [previous.secret] : [])].map((each) => standardSignature(content, each)).join(" ")
  )
}

/** Notes the answer that a process receives. */
export const answered = (
  state: State,
  { elapsed }: Entry,
  fact: Extract<Fact, { readonly _tag: "Answered" }>
): void => {
  const claim = state.claims.get(fact.claim)
  if (claim === undefined) return
  noteFull(state, claim.delivery.webhook, elapsed)
  noteDuration(state, claim.delivery.webhook, elapsed - (claim.sent ?? elapsed))
  claim.answer = { elapsed, status: fact.status }
}

import type { Entry, Fact } from "../Fact.ts"
import {
  claimName,
  disturb,
  fresh,
  held,
  isKept,
  isOpen,
  lastDisturbed,
  mayBeGivenUp,
  type ModelClaim,
  type ModelDelivery,
  type ModelWebhook,
  persistence,
  rule,
  saw,
  type State,
  waitsUntil
} from "./State.ts"

type Claimed = Extract<Fact, { readonly _tag: "Claimed" }>

/** A process takes deliveries to send them. */
export const claimed = (state: State, entry: Entry, fact: Claimed): void => {
  if (fact.lost && fact.taken.length > 0) saw(state, "the answer to a claim is lost")
  rule(state, "a process claims with a reading of its clock", state.hasRead(fact.process, fact.now, 0))
  rule(
    state,
    "a process that starts releases what its predecessor held before it claims",
    !state.unreleased.has(fact.process)
  )
  for (const taken of fact.taken) {
    const delivery = state.deliveries.get(taken.id)
    rule(state, "what is claimed has been committed", delivery !== undefined)
    if (delivery === undefined) continue
    mayBeClaimed(state, entry, delivery, fact)
    rule(
      state,
      "a claim shows the delivery as it is",
      taken.webhook === delivery.webhook.id &&
        taken.url === delivery.webhook.url &&
        taken.secret === delivery.webhook.secret &&
        taken.body === delivery.body &&
        taken.results === delivery.results &&
        taken.kind === delivery.kind &&
        taken.claims === delivery.claims + 1
    )
    onTime(state, entry, delivery)
    rule(
      state,
      "a process takes nothing of a webhook that others hold while its results wait for that",
      !held(state, fact.process, delivery.webhook).some((claim) => (claim.passedOver?.wall ?? fact.now) < fact.now)
    )
    take(state, entry, fact, delivery, taken.key)
  }
  for (const taken of fact.taken) withinCaps(state, entry, fact.process, state.deliveries.get(taken.id)?.webhook)
}

const mayBeClaimed = (state: State, entry: Entry, delivery: ModelDelivery, fact: Claimed): void => {
  rule(state, "nothing is sent that has arrived, has failed, or was cancelled or deleted", isOpen(delivery))
  rule(
    state,
    "nothing is sent before its time, and nothing in flight until its lease ends",
    delivery.dueAt !== null && delivery.dueAt <= fact.now
  )
  const first = [...state.deliveries.values()].find(
    (other) => other.line === delivery.line && isOpen(other) && other.attempts.length === 0
  )
  rule(
    state,
    "events of one subject reach an endpoint in order at the first attempt",
    delivery.attempts.length > 0 || first === delivery
  )
  if (delivery.attempts.length === 0 && delivery.dueAt !== null && delivery.dueAt > delivery.createdAt)
    saw(state, "a first attempt is made again")
  if (delivery.lease === null) return
  saw(state, "a lease runs out")
  const { refused } = delivery.lease
  if (delivery.lease.process === fact.process && !state.jumped)
    rule(
      state,
      "a process does not take again what it has the result of",
      !isKept(delivery.lease) ||
        !state.inHand.has(delivery.lease) ||
        fact.now <= entry.wall - entry.elapsed + (refused?.since ?? 0)
    )
  // One whose lease ended before it could be offered again has not been given up.
  const isQuiet =
    refused !== null &&
    state.inHand.has(delivery.lease) &&
    lastDisturbed(state, entry) <= refused.until &&
    entry.elapsed - refused.until >= persistence
  rule(
    state,
    "a result that the store may take later is offered again, each alone if they are refused together",
    !isQuiet || mayBeGivenUp(state, delivery.lease)
  )
  rule(
    state,
    "a delivery is taken twice only when something went wrong",
    lastDisturbed(state, entry) >= delivery.lease.elapsed
  )
}

/** A retry is exactly on time, anything else after a poll at the latest, when nothing is in the way. */
const onTime = (state: State, entry: Entry, delivery: ModelDelivery): void => {
  const { elapsed, wall } = entry
  const disturbed = lastDisturbed(state, entry)
  if (delivery.dueAt === null || state.jumped) return
  markFull(state, delivery.webhook, elapsed)
  const due = delivery.dueAt - wall + elapsed
  const { pollInterval } = state.settings
  const moved = state.moved.get(delivery.line) ?? 0
  const shared = state.slow.has(delivery.webhook.id) ? (state.full.get("slow") ?? 0) : 0
  const full = Math.max(state.full.get(String(delivery.webhook.id)) ?? 0, state.full.get("all") ?? 0, shared)
  const free = Math.max(delivery.attempts.length > 0 ? 0 : moved, full, disturbed)
  rule(
    state,
    "what is due is taken within a poll when nothing is in the way",
    elapsed - Math.max(due, free) <= pollInterval
  )
  if (free >= due) return
  if (
    disturbed + pollInterval <= due &&
    delivery.attempts.length > 0 &&
    delivery.kind === "automatic" &&
    delivery.lease === null
  ) {
    saw(state, `retry ${delivery.results} is exactly on time`)
    rule(state, "a retry is sent exactly at its time when nothing is in the way", elapsed === due)
  }
  if (state.notified.fact <= delivery.askedFor || delivery.claims > 0) return
  if (delivery.lease === null && delivery.results === 0) {
    saw(state, "what is new is sent at a notify")
    rule(
      state,
      "what is new is sent at once after a notify when nothing is in the way",
      elapsed <= state.notified.elapsed
    )
  }
}

const take = (state: State, { elapsed }: Entry, fact: Claimed, delivery: ModelDelivery, key: number): void => {
  const claim: ModelClaim = {
    process: fact.process,
    leaseId: fact.leaseId,
    leaseUntil: fact.leaseUntil,
    delivery,
    elapsed,
    claims: delivery.claims + 1,
    url: delivery.webhook.url,
    secret: delivery.webhook.secret,
    previous: delivery.webhook.previous,
    sent: null,
    answer: null,
    refused: null,
    passedOver: null
  }
  state.claims.set(claimName(fact.leaseId, key), claim)
  if (!fact.lost) state.inHand.add(claim)
  delivery.state = "leased"
  delivery.lease = claim
  delivery.dueAt = fact.leaseUntil
  delivery.claims += 1
}

/** A process puts back what it may not send beside what else it has in flight, or what it claimed too long ago. */
export const postponed = (state: State, entry: Entry, fact: Extract<Fact, { readonly _tag: "Postponed" }>): void => {
  for (const key of fact.keys) {
    const claim = state.claims.get(claimName(fact.leaseId, key))
    rule(
      state,
      "only what was taken is put back, unsent",
      claim !== undefined && state.inHand.delete(claim) && claim.sent === null
    )
    if (claim === undefined) continue
    // By the time the store was asked: its answer may come late.
    const age = entry.wall - (claim.leaseUntil - state.settings.lease)
    const isOld = age > fresh || entry.elapsed - claim.elapsed > fresh || state.jumped
    rule(
      state,
      "only what is under suspicion, or was claimed more than a second ago, is put back",
      claim.claims > 1 || isOld
    )
    if (claim.delivery.lease !== claim) continue
    saw(state, isOld ? "a delivery is put back because its claim is old" : "a delivery under suspicion is put back")
    claim.delivery.state = "pending"
    claim.delivery.lease = null
    claim.delivery.dueAt = fact.dueAt
    claim.delivery.claims -= 1
  }
}

const withinCaps = (state: State, { elapsed }: Entry, process: string, webhook: ModelWebhook | undefined): void => {
  const { maxInFlight, maxInFlightPerWebhook } = state.settings
  const sending = held(state, process, webhook).filter((claim) => (waitsUntil(state, claim) ?? 0) > elapsed).length
  // A result that waits because others hold its webhook takes no place.
  const all = held(state, process).filter(
    (claim) => claim.passedOver === null && (claim.refused === null || isKept(claim))
  ).length
  if (sending === maxInFlightPerWebhook) saw(state, "an endpoint has all it may have in flight")
  if (all === maxInFlight) saw(state, "a process has all it may have in flight")
  rule(state, "no more of one endpoint is in flight in one process than may be", sending <= maxInFlightPerWebhook)
  rule(state, "no more is in flight in one process than may be", all <= maxInFlight)
}

/** Remembers that there is no place now, for one webhook or at all: who waits for one is not late. */
export const markFull = (state: State, webhook: ModelWebhook, elapsed: number): void => {
  for (const process of state.running) {
    const all = held(state, process)
    const sending = all.filter((claim) => claim.delivery.webhook === webhook && waitsUntil(state, claim) !== null)
    if (all.length >= state.settings.maxInFlight) state.full.set("all", elapsed)
    // One that has waited for its time is over then, also when nobody says so.
    const end = (claim: ModelClaim) => Math.min(elapsed, waitsUntil(state, claim) ?? elapsed)
    const ends = sending.map(end)
    const slow = all.filter((claim) => state.slow.has(claim.delivery.webhook.id) && waitsUntil(state, claim) !== null)
    if (slow.length >= Math.max(1, Math.floor(state.settings.maxInFlight / 2)))
      state.full.set("slow", Math.max(state.full.get("slow") ?? 0, ...slow.map(end)))
    // Nothing is claimed of a webhook whose results the store could not take.
    const isHeld = all.some(
      (claim) => claim.delivery.webhook === webhook && (claim.passedOver !== null || isKept(claim))
    )
    if (isHeld) state.full.set(String(webhook.id), elapsed)
    const before = state.full.get(String(webhook.id)) ?? 0
    if (ends.length >= state.settings.maxInFlightPerWebhook)
      state.full.set(String(webhook.id), Math.max(before, ...ends))
  }
}

/** A process that starts makes due what its predecessor of the same name held. */
export const released = (state: State, entry: Entry, fact: Extract<Fact, { readonly _tag: "Released" }>): void => {
  rule(state, "a process releases once, when it starts", state.unreleased.delete(fact.process))
  rule(state, "a process releases with a reading of its clock", state.hasRead(fact.process, fact.now, 0))
  const freed = [...state.deliveries.values()].filter(
    ({ dueAt, lease, ...delivery }) =>
      isOpen(delivery) && lease !== null && state.owners.get(lease.process) === fact.owner && (dueAt ?? 0) > fact.now
  )
  rule(state, "all that the predecessor holds is released, and nothing else", freed.length === fact.count)
  for (const delivery of freed) {
    rule(
      state,
      "nothing that is released is in the hands of a process that runs",
      !state.running.has(delivery.lease?.process ?? "")
    )
    saw(state, "what a predecessor held is released")
    delivery.state = "pending"
    delivery.lease = null
    delivery.dueAt = fact.now
  }
  disturb(state, entry)
}

import type { Entry, Fact } from "../Fact.ts"
import {
  claimName,
  disturb,
  maxUncheckedAge,
  unfinishedOf,
  willBeOffered,
  isOpen,
  lastDisturbed,
  mayBeGivenUp,
  type ModelClaim,
  type ModelDelivery,
  type ModelWebhook,
  offerPeriod,
  rule,
  countCase,
  type State,
  waitsUntil
} from "./State.ts"

type Claimed = Extract<Fact, { readonly _tag: "Claimed" }>

/** Applies a claim to the model and checks its rules. */
export const claimed = (state: State, entry: Entry, fact: Claimed): void => {
  if (fact.lost && fact.deliveries.length > 0) countCase(state, "the answer to a claim is lost")
  rule(state, "a process claims with a time that its clock has shown", state.hasRead(fact.process, fact.now, 0))
  rule(
    state,
    "a process releases the claims of an earlier process with its name before it claims",
    !state.unreleased.has(fact.process)
  )
  for (const row of fact.deliveries) {
    const delivery = state.deliveries.get(row.id)
    rule(state, "a claimed delivery has been committed", delivery !== undefined)
    if (delivery === undefined) continue
    checkClaimable(state, entry, delivery, fact)
    rule(
      state,
      "a claim returns the delivery as it is stored",
      row.webhook === delivery.webhook.id &&
        row.url === delivery.webhook.url &&
        row.secret === delivery.webhook.secret &&
        row.body === delivery.body &&
        row.results === delivery.results &&
        row.kind === delivery.kind &&
        row.claims === delivery.claims + 1
    )
    claimedInTime(state, entry, delivery)
    rule(
      state,
      "a process claims nothing of a webhook while results of it are deferred",
      !unfinishedOf(state, fact.process, delivery.webhook).some(
        (claim) => (claim.deferred?.wall ?? fact.now) < fact.now
      )
    )
    addClaim(state, entry, fact, delivery, row.key)
  }
  for (const row of fact.deliveries) withinLimits(state, entry, fact.process, state.deliveries.get(row.id)?.webhook)
}

const checkClaimable = (state: State, entry: Entry, delivery: ModelDelivery, fact: Claimed): void => {
  rule(state, "only a pending or leased delivery of an existing webhook is claimed", isOpen(delivery))
  rule(
    state,
    "a delivery is claimed only when it is due and its lease has ended",
    delivery.dueAt !== null && delivery.dueAt <= fact.now
  )
  const first = [...state.deliveries.values()].find(
    (other) => other.orderKey === delivery.orderKey && isOpen(other) && other.attempts.length === 0
  )
  rule(
    state,
    "the first attempts of the deliveries of one subject and webhook are in order",
    delivery.attempts.length > 0 || first === delivery
  )
  if (delivery.attempts.length === 0 && delivery.dueAt !== null && delivery.dueAt > delivery.createdAt)
    countCase(state, "a first attempt is repeated after its lease")
  if (delivery.lease === null) return
  countCase(state, "a lease ends without a result")
  const { refused } = delivery.lease
  if (delivery.lease.process === fact.process && !state.jumped)
    rule(
      state,
      "a process does not claim a delivery again whose result it still offers",
      !willBeOffered(delivery.lease) ||
        !state.unfinished.has(delivery.lease) ||
        fact.now <= entry.wall - entry.elapsed + (refused?.since ?? 0)
    )
  // A result whose lease ended before the next offer was not given up by the process.
  const isQuiet =
    refused !== null &&
    state.unfinished.has(delivery.lease) &&
    lastDisturbed(state, entry) <= refused.until &&
    entry.elapsed - refused.until >= offerPeriod
  rule(
    state,
    "a process offers a result again after a temporary refusal, alone if it was refused in a batch",
    !isQuiet || mayBeGivenUp(state, delivery.lease)
  )
  rule(
    state,
    "a delivery is claimed again only after a disturbance",
    lastDisturbed(state, entry) >= delivery.lease.elapsed
  )
}

/** Without a disturbance a retry is claimed exactly on time, and any other delivery at the next poll at the latest. */
const claimedInTime = (state: State, entry: Entry, delivery: ModelDelivery): void => {
  const { elapsed, wall } = entry
  const disturbed = lastDisturbed(state, entry)
  if (delivery.dueAt === null || state.jumped) return
  noteFull(state, delivery.webhook, elapsed)
  const due = delivery.dueAt - wall + elapsed
  const { pollInterval } = state.settings
  const lastMoved = state.lastMoved.get(delivery.orderKey) ?? 0
  const shared = state.slow.has(delivery.webhook.id) ? (state.lastFull.get("slow") ?? 0) : 0
  const lastFull = Math.max(
    state.lastFull.get(String(delivery.webhook.id)) ?? 0,
    state.lastFull.get("all") ?? 0,
    shared
  )
  const free = Math.max(delivery.attempts.length > 0 ? 0 : lastMoved, lastFull, disturbed)
  rule(
    state,
    "a due delivery is claimed within one poll interval when nothing disturbs",
    elapsed - Math.max(due, free) <= pollInterval
  )
  if (free >= due) return
  if (
    disturbed + pollInterval <= due &&
    delivery.attempts.length > 0 &&
    delivery.kind === "automatic" &&
    delivery.lease === null
  ) {
    countCase(state, `retry ${delivery.results} is exactly on time`)
    rule(state, "a retry is sent exactly when it is due when nothing disturbs", elapsed === due)
  }
  if (state.notified.fact <= delivery.dueSinceFact || delivery.claims > 0) return
  if (delivery.lease === null && delivery.results === 0) {
    countCase(state, "a new delivery is sent after a notification")
    rule(
      state,
      "a new delivery is sent immediately after a notification when nothing disturbs",
      elapsed <= state.notified.elapsed
    )
  }
}

const addClaim = (state: State, { elapsed }: Entry, fact: Claimed, delivery: ModelDelivery, key: number): void => {
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
    deferred: null
  }
  state.claims.set(claimName(fact.leaseId, key), claim)
  if (!fact.lost) state.unfinished.add(claim)
  delivery.state = "leased"
  delivery.lease = claim
  delivery.dueAt = fact.leaseUntil
  delivery.claims += 1
}

/** Applies a postponement: the delivery must not be sent beside those in flight, or its claim is too old. */
export const postponed = (state: State, entry: Entry, fact: Extract<Fact, { readonly _tag: "Postponed" }>): void => {
  for (const key of fact.keys) {
    const claim = state.claims.get(claimName(fact.leaseId, key))
    rule(
      state,
      "a process postpones only deliveries that it has claimed and not sent",
      claim !== undefined && state.unfinished.delete(claim) && claim.sent === null
    )
    if (claim === undefined) continue
    // The age counts from the request to the store, because the answer may have been late.
    const age = entry.wall - (claim.leaseUntil - state.settings.lease)
    const isOld = age > maxUncheckedAge || entry.elapsed - claim.elapsed > maxUncheckedAge || state.jumped
    rule(
      state,
      "a process postpones only suspect deliveries and those it claimed more than a second ago",
      claim.claims > 1 || isOld
    )
    if (claim.delivery.lease !== claim) continue
    countCase(state, isOld ? "a delivery is postponed because its claim is old" : "a suspect delivery is postponed")
    claim.delivery.state = "pending"
    claim.delivery.lease = null
    claim.delivery.dueAt = fact.dueAt
    claim.delivery.claims -= 1
  }
}

const withinLimits = (state: State, { elapsed }: Entry, process: string, webhook: ModelWebhook | undefined): void => {
  const { maxInFlight, maxInFlightPerWebhook } = state.settings
  const sending = unfinishedOf(state, process, webhook).filter(
    (claim) => (waitsUntil(state, claim) ?? 0) > elapsed
  ).length
  // A result that is deferred because its webhook is locked does not count.
  const all = unfinishedOf(state, process).filter(
    (claim) => claim.deferred === null && (claim.refused === null || willBeOffered(claim))
  ).length
  if (sending === maxInFlightPerWebhook) countCase(state, "a webhook reaches its maximum in flight")
  if (all === maxInFlight) countCase(state, "a process reaches its maximum in flight")
  rule(state, "a process does not exceed the maximum in flight for one webhook", sending <= maxInFlightPerWebhook)
  rule(state, "a process does not exceed its maximum in flight", all <= maxInFlight)
}

/**
 * Notes that a maximum in flight is reached, for one webhook or for a process. A delivery that waits for that is not
 * late.
 */
export const noteFull = (state: State, webhook: ModelWebhook, elapsed: number): void => {
  for (const process of state.running) {
    const all = unfinishedOf(state, process)
    const sending = all.filter((claim) => claim.delivery.webhook === webhook && waitsUntil(state, claim) !== null)
    if (all.length >= state.settings.maxInFlight) state.lastFull.set("all", elapsed)
    // A request that has reached its timeout is over, even if the sender does not report it.
    const end = (claim: ModelClaim) => Math.min(elapsed, waitsUntil(state, claim) ?? elapsed)
    const ends = sending.map(end)
    const slow = all.filter((claim) => state.slow.has(claim.delivery.webhook.id) && waitsUntil(state, claim) !== null)
    if (slow.length >= Math.max(1, Math.floor(state.settings.maxInFlight / 2)))
      state.lastFull.set("slow", Math.max(state.lastFull.get("slow") ?? 0, ...slow.map(end)))
    // The worker claims nothing of a webhook while the store does not accept results of it.
    const isDeferring = all.some(
      (claim) => claim.delivery.webhook === webhook && (claim.deferred !== null || willBeOffered(claim))
    )
    if (isDeferring) state.lastFull.set(String(webhook.id), elapsed)
    const before = state.lastFull.get(String(webhook.id)) ?? 0
    if (ends.length >= state.settings.maxInFlightPerWebhook)
      state.lastFull.set(String(webhook.id), Math.max(before, ...ends))
  }
}

/** Applies a release: a process that starts makes the claims of an earlier process with the same name due. */
export const released = (state: State, entry: Entry, fact: Extract<Fact, { readonly _tag: "Released" }>): void => {
  rule(state, "a process releases once, at its start", state.unreleased.delete(fact.process))
  rule(state, "a process releases with a time that its clock has shown", state.hasRead(fact.process, fact.now, 0))
  const released = [...state.deliveries.values()].filter(
    ({ dueAt, lease, ...delivery }) =>
      isOpen(delivery) && lease !== null && state.owners.get(lease.process) === fact.owner && (dueAt ?? 0) > fact.now
  )
  rule(state, "a release makes exactly the claims of the earlier process due", released.length === fact.count)
  for (const delivery of released) {
    rule(state, "a release takes no claim from a running process", !state.running.has(delivery.lease?.process ?? ""))
    countCase(state, "claims of an earlier process are released")
    delivery.state = "pending"
    delivery.lease = null
    delivery.dueAt = fact.now
  }
  disturb(state, entry)
}

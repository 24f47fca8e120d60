import * as Duration from "effect/Duration"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** The maximum number of deliveries that a process sends at once. */
export interface ConcurrencyLimits {
  /** The maximum over all webhooks. */
  readonly total: number
  /** The maximum for one webhook. */
  readonly perWebhook: number
}

/**
 * The deliveries that a process is sending, counted by webhook, and how many of each webhook it may claim next (D-DEL-12).
 *
 * A webhook is slow if its last attempt in this process took more than a second. All slow webhooks together get new
 * places only while they use less than half of the total limit. So receivers that hang leave the other half to the rest. A
 * webhook that becomes slow keeps the places that it has. Each claim divides the free part of that half among the slow
 * webhooks. It begins with the webhook whose last turn was longest ago.
 *
 * A claim cannot know which slow webhooks have due deliveries. So a round of claims continues until every slow webhook
 * has had a turn that it did not use, or the half is full.
 */
export interface DeliveryConcurrency {
  readonly limits: ConcurrencyLimits
  /** The number of deliveries being sent, by webhook. A webhook without any is absent. */
  readonly sending: HashMap.HashMap<WebhookId, number>
  /** The number of deliveries being sent in all. */
  readonly count: number
  /** The slow webhooks, in the order of their turns. */
  readonly slow: ReadonlySet<WebhookId>
  /** The number of deliveries being sent to slow webhooks. */
  readonly slowCount: number
  /**
   * The taken places that the last claim passed to the store, plus the deliveries started since. A count is higher than
   * in `sending` where the claim must leave deliveries of a webhook unclaimed.
   */
  readonly takenPlaces: HashMap.HashMap<WebhookId, number>
  /**
   * Whether the last claim allowed a slow webhook less than `perWebhook`, because the slow webhooks share their half.
   */
  readonly isSlowLimited: boolean
  /** How many slow webhooks were below `perWebhook` at the last claim. */
  readonly claimableSlowCount: number
  /** The slow webhooks that had a turn in the last claim and that have received no delivery since. */
  readonly idle: ReadonlySet<WebhookId>
  /** How many turns of this round were left unused since a slow webhook last received a delivery. */
  readonly unusedTurns: number
}

const slowAfterMillis = Duration.toMillis("1 second")

/** The maximum number of slow webhooks in memory. Beyond it the first in the order of turns counts as quick again. */
const maxSlowWebhooks = 1_000

const none: ReadonlySet<never> = new Set<never>()

/** Returns the state in which nothing is being sent. `slow` are webhooks that are known to be slow. */
export const make = (limits: ConcurrencyLimits, slow: ReadonlySet<WebhookId> = none): DeliveryConcurrency => ({
  limits,
  sending: HashMap.empty(),
  count: 0,
  slow,
  slowCount: 0,
  takenPlaces: HashMap.empty(),
  isSlowLimited: false,
  claimableSlowCount: 0,
  idle: none,
  unusedTurns: 0
})

const countOf = (counts: HashMap.HashMap<WebhookId, number>, webhookId: WebhookId): number =>
  Option.getOrElse(HashMap.get(counts, webhookId), () => 0)

const add = (counts: HashMap.HashMap<WebhookId, number>, webhookId: WebhookId, change: number) => {
  const after = countOf(counts, webhookId) + change
  return after > 0 ? HashMap.set(counts, webhookId, after) : HashMap.remove(counts, webhookId)
}

/**
 * Returns up to how many deliveries in flight the slow webhooks get new places: half of the total, and at least 1.
 */
const maxSlowCount = ({ limits }: DeliveryConcurrency): number => Math.max(1, Math.floor(limits.total / 2))

/** Returns the state at the beginning of a round of claims, in which every slow webhook may have a turn. */
export const beginRound = (concurrency: DeliveryConcurrency): DeliveryConcurrency =>
  concurrency.unusedTurns === 0 ? concurrency : { ...concurrency, unusedTurns: 0 }

/**
 * Returns the state at the beginning of a claim, with the counts to pass to the store in `takenPlaces`. A webhook of
 * `blockedWebhooks` counts as full. The count of a slow webhook is raised, so that it claims only its part of the half
 * of the slow ones.
 */
export const beginClaim = (
  concurrency: DeliveryConcurrency,
  blockedWebhooks: ReadonlySet<WebhookId>
): DeliveryConcurrency => {
  const { perWebhook } = concurrency.limits
  let takenPlaces = concurrency.sending
  for (const webhookId of blockedWebhooks) takenPlaces = HashMap.set(takenPlaces, webhookId, perWebhook)
  if (concurrency.slow.size === 0)
    return { ...concurrency, takenPlaces, isSlowLimited: false, claimableSlowCount: 0, idle: none }
  let free = Math.max(0, maxSlowCount(concurrency) - concurrency.slowCount)
  const each = Math.max(1, Math.floor(free / concurrency.slow.size))
  let isSlowLimited = false
  let claimableSlowCount = 0
  const idle = new Set<WebhookId>()
  for (const webhookId of concurrency.slow) {
    const wanted = Math.max(0, perWebhook - countOf(takenPlaces, webhookId))
    const allowed = Math.min(wanted, each, free)
    free -= allowed
    if (wanted > 0) claimableSlowCount += 1
    if (allowed > 0) idle.add(webhookId)
    if (allowed < wanted) {
      isSlowLimited = true
      takenPlaces = HashMap.set(takenPlaces, webhookId, perWebhook - allowed)
    }
  }
  return { ...concurrency, takenPlaces, isSlowLimited, claimableSlowCount, idle }
}

/** Returns a set in which these members have moved to the end, in the order given. */
const moveToEnd = (set: ReadonlySet<WebhookId>, members: ReadonlyArray<WebhookId>): ReadonlySet<WebhookId> => {
  if (members.length === 0) return set
  const moved = new Set(set)
  for (const member of members) if (moved.delete(member)) moved.add(member)
  return moved
}

/**
 * Returns the state after a claim. `webhookIds` has the webhook of each claimed delivery, which is sent from now on.
 */
export const start = (concurrency: DeliveryConcurrency, webhookIds: ReadonlyArray<WebhookId>): DeliveryConcurrency => {
  let { sending, takenPlaces } = concurrency
  for (const webhookId of webhookIds) {
    sending = add(sending, webhookId, 1)
    takenPlaces = add(takenPlaces, webhookId, 1)
  }
  const started = { ...concurrency, sending, takenPlaces, count: concurrency.count + webhookIds.length }
  if (concurrency.slow.size === 0) return started
  const slow = webhookIds.filter((webhookId) => concurrency.slow.has(webhookId))
  const active = new Set(slow)
  const idle = [...concurrency.idle].filter((webhookId) => !active.has(webhookId))
  // The claim limited no slow webhook, so it could claim all their due deliveries, and the turns need not continue.
  const hadAllTurns = !concurrency.isSlowLimited
  return {
    ...started,
    // A slow webhook without due deliveries goes to the end as well, or it would block the turns of the others.
    slow: moveToEnd(concurrency.slow, hadAllTurns ? slow : [...slow, ...idle]),
    slowCount: concurrency.slowCount + slow.length,
    idle: new Set(idle),
    unusedTurns: (slow.length > 0 ? 0 : concurrency.unusedTurns) + (hadAllTurns ? 0 : idle.length)
  }
}

/** Returns whether another claim of this round is needed, because a slow webhook has not had its turn. */
export const hasTurnsLeft = (concurrency: DeliveryConcurrency): boolean =>
  canClaimMoreSlow(concurrency) && concurrency.unusedTurns < concurrency.claimableSlowCount

/** Returns whether the last claim limited a slow webhook, and the half of the slow ones is no longer full. */
export const canClaimMoreSlow = (concurrency: DeliveryConcurrency): boolean =>
  concurrency.isSlowLimited && concurrency.slowCount < maxSlowCount(concurrency)

/**
 * Returns whether a webhook that the last claim passed to the store as full is below its limits now. A new claim may
 * then find more deliveries of it.
 */
export const canClaimMoreOf = (
  concurrency: DeliveryConcurrency,
  webhookId: WebhookId,
  blockedWebhooks: ReadonlySet<WebhookId>
): boolean => {
  const { perWebhook } = concurrency.limits
  return (
    countOf(concurrency.takenPlaces, webhookId) >= perWebhook &&
    countOf(concurrency.sending, webhookId) < perWebhook &&
    !blockedWebhooks.has(webhookId) &&
    !(concurrency.slow.has(webhookId) && concurrency.slowCount >= maxSlowCount(concurrency))
  )
}

/** Returns the state after an attempt of this duration, which decides whether its webhook is slow from now on. */
export const observe = (
  concurrency: DeliveryConcurrency,
  webhookId: WebhookId,
  durationMillis: number
): DeliveryConcurrency => {
  const isSlow = durationMillis > slowAfterMillis
  if (isSlow === concurrency.slow.has(webhookId)) return concurrency
  const slow = new Set(concurrency.slow)
  const sending = countOf(concurrency.sending, webhookId)
  if (!isSlow) {
    slow.delete(webhookId)
    return { ...concurrency, slow, slowCount: concurrency.slowCount - sending }
  }
  slow.add(webhookId)
  let slowCount = concurrency.slowCount + sending
  for (const first of slow) {
    if (slow.size <= maxSlowWebhooks) break
    slow.delete(first)
    slowCount -= countOf(concurrency.sending, first)
  }
  return { ...concurrency, slow, slowCount }
}

/** Returns the state after a delivery to this webhook has ended. */
export const end = (concurrency: DeliveryConcurrency, webhookId: WebhookId): DeliveryConcurrency => ({
  ...concurrency,
  sending: add(concurrency.sending, webhookId, -1),
  count: concurrency.count - 1,
  slowCount: concurrency.slowCount - (concurrency.slow.has(webhookId) ? 1 : 0)
})

import * as Duration from "effect/Duration"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"

/** How many deliveries a process sends at once. */
export interface ConcurrencyLimits {
  /** In all. */
  readonly total: number
  readonly perWebhook: number
}

/**
 * Which deliveries a process is sending, counted by webhook.
 *
 * A webhook is slow if its last attempt in this process took more than a second. Slow webhooks share half of the places, so
 * that receivers that hang leave the other half to the rest. A claim divides what is free of that half among them,
 * beginning with the one whose last turn is longest ago. It cannot know which of them have something to send. So a round
 * of claims continues until every slow webhook has left its turn unused, or the half is full.
 */
export interface DeliveryConcurrency {
  readonly limits: ConcurrencyLimits
  /** How many deliveries are being sent, by webhook; a webhook with none is not in it. */
  readonly sending: HashMap.HashMap<WebhookId, number>
  /** How many are being sent in all. */
  readonly count: number
  /** The slow webhooks, in the order of their turns. */
  readonly slow: ReadonlySet<WebhookId>
  /** How many deliveries are being sent to slow webhooks. */
  readonly slowCount: number
  /** What the last claim was told is being sent, by webhook, and what was started since. */
  readonly shown: HashMap.HashMap<WebhookId, number>
  /** Whether the last claim left out places of a slow webhook, because the half of the slow ones was full. */
  readonly isWithheld: boolean
  /** How many slow webhooks had a free place of their own at the last claim. */
  readonly ableCount: number
  /** The slow webhooks whose turn it was at the last claim, and that have taken nothing since. */
  readonly idle: ReadonlySet<WebhookId>
  /** How many turns of this round were left unused since a slow webhook last took something. */
  readonly unusedTurns: number
}

const slowAfter = Duration.toMillis("1 second")

/** How many slow webhooks are remembered; beyond that the first is forgotten. */
const maxSlow = 1_000

const none: ReadonlySet<never> = new Set<never>()

/** Returns places of which none is taken. */
export const make = (limits: ConcurrencyLimits, slow: ReadonlySet<WebhookId> = none): DeliveryConcurrency => ({
  limits,
  sending: HashMap.empty(),
  count: 0,
  slow,
  slowCount: 0,
  shown: HashMap.empty(),
  isWithheld: false,
  ableCount: 0,
  idle: none,
  unusedTurns: 0
})

const countOf = (counts: HashMap.HashMap<WebhookId, number>, webhookId: WebhookId): number =>
  Option.getOrElse(HashMap.get(counts, webhookId), () => 0)

const add = (counts: HashMap.HashMap<WebhookId, number>, webhookId: WebhookId, some: number) => {
  const after = countOf(counts, webhookId) + some
  return after > 0 ? HashMap.set(counts, webhookId, after) : HashMap.remove(counts, webhookId)
}

/** How many places slow webhooks have together. */
const shareOfSlow = ({ limits }: DeliveryConcurrency): number => Math.max(1, Math.floor(limits.total / 2))

/** The places when a round of claims begins: every slow webhook may have a turn in it. */
export const beginRound = (concurrency: DeliveryConcurrency): DeliveryConcurrency =>
  concurrency.unusedTurns === 0 ? concurrency : { ...concurrency, unusedTurns: 0 }

/**
 * The places when a claim begins; `shown` is what the claim is told. A webhook of `deferredWebhooks` is shown as full, and a slow one
 * with as many more as the half of the slow ones leaves it no place for.
 */
export const beginClaim = (
  concurrency: DeliveryConcurrency,
  deferredWebhooks: ReadonlySet<WebhookId>
): DeliveryConcurrency => {
  const { perWebhook } = concurrency.limits
  let shown = concurrency.sending
  for (const webhookId of deferredWebhooks) shown = HashMap.set(shown, webhookId, perWebhook)
  if (concurrency.slow.size === 0) return { ...concurrency, shown, isWithheld: false, ableCount: 0, idle: none }
  let free = Math.max(0, shareOfSlow(concurrency) - concurrency.slowCount)
  const each = Math.max(1, Math.floor(free / concurrency.slow.size))
  let isWithheld = false
  let ableCount = 0
  const idle = new Set<WebhookId>()
  for (const webhookId of concurrency.slow) {
    const own = Math.max(0, perWebhook - countOf(shown, webhookId))
    const given = Math.min(own, each, free)
    free -= given
    if (own > 0) ableCount += 1
    if (given > 0) idle.add(webhookId)
    if (given < own) {
      isWithheld = true
      shown = HashMap.set(shown, webhookId, perWebhook - given)
    }
  }
  return { ...concurrency, shown, isWithheld, ableCount, idle }
}

/** A set in which these members have moved to the end, in their order. */
const moveToEnd = (set: ReadonlySet<WebhookId>, members: ReadonlyArray<WebhookId>): ReadonlySet<WebhookId> => {
  if (members.length === 0) return set
  const moved = new Set(set)
  for (const member of members) if (moved.delete(member)) moved.add(member)
  return moved
}

/** The places when a claim has ended with deliveries to these webhooks, which are being sent from now on. */
export const start = (concurrency: DeliveryConcurrency, webhookIds: ReadonlyArray<WebhookId>): DeliveryConcurrency => {
  let { sending, shown } = concurrency
  for (const webhookId of webhookIds) {
    sending = add(sending, webhookId, 1)
    shown = add(shown, webhookId, 1)
  }
  const started = { ...concurrency, sending, shown, count: concurrency.count + webhookIds.length }
  if (concurrency.slow.size === 0) return started
  const slow = webhookIds.filter((webhookId) => concurrency.slow.has(webhookId))
  const taken = new Set(slow)
  // A slow webhook with nothing to send lets the others go first, as one does that has taken something.
  const idle = [...concurrency.idle].filter((webhookId) => !taken.has(webhookId))
  const isOver = !concurrency.isWithheld
  return {
    ...started,
    slow: moveToEnd(concurrency.slow, isOver ? slow : [...slow, ...idle]),
    slowCount: concurrency.slowCount + slow.length,
    idle: new Set(idle),
    unusedTurns: (slow.length > 0 ? 0 : concurrency.unusedTurns) + (isOver ? 0 : idle.length)
  }
}

/** Returns whether a slow webhook has its turn of this round yet to come. */
export const isTurnToCome = (concurrency: DeliveryConcurrency): boolean =>
  isShareFree(concurrency) && concurrency.unusedTurns < concurrency.ableCount

/** Returns whether slow webhooks have a place that the last claim left out because their half was full. */
export const isShareFree = (concurrency: DeliveryConcurrency): boolean =>
  concurrency.isWithheld && concurrency.slowCount < shareOfSlow(concurrency)

/** Returns whether a webhook that the last claim was told is full has a place now, so that a new claim may find more. */
export const isUnseen = (
  concurrency: DeliveryConcurrency,
  webhookId: WebhookId,
  deferredWebhooks: ReadonlySet<WebhookId>
): boolean => {
  const { perWebhook } = concurrency.limits
  return (
    countOf(concurrency.shown, webhookId) >= perWebhook &&
    countOf(concurrency.sending, webhookId) < perWebhook &&
    !deferredWebhooks.has(webhookId) &&
    !(concurrency.slow.has(webhookId) && concurrency.slowCount >= shareOfSlow(concurrency))
  )
}

/** The places when an attempt has taken this long: its webhook is slow from now on, or it is not. */
export const judge = (
  concurrency: DeliveryConcurrency,
  webhookId: WebhookId,
  durationMillis: number
): DeliveryConcurrency => {
  const isSlow = durationMillis > slowAfter
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
    if (slow.size <= maxSlow) break
    slow.delete(first)
    slowCount -= countOf(concurrency.sending, first)
  }
  return { ...concurrency, slow, slowCount }
}

/** The places when one delivery to this webhook is no longer being sent. */
export const leave = (concurrency: DeliveryConcurrency, webhookId: WebhookId): DeliveryConcurrency => ({
  ...concurrency,
  sending: add(concurrency.sending, webhookId, -1),
  count: concurrency.count - 1,
  slowCount: concurrency.slowCount - (concurrency.slow.has(webhookId) ? 1 : 0)
})

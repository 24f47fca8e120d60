import * as Duration from "effect/Duration"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type { WebhookId } from "../webhook/Webhook.ts"

/** How many deliveries a process sends at once. */
export interface PlaceLimits {
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
export interface Places {
  readonly limits: PlaceLimits
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
export const make = (limits: PlaceLimits, slow: ReadonlySet<WebhookId> = none): Places => ({
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
const shareOfSlow = ({ limits }: Places): number => Math.max(1, Math.floor(limits.total / 2))

/** The places when a round of claims begins: every slow webhook may have a turn in it. */
export const beginRound = (places: Places): Places =>
  places.unusedTurns === 0 ? places : { ...places, unusedTurns: 0 }

/**
 * The places when a claim begins; `shown` is what the claim is told. A webhook of `held` is shown as full, and a slow one
 * with as many more as the half of the slow ones leaves it no place for.
 */
export const beginClaim = (places: Places, held: ReadonlySet<WebhookId>): Places => {
  const { perWebhook } = places.limits
  let shown = places.sending
  for (const webhookId of held) shown = HashMap.set(shown, webhookId, perWebhook)
  if (places.slow.size === 0) return { ...places, shown, isWithheld: false, ableCount: 0, idle: none }
  let free = Math.max(0, shareOfSlow(places) - places.slowCount)
  const each = Math.max(1, Math.floor(free / places.slow.size))
  let isWithheld = false
  let ableCount = 0
  const idle = new Set<WebhookId>()
  for (const webhookId of places.slow) {
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
  return { ...places, shown, isWithheld, ableCount, idle }
}

/** A set in which these members have moved to the end, in their order. */
const moveToEnd = (set: ReadonlySet<WebhookId>, members: ReadonlyArray<WebhookId>): ReadonlySet<WebhookId> => {
  if (members.length === 0) return set
  const moved = new Set(set)
  for (const member of members) if (moved.delete(member)) moved.add(member)
  return moved
}

/** The places when a claim has ended with deliveries to these webhooks, which are being sent from now on. */
export const start = (places: Places, webhookIds: ReadonlyArray<WebhookId>): Places => {
  let { sending, shown } = places
  for (const webhookId of webhookIds) {
    sending = add(sending, webhookId, 1)
    shown = add(shown, webhookId, 1)
  }
  const started = { ...places, sending, shown, count: places.count + webhookIds.length }
  if (places.slow.size === 0) return started
  const slow = webhookIds.filter((webhookId) => places.slow.has(webhookId))
  const taken = new Set(slow)
  // A slow webhook with nothing to send lets the others go first, as one does that has taken something.
  const idle = [...places.idle].filter((webhookId) => !taken.has(webhookId))
  const isOver = !places.isWithheld
  return {
    ...started,
    slow: moveToEnd(places.slow, isOver ? slow : [...slow, ...idle]),
    slowCount: places.slowCount + slow.length,
    idle: new Set(idle),
    unusedTurns: (slow.length > 0 ? 0 : places.unusedTurns) + (isOver ? 0 : idle.length)
  }
}

/** Returns whether a slow webhook has its turn of this round yet to come. */
export const isTurnToCome = (places: Places): boolean => isShareFree(places) && places.unusedTurns < places.ableCount

/** Returns whether slow webhooks have a place that the last claim left out because their half was full. */
export const isShareFree = (places: Places): boolean => places.isWithheld && places.slowCount < shareOfSlow(places)

/** Returns whether a webhook that the last claim was told is full has a place now, so that a new claim may find more. */
export const isUnseen = (places: Places, webhookId: WebhookId, held: ReadonlySet<WebhookId>): boolean => {
  const { perWebhook } = places.limits
  return (
    countOf(places.shown, webhookId) >= perWebhook &&
    countOf(places.sending, webhookId) < perWebhook &&
    !held.has(webhookId) &&
    !(places.slow.has(webhookId) && places.slowCount >= shareOfSlow(places))
  )
}

/** The places when an attempt has taken this long: its webhook is slow from now on, or it is not. */
export const judge = (places: Places, webhookId: WebhookId, durationMillis: number): Places => {
  const isSlow = durationMillis > slowAfter
  if (isSlow === places.slow.has(webhookId)) return places
  const slow = new Set(places.slow)
  const sending = countOf(places.sending, webhookId)
  if (!isSlow) {
    slow.delete(webhookId)
    return { ...places, slow, slowCount: places.slowCount - sending }
  }
  slow.add(webhookId)
  let slowCount = places.slowCount + sending
  for (const first of slow) {
    if (slow.size <= maxSlow) break
    slow.delete(first)
    slowCount -= countOf(places.sending, first)
  }
  return { ...places, slow, slowCount }
}

/** The places when one delivery to this webhook is no longer being sent. */
export const leave = (places: Places, webhookId: WebhookId): Places => ({
  ...places,
  sending: add(places.sending, webhookId, -1),
  count: places.count - 1,
  slowCount: places.slowCount - (places.slow.has(webhookId) ? 1 : 0)
})

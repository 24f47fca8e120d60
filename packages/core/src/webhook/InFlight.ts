import * as Duration from "effect/Duration"
import type { WebhookId } from "./Webhook.ts"

/** What a process has in flight, in all and by webhook. */
export interface InFlight {
  /** How many more may be taken. */
  readonly room: () => number
  /** How many have been taken and not recorded. */
  readonly count: () => number
  /** How many are being sent, by webhook. */
  readonly byWebhook: () => ReadonlyMap<WebhookId, number>
  /** A round of claims begins: each slow webhook may have a turn in it. */
  readonly round: () => void
  /**
   * The same, for a claim that begins now and knows of no change until the next one. A slow webhook is shown with as
   * many more as its share leaves it no place for.
   */
  readonly forClaim: () => ReadonlyMap<WebhookId, number>
  /** One has been taken. */
  readonly start: (webhookId: WebhookId) => void
  /** All that the last claim took has been started. Answers whether a slow webhook has its turn yet to come. */
  readonly claimed: () => boolean
  /** An attempt took so many milliseconds: the webhook is slow from now on, or is not. */
  readonly took: (webhookId: WebhookId, millis: number) => void
  /** One has its answer: its webhook has a place again. */
  readonly sent: (webhookId: WebhookId) => void
  /** Some have been recorded: the process has their places again. */
  readonly recorded: (count: number) => void
  /**
   * The webhooks whose results cannot be recorded now: until they can, they have no places. `busy` of those results wait
   * because others hold their webhook; they leave the process its places.
   */
  readonly hold: (webhooks: ReadonlySet<WebhookId>, busy: number) => void
}

/** A webhook is slow whose last attempt in this process took longer. */
const slowAfter = Duration.toMillis("1 second")

/** How many slow webhooks are known at once; beyond it the one is forgotten that comes first. */
const mostSlow = 1_000

/**
 * Counts what is in flight.
 *
 * A webhook gets its place back when its answer is there, the process only when the result is recorded, so that a slow
 * store does not let results pile up; those that wait for others take none (`BusyResults`). `onPlace` is called when a
 * place is free of a webhook for which the last claim saw none: also when it came free while that claim was being made.
 *
 * Slow webhooks together have half of the places, so that those that hang leave the other half to the rest. A claim
 * gives what is free of that half out among them, first to the one that has waited longest for a turn. As it cannot
 * know who has something to send, a round of claims goes on until each of them had a turn that it left unused, or the
 * half is full.
 */
export const make = (max: number, maxPerWebhook: number, onPlace: () => void): InFlight => {
  const sending = new Map<WebhookId, number>()
  let seenByClaim = new Map<WebhookId, number>()
  let count = 0
  const share = Math.max(1, Math.floor(max / 2))
  /** Whose turn comes first is first. */
  const slow = new Set<WebhookId>()
  let slowSending = 0
  /** How many slow webhooks could take more at the last claim. */
  let able = 0
  /** Those it had a place for, and that have taken nothing. */
  const idle = new Set<WebhookId>()
  /** How many had a turn in this round, and left it unused, since one last took something. */
  let unused = 0
  let held: ReadonlySet<WebhookId> = new Set()
  let heldResults = 0
  /** Whether a slow webhook was left without a place of its own for want of one in the share. */
  let isWithheld = false

  const add = (counts: Map<WebhookId, number>, webhookId: WebhookId, some: number): void => {
    const after = (counts.get(webhookId) ?? 0) + some
    if (after <= 0) counts.delete(webhookId)
    else counts.set(webhookId, after)
  }
  const look = (webhookId: WebhookId): void => {
    const isPassedOver = (seenByClaim.get(webhookId) ?? 0) >= maxPerWebhook
    if (!isPassedOver || held.has(webhookId) || (sending.get(webhookId) ?? 0) >= maxPerWebhook) return
    if (slow.has(webhookId) && slowSending >= share) isWithheld = true
    else onPlace()
  }
  const lookAtShare = (): void => {
    if (isWithheld && slowSending < share) onPlace()
  }
  const quicken = (webhookId: WebhookId): void => {
    slow.delete(webhookId)
    slowSending -= sending.get(webhookId) ?? 0
  }

  const room = (): number => Math.max(0, max - count + heldResults)

  return {
    room,
    count: () => count,
    byWebhook: () => new Map(sending),
    round: () => {
      unused = 0
    },
    forClaim: () => {
      seenByClaim = new Map(sending)
      isWithheld = false
      able = 0
      idle.clear()
      for (const webhookId of held) seenByClaim.set(webhookId, maxPerWebhook)
      if (slow.size === 0) return new Map(seenByClaim)
      let free = Math.max(0, share - slowSending)
      const each = Math.max(1, Math.floor(free / slow.size))
      for (const webhookId of slow) {
        const own = Math.max(0, maxPerWebhook - (seenByClaim.get(webhookId) ?? 0))
        const places = Math.min(own, each, free)
        free -= places
        if (own > 0) able++
        if (places > 0) idle.add(webhookId)
        if (places < own) {
          isWithheld = true
          seenByClaim.set(webhookId, maxPerWebhook - places)
        }
      }
      return new Map(seenByClaim)
    },
    start: (webhookId) => {
      add(sending, webhookId, 1)
      add(seenByClaim, webhookId, 1)
      count++
      if (slow.has(webhookId)) {
        slowSending++
        unused = 0
        idle.delete(webhookId)
        slow.delete(webhookId)
        slow.add(webhookId)
      }
      look(webhookId)
    },
    claimed: () => {
      if (!isWithheld) return false
      // Who had a turn and nothing to send lets the others go first.
      unused += idle.size
      for (const webhookId of idle) if (slow.delete(webhookId)) slow.add(webhookId)
      return unused < able && slowSending < share
    },
    took: (webhookId, millis) => {
      const isSlow = millis > slowAfter
      if (isSlow === slow.has(webhookId)) return
      if (!isSlow) {
        quicken(webhookId)
        return lookAtShare()
      }
      slow.add(webhookId)
      slowSending += sending.get(webhookId) ?? 0
      for (const first of slow) {
        if (slow.size <= mostSlow) break
        quicken(first)
      }
    },
    sent: (webhookId) => {
      add(sending, webhookId, -1)
      if (slow.has(webhookId)) slowSending--
      look(webhookId)
      lookAtShare()
    },
    recorded: (some) => {
      count -= some
    },
    hold: (webhooks, busy) => {
      const wasFull = room() === 0
      held = webhooks
      heldResults = busy
      if (wasFull && room() > 0) onPlace()
    }
  }
}

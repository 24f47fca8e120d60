import type { WebhookId } from "./Webhook.ts"

/** What a process has in flight, in all and by webhook. */
export interface InFlight {
  /** How many more may be taken. */
  readonly room: () => number
  /** How many have been taken and not recorded. */
  readonly count: () => number
  /** How many are being sent, by webhook. */
  readonly byWebhook: () => ReadonlyMap<WebhookId, number>
  /** The same, for a claim that begins now and knows of no change until the next one. */
  readonly forClaim: () => ReadonlyMap<WebhookId, number>
  /** One has been taken. */
  readonly start: (webhookId: WebhookId) => void
  /** One has its answer: its webhook has a place again. */
  readonly sent: (webhookId: WebhookId) => void
  /** Some have been recorded: the process has their places again. */
  readonly recorded: (count: number) => void
}

/**
 * Counts what is in flight.
 *
 * A webhook gets its place back when its answer is there, the process only when the result is recorded, so that a slow
 * store does not let results pile up. `onPlace` is called when a place is free of a webhook for which the last claim saw
 * none: also when it came free while that claim was being made.
 */
export const make = (max: number, maxPerWebhook: number, onPlace: () => void): InFlight => {
  const sending = new Map<WebhookId, number>()
  let seenByClaim = new Map<WebhookId, number>()
  let count = 0
  const add = (counts: Map<WebhookId, number>, webhookId: WebhookId, some: 1 | -1): void => {
    const after = (counts.get(webhookId) ?? 0) + some
    if (after <= 0) counts.delete(webhookId)
    else counts.set(webhookId, after)
  }
  const look = (webhookId: WebhookId): void => {
    const isPassedOver = (seenByClaim.get(webhookId) ?? 0) >= maxPerWebhook
    if (isPassedOver && (sending.get(webhookId) ?? 0) < maxPerWebhook) onPlace()
  }
  return {
    room: () => Math.max(0, max - count),
    count: () => count,
    byWebhook: () => new Map(sending),
    forClaim: () => {
      seenByClaim = new Map(sending)
      return new Map(sending)
    },
    start: (webhookId) => {
      add(sending, webhookId, 1)
      add(seenByClaim, webhookId, 1)
      count++
      look(webhookId)
    },
    sent: (webhookId) => {
      add(sending, webhookId, -1)
      look(webhookId)
    },
    recorded: (some) => {
      count -= some
    }
  }
}

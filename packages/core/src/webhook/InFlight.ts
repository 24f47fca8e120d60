import type { WebhookId } from "./Webhook.ts"

/** What a process has in flight, in all and by webhook. */
export interface InFlight {
  /** How many more may be taken. */
  readonly room: () => number
  /** How many have been taken and not recorded. */
  readonly count: () => number
  /** How many are being sent, by webhook. */
  readonly byWebhook: () => ReadonlyMap<WebhookId, number>
  /** One has been taken. */
  readonly start: (webhookId: WebhookId) => void
  /** One has its answer: its webhook has a place again. True when it had none before. */
  readonly sent: (webhookId: WebhookId) => boolean
  /** Some have been recorded: the process has their places again. */
  readonly recorded: (count: number) => void
}

/**
 * Counts what is in flight.
 *
 * A webhook gets its place back when its answer is there, the process only when the result is recorded, so that a slow
 * store does not let results pile up.
 */
export const make = (max: number, maxPerWebhook: number): InFlight => {
  const sending = new Map<WebhookId, number>()
  let count = 0
  return {
    room: () => Math.max(0, max - count),
    count: () => count,
    byWebhook: () => new Map(sending),
    start: (webhookId) => {
      sending.set(webhookId, (sending.get(webhookId) ?? 0) + 1)
      count++
    },
    sent: (webhookId) => {
      const before = sending.get(webhookId) ?? 0
      if (before <= 1) sending.delete(webhookId)
      else sending.set(webhookId, before - 1)
      return before >= maxPerWebhook
    },
    recorded: (some) => {
      count -= some
    }
  }
}

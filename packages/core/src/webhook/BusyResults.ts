import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { DeliveryResult } from "./Delivery.ts"
import type { WebhookId } from "./Webhook.ts"

/** How long others may hold a webhook before that is said. */
const longHold = Duration.toMillis("5 seconds")

/** Results that wait because others hold their webhook. */
export interface BusyResults {
  /** Those that wait, the first first. */
  readonly all: () => ReadonlyArray<DeliveryResult>
  readonly size: () => number
  /**
   * Sorts what was offered into what waits, or waits still, and what does not. Answers the latter, and what is given
   * up.
   */
  readonly sort: (
    offered: ReadonlyArray<DeliveryResult>,
    isBusy: (result: DeliveryResult) => boolean,
    now: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<DeliveryResult>>
}

/**
 * Makes an empty collection.
 *
 * Of more than `most` the first are given up, and sent again when their leases have run out; but one of each webhook
 * stays, because nothing of a webhook is claimed as long as one waits. When others have held a webhook for some seconds,
 * that is said, and not again until it is over.
 */
export const make = (most: number): BusyResults => {
  /** Since when each waits, in milliseconds. */
  const waiting = new Map<DeliveryResult, number>()
  let isSaid = false

  const countByWebhook = (): Map<WebhookId, number> => {
    const counts = new Map<WebhookId, number>()
    for (const { webhookId } of waiting.keys()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
    return counts
  }

  const giveUpSome = (): ReadonlyArray<DeliveryResult> => {
    if (waiting.size <= most) return []
    const counts = countByWebhook()
    const first: Array<DeliveryResult> = []
    for (const result of waiting.keys()) {
      const count = counts.get(result.webhookId) ?? 0
      if (first.length === waiting.size - most) break
      if (count <= 1) continue
      counts.set(result.webhookId, count - 1)
      first.push(result)
    }
    for (const result of first) waiting.delete(result)
    return first
  }

  return {
    all: () => [...waiting.keys()],
    size: () => waiting.size,
    sort: Effect.fnUntraced(function* (offered, isBusy, now) {
      for (const result of offered) {
        if (!isBusy(result)) waiting.delete(result)
        else if (!waiting.has(result)) waiting.set(result, now.epochMilliseconds)
      }
      const [since] = waiting.values()
      const isLong = since !== undefined && now.epochMilliseconds - since >= longHold
      if (isLong && !isSaid) {
        const count = countByWebhook().size
        yield* Effect.logWarning(
          `webhook results wait, because others hold ${count === 1 ? "1 webhook" : `${count} webhooks`} in the storage`
        )
      }
      isSaid = isLong
      return [...offered.filter((result) => !waiting.has(result)), ...giveUpSome()]
    })
  }
}

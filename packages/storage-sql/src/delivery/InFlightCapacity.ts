import type { ClaimRequest } from "@frontdesk/core/delivery/DeliveryQueue"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Schema from "effect/Schema"

/** A delivery that could be taken. */
export const Candidate = Schema.Struct({ id: Schema.Int, webhookId: WebhookId })

/** The room that a claim has, and what has been put into it. */
export interface Room {
  /** Takes of deliveries, in their order, those for which there is room. */
  readonly take: (candidates: ReadonlyArray<typeof Candidate.Type>) => void
  readonly isFull: () => boolean
  /** How many more may be put into it. */
  readonly left: () => number
  /** What each webhook has in flight with what has been taken. */
  readonly counts: () => ReadonlyArray<readonly [webhookId: WebhookId, count: number]>
  /** The keys of what has been taken. */
  readonly taken: () => ReadonlyArray<number>
  /** The webhooks that have no room. */
  readonly fullWebhooks: () => ReadonlyArray<WebhookId>
  /** So many candidates fill the claim, if each webhook offers one more than it may have in flight at most. */
  readonly enough: () => number
}

/** The room of a claim into which nothing has been put. */
export const make = ({ inFlight, limit, perWebhook }: ClaimRequest): Room => {
  const counts = new Map(inFlight)
  const keys = new Set<number>()
  return {
    take: (candidates) => {
      for (const { id, webhookId } of candidates) {
        if (keys.size === limit) return
        const count = counts.get(webhookId) ?? 0
        if (count >= perWebhook || keys.has(id)) continue
        counts.set(webhookId, count + 1)
        keys.add(id)
      }
    },
    isFull: () => keys.size === limit,
    left: () => limit - keys.size,
    counts: () => [...counts],
    taken: () => [...keys],
    fullWebhooks: () => [...counts].flatMap(([webhookId, count]) => (count >= perWebhook ? [webhookId] : [])),
    enough: () => {
      const places = [...counts.values()].reduce((sum, count) => sum + count, limit)
      return places + Math.floor(places / perWebhook)
    }
  }
}

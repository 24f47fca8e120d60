import type { ClaimRequest } from "@frontdesk/core/delivery/DeliveryQueue"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Schema from "effect/Schema"

/** A delivery that may be claimed. */
export const Candidate = Schema.Struct({ id: Schema.Int, webhookId: WebhookId })

/** The capacity of one claim, overall and for each webhook, and the deliveries that were added to it. */
export interface ClaimCapacity {
  /** Adds deliveries in their order, skipping those whose webhook has no free capacity, until the claim is full. */
  readonly add: (candidates: ReadonlyArray<typeof Candidate.Type>) => void
  /** Returns whether the claim has as many deliveries as it wants. */
  readonly isFull: () => boolean
  /** Returns how many more deliveries the claim wants. */
  readonly remaining: () => number
  /** Returns how many places of each webhook are taken, including those of the added deliveries. */
  readonly counts: () => ReadonlyArray<readonly [webhookId: WebhookId, count: number]>
  /** Returns the keys of the added deliveries. */
  readonly keys: () => ReadonlyArray<number>
  /** Returns the webhooks without free capacity. */
  readonly fullWebhooks: () => ReadonlyArray<WebhookId>
  /**
   * Returns how many candidates suffice to fill the claim, if the candidates of each webhook are at most one more than
   * it has places.
   */
  readonly maxCandidates: () => number
}

/** Returns the capacity of a claim without any delivery. */
export const make = ({ limit, perWebhook, takenPlaces }: ClaimRequest): ClaimCapacity => {
  const counts = new Map(takenPlaces)
  const added = new Set<number>()
  return {
    add: (candidates) => {
      for (const { id, webhookId } of candidates) {
        if (added.size === limit) return
        const count = counts.get(webhookId) ?? 0
        if (count >= perWebhook || added.has(id)) continue
        counts.set(webhookId, count + 1)
        added.add(id)
      }
    },
    isFull: () => added.size === limit,
    remaining: () => limit - added.size,
    counts: () => [...counts],
    keys: () => [...added],
    fullWebhooks: () => [...counts].flatMap(([webhookId, count]) => (count >= perWebhook ? [webhookId] : [])),
    maxCandidates: () => {
      const places = [...counts.values()].reduce((sum, count) => sum + count, limit)
      return places + Math.floor(places / perWebhook)
    }
  }
}

import type { Invariant } from "../Invariants.ts"
import { goneAt } from "./Arriving.ts"

/** How long before a change of a webhook is asked for an event may have taken its time and not yet its subscribers. */
const margin = 1_000

/**
 * Every event that is recorded has one delivery to each webhook that was subscribed to it then, and none to one that was
 * not, whoever raised it: a request, the call provider, or the clock. Judged is what came while a webhook stood still.
 */
export const told: Invariant = (history, deliveries) => {
  const { ledger, records } = history
  const kept = new Set(records.webhooks.map((webhook) => webhook.id))
  const found = Map.groupBy(deliveries, ({ delivery }) => `${delivery.event_id} ${delivery.webhook_id}`)
  return ledger.webhooks
    .filter(({ id }) => kept.has(id))
    .flatMap((webhook) => {
      const gone = goneAt(history, webhook) ?? Number.POSITIVE_INFINITY
      return webhook.periods.flatMap(({ events, from, until }) =>
        records.webhookEvents
          .filter(({ created_at, name }) => {
            const isWithin = created_at > from + history.clockError && created_at < Math.min(until, gone) - margin
            return isWithin && name !== "webhook.test"
          })
          .map((event) => {
            const { length } = found.get(`${event.id} ${webhook.id}`) ?? []
            const count = events.includes(event.name) ? 1 : 0
            return length === count
              ? null
              : `${event.name} ${event.id} has ${length} deliveries to "${webhook.endpoint}", not ${count}`
          })
      )
    })
}

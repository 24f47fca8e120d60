import type { Invariant } from "../Invariants.ts"
import { goneAt } from "./Arriving.ts"

/** The maximum time from the `created_at` of a webhook event to the selection of its webhooks, in milliseconds. */
const margin = 1_000

/**
 * Every stored webhook event has one delivery to each webhook that was subscribed at its time, and none to the others. It
 * does not matter whether a request, the call provider or the clock caused it. Only events at times at which the state of
 * the webhook was certain are checked.
 */
export const matching: Invariant = (history, deliveries) => {
  const { ledger, records } = history
  const webhookIds = new Set(records.webhooks.map((webhook) => webhook.id))
  const found = Map.groupBy(deliveries, ({ delivery }) => `${delivery.event_id} ${delivery.webhook_id}`)
  return ledger.webhooks
    .filter(({ id }) => webhookIds.has(id))
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

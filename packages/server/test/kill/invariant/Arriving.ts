import type { Invariant } from "../Invariants.ts"
import type { History, Told } from "../History.ts"
import type { KnownWebhook } from "../Ledger.ts"

/** How often a delivery may be claimed without a result. One that is claimed once more is given up unsent. */
const maxClaims = 10

/** For how long after it was given an answer may wait to be recorded. */
const onTheWay = 3_000

const is2xx = (status: number | null): boolean => status !== null && status >= 200 && status <= 299

/** When an endpoint first said that it wants no more; null when it never did. */
export const goneAt = (history: History, webhook: KnownWebhook): number | null =>
  history.arrivals.find((arrival) => arrival.endpoint === webhook.endpoint && arrival.answered === 410)?.at ?? null

/** Whether deliveries of a webhook may have been cancelled. */
export const mayBeCancelled = (history: History, webhook: KnownWebhook): boolean =>
  webhook.offUntil !== null || goneAt(history, webhook) !== null

const nameOf = ({ delivery, event }: Told): string => `${event.name} ${delivery.delivery_id}`

/** What is delivered was taken by the receiver at its last try. */
export const delivered: Invariant = (_, told) =>
  told
    .filter(({ delivery }) => delivery.state === "delivered")
    .flatMap((one) => [
      one.arrivals.some((arrival) => is2xx(arrival.answered)) ? null : `${nameOf(one)} was never taken`,
      is2xx(one.attempts.at(-1)?.status_code ?? null) ? null : `${nameOf(one)} is delivered without a success`
    ])

/**
 * What has failed was refused for good or as often as the schedule has tries. To be given up unsent it must have been
 * claimed too often: the claims known to have taken it count, and those without an answer since its event was raised.
 */
export const failed: Invariant = ({ claims, clockError, delays }, told) =>
  told
    .filter(({ delivery }) => delivery.state === "failed")
    .map((one) => {
      const last = one.attempts.at(-1)
      const automatic = one.attempts.filter((attempt) => attempt.kind === "automatic")
      const unanswered = claims.unanswered.filter((at) => at + clockError >= one.event.created_at).length
      const isGivenUp = last?.error?.startsWith("given up") === true
      const hasReason =
        last !== undefined &&
        last.error !== null &&
        (isGivenUp
          ? (claims.ended.get(one.delivery.delivery_id) ?? 0) + unanswered > maxClaims
          : last.kind === "manual" || last.status_code === 410 || automatic.length === delays.length + 1)
      return hasReason ? null : `${nameOf(one)} has failed after ${automatic.length} results: ${last?.error}`
    })

/** What is cancelled was not over when its webhook was off or gone; nothing waits any more. */
export const cancelled: Invariant = (history, told) => {
  const webhooks = new Map(history.ledger.webhooks.map((webhook) => [webhook.id, webhook]))
  return told.flatMap((one) => {
    const { delivery, event } = one
    if (delivery.state === "pending" || delivery.state === "leased") return [`${nameOf(one)} is ${delivery.state}`]
    const webhook = webhooks.get(delivery.webhook_id)
    if (delivery.state !== "cancelled" || webhook === undefined) return []
    const wasGone = history.arrivals.some(
      ({ answered, at, endpoint }) =>
        answered === 410 && endpoint === webhook.endpoint && at + onTheWay >= event.created_at
    )
    // What was raised after it was seen to be on again is none of those.
    const wasOff = webhook.offUntil !== null && webhook.offUntil + history.clockError >= event.created_at
    return [wasGone || wasOff ? null : `${nameOf(one)} is cancelled`]
  })
}

/** Each status that is recorded was answered by the receiver, as often. */
export const answered: Invariant = (_, told) =>
  told.flatMap((one) => {
    const statuses = one.attempts.flatMap(({ status_code }) => (status_code === null ? [] : [status_code]))
    return [...Map.groupBy(statuses, (status) => status)].map(([status, { length }]) => {
      const given = one.arrivals.filter((arrival) => arrival.answered === status).length
      return length <= given ? null : `${nameOf(one)} has ${length} answers ${status} recorded and was given ${given}`
    })
  })

/** Each result comes of a request that was handed to the sender; only what was given up has one without. */
export const sent: Invariant = (_, told) =>
  told.map((one) => {
    const results = one.attempts.filter((attempt) => attempt.error?.startsWith("given up") !== true).length
    return results <= one.sends.length
      ? null
      : `${nameOf(one)} has ${results} results and was sent ${one.sends.length} times`
  })

/** Endpoints that answer every request well have got everything, whatever happened around them. */
export const well: Invariant = (history, told) => {
  const names = new Map(
    history.ledger.webhooks
      .filter(({ conduct, isLasting }) => isLasting && (conduct === "good" || conduct === "slow"))
      .map((webhook) => [webhook.id, webhook.endpoint])
  )
  return told.flatMap((one) => {
    const endpoint = names.get(one.delivery.webhook_id)
    if (endpoint === undefined) return []
    const took = one.arrivals.some((arrival) => arrival.endpoint === endpoint && is2xx(arrival.answered))
    return [took ? null : `${nameOf(one)} never came to "${endpoint}"`]
  })
}

/** Nothing arrives that the database knows nothing of; no event has two deliveries to one webhook. */
export const recorded: Invariant = ({ arrivals, ledger, records }, told) => {
  const ids = new Set(records.deliveries.map((delivery) => delivery.delivery_id))
  const kept = new Set(records.webhooks.map((webhook) => webhook.id))
  const endpoints = new Set(ledger.webhooks.filter(({ id }) => kept.has(id)).map((webhook) => webhook.endpoint))
  const twice = Map.groupBy(told, ({ delivery }) => `${delivery.event_id} to webhook ${delivery.webhook_id}`)
  return [
    ...arrivals
      .filter(({ endpoint }) => endpoints.has(endpoint))
      .map(({ deliveryId, endpoint, event }) =>
        ids.has(deliveryId) ? null : `${event} ${deliveryId} came to "${endpoint}" and is not recorded`
      ),
    ...[...twice].map(([name, { length }]) => (length === 1 ? null : `event ${name} has ${length} deliveries`))
  ]
}

/** What arrives was handed to the sender: one that finds a kept connection closed is written once more, on a new one. */
export const caused: Invariant = ({ arrivals, sends }) => {
  const sent = Map.groupBy(sends, (send) => send.deliveryId)
  return [...Map.groupBy(arrivals, (arrival) => arrival.deliveryId)].map(([id, { length }]) => {
    const times = sent.get(id)?.length ?? 0
    return length <= 2 * times ? null : `${id} arrived ${length} times and was sent ${times} times`
  })
}

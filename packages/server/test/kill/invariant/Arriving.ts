import type { Invariant } from "../Invariants.ts"
import type { History, DeliveryHistory } from "../History.ts"
import type { KnownWebhook } from "../Ledger.ts"

/** How often a delivery may be claimed without a result. At the next claim it fails without being sent. */
const maxClaims = 10

/** The maximum time between an answer and the record of it. */
const onTheWay = 3_000

const is2xx = (status: number | null): boolean => status !== null && status >= 200 && status <= 299

/** Returns the time at which an endpoint first answered 410; null if it never did. */
export const goneAt = (history: History, webhook: KnownWebhook): number | null =>
  history.arrivals.find((arrival) => arrival.endpoint === webhook.endpoint && arrival.answered === 410)?.at ?? null

/** Returns whether deliveries of a webhook may have been cancelled. */
export const mayBeCancelled = (history: History, webhook: KnownWebhook): boolean =>
  webhook.offUntil !== null || goneAt(history, webhook) !== null

const nameOf = ({ delivery, event }: DeliveryHistory): string => `${event.name} ${delivery.delivery_id}`

/** The receiver has accepted the last attempt of a delivered delivery. */
export const delivered: Invariant = (_, deliveries) =>
  deliveries
    .filter(({ delivery }) => delivery.state === "delivered")
    .flatMap((one) => [
      one.arrivals.some((arrival) => is2xx(arrival.answered)) ? null : `${nameOf(one)} was never accepted`,
      is2xx(one.attempts.at(-1)?.status_code ?? null) ? null : `${nameOf(one)} is delivered without a success`
    ])

/**
 * A failed delivery was rejected permanently, or has had all attempts of the retry plan. A delivery that was given up was
 * claimed more than {@link maxClaims} times. The trace shows its finished claims, and each unanswered claim after its
 * webhook event may be one more.
 */
export const failed: Invariant = ({ claims, clockError, delays }, deliveries) =>
  deliveries
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

/** A cancelled delivery was unfinished when its webhook was turned off or deleted. At the end no delivery is pending. */
export const cancelled: Invariant = (history, deliveries) => {
  const webhooks = new Map(history.ledger.webhooks.map((webhook) => [webhook.id, webhook]))
  return deliveries.flatMap((one) => {
    const { delivery, event } = one
    if (delivery.state === "pending" || delivery.state === "leased") return [`${nameOf(one)} is ${delivery.state}`]
    const webhook = webhooks.get(delivery.webhook_id)
    if (delivery.state !== "cancelled" || webhook === undefined) return []
    const wasGone = history.arrivals.some(
      ({ answered, at, endpoint }) =>
        answered === 410 && endpoint === webhook.endpoint && at + onTheWay >= event.created_at
    )
    // The client has seen the webhook turned on again. Deliveries of later webhook events cannot be cancelled.
    const wasOff = webhook.offUntil !== null && webhook.offUntil + history.clockError >= event.created_at
    return [wasGone || wasOff ? null : `${nameOf(one)} is cancelled`]
  })
}

/** The receiver has answered each recorded status at least as often as it is recorded. */
export const answered: Invariant = (_, deliveries) =>
  deliveries.flatMap((one) => {
    const statuses = one.attempts.flatMap(({ status_code }) => (status_code === null ? [] : [status_code]))
    return [...Map.groupBy(statuses, (status) => status)].map(([status, { length }]) => {
      const given = one.arrivals.filter((arrival) => arrival.answered === status).length
      return length <= given
        ? null
        : `${nameOf(one)} has ${length} recorded answers ${status}, but the receiver gave ${given}`
    })
  })

/** Each result belongs to a send. Only a delivery that failed without being sent has a result without a send. */
export const sent: Invariant = (_, deliveries) =>
  deliveries.map((one) => {
    const results = one.attempts.filter((attempt) => attempt.error?.startsWith("given up") !== true).length
    return results <= one.sends.length
      ? null
      : `${nameOf(one)} has ${results} results and was sent ${one.sends.length} times`
  })

/** Endpoints that answer every request with success have received every delivery. */
export const well: Invariant = (history, deliveries) => {
  const names = new Map(
    history.ledger.webhooks
      .filter(({ behaviour, isLasting }) => isLasting && (behaviour === "good" || behaviour === "slow"))
      .map((webhook) => [webhook.id, webhook.endpoint])
  )
  return deliveries.flatMap((one) => {
    const endpoint = names.get(one.delivery.webhook_id)
    if (endpoint === undefined) return []
    const took = one.arrivals.some((arrival) => arrival.endpoint === endpoint && is2xx(arrival.answered))
    return [took ? null : `${nameOf(one)} never arrived at "${endpoint}"`]
  })
}

/** Every request belongs to a stored delivery, and no webhook event has two deliveries to one webhook. */
export const recorded: Invariant = ({ arrivals, ledger, records }, deliveries) => {
  const ids = new Set(records.deliveries.map((delivery) => delivery.delivery_id))
  const webhookIds = new Set(records.webhooks.map((webhook) => webhook.id))
  const endpoints = new Set(ledger.webhooks.filter(({ id }) => webhookIds.has(id)).map((webhook) => webhook.endpoint))
  const twice = Map.groupBy(deliveries, ({ delivery }) => `${delivery.event_id} to webhook ${delivery.webhook_id}`)
  return [
    ...arrivals
      .filter(({ endpoint }) => endpoints.has(endpoint))
      .map(({ deliveryId, endpoint, event }) =>
        ids.has(deliveryId) ? null : `${event} ${deliveryId} arrived at "${endpoint}" and is not stored`
      ),
    ...[...twice].map(([name, { length }]) => (length === 1 ? null : `event ${name} has ${length} deliveries`))
  ]
}

/** Every request was sent. A send that finds its reused connection closed may arrive twice, on a second connection. */
export const caused: Invariant = ({ arrivals, sends }) => {
  const sent = Map.groupBy(sends, (send) => send.deliveryId)
  return [...Map.groupBy(arrivals, (arrival) => arrival.deliveryId)].map(([id, { length }]) => {
    const times = sent.get(id)?.length ?? 0
    return length <= 2 * times ? null : `${id} arrived ${length} times and was sent ${times} times`
  })
}

import type { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { Entry, Fact } from "../Fact.ts"
import { cancel, isOpen, rule, countCase, type State } from "./State.ts"

type Of<Tag extends Fact["_tag"]> = Extract<Fact, { readonly _tag: Tag }>

/** Adds an active webhook. */
export const subscribed = (state: State, { events, secret, url, webhook }: Of<"Subscribed">): void => {
  state.webhooks.set(webhook, {
    id: webhook,
    url,
    events,
    status: "active",
    secret,
    previous: null,
    deleted: false,
    lastDeliveryAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    lastFailureStatus: null,
    consecutiveFailures: 0
  })
}

/** Adds the deliveries of a webhook event, and checks that every subscribed webhook has one. */
export const published = (state: State, { wall }: Entry, fact: Of<"Published">): void => {
  const subscribers = [...state.webhooks.values()].filter(
    ({ deleted, events, status }) => !deleted && status !== "disabled" && events.includes(fact.event)
  )
  rule(
    state,
    "a webhook event has exactly one delivery for each webhook that is subscribed and not disabled",
    JSON.stringify(subscribers.map(({ id }) => id)) ===
      JSON.stringify(fact.deliveries.map(({ webhook }) => webhook).toSorted((a, b) => a - b))
  )
  for (const { id, webhook } of fact.deliveries) add(state, { ...fact, id, webhook, wall })
}

/** Adds the delivery of the webhook event `webhook.test`. */
export const tested = (state: State, { wall }: Entry, fact: Of<"Tested">): void => {
  add(state, { ...fact, event: "webhook.test", subject: `test:${fact.id}`, wall })
}

const add = (
  state: State,
  delivery: {
    readonly id: DeliveryId
    readonly webhook: WebhookId
    readonly event: string
    readonly subject: string
    readonly body: string
    readonly wall: number
  }
): void => {
  const webhook = state.webhooks.get(delivery.webhook)
  rule(state, "every delivery has a unique id", !state.deliveries.has(delivery.id))
  if (webhook === undefined) return
  state.deliveries.set(delivery.id, {
    id: delivery.id,
    webhook,
    event: delivery.event,
    orderKey: `${delivery.webhook}/${delivery.subject}`,
    body: delivery.body,
    createdAt: delivery.wall,
    dueSinceFact: state.facts,
    state: "pending",
    dueAt: delivery.wall,
    lease: null,
    kind: "automatic",
    results: 0,
    claims: 0,
    attempts: []
  })
}

/** Changes a webhook. Pending deliveries go to the new URL, and disabling the webhook cancels them. */
export const changed = (state: State, { elapsed }: Entry, fact: Of<"Changed">): void => {
  const webhook = state.webhooks.get(fact.webhook)
  if (webhook === undefined) return
  webhook.url = fact.url ?? webhook.url
  webhook.events = fact.events ?? webhook.events
  if (fact.isActive === true && webhook.status === "disabled") webhook.status = "active"
  if (fact.isActive === false && webhook.status !== "disabled") {
    webhook.status = "disabled"
    cancel(state, webhook, elapsed)
  }
}

/** Deletes a webhook with its deliveries. */
export const deleted = (state: State, { webhook: id }: Of<"Deleted">): void => {
  const webhook = state.webhooks.get(id)
  if (webhook === undefined) return
  const open = [...state.deliveries.values()].filter((delivery) => delivery.webhook === webhook && isOpen(delivery))
  if (open.some((delivery) => delivery.state === "leased"))
    countCase(state, "a webhook is deleted with a delivery in flight")
  if (open.some((delivery) => delivery.attempts.length > 0)) countCase(state, "a webhook is deleted between retries")
  webhook.deleted = true
}

/** Rotates the secret. The old one also signs until the grace time ends. */
export const rotated = (state: State, { wall }: Entry, fact: Of<"Rotated">): void => {
  const webhook = state.webhooks.get(fact.webhook)
  if (webhook === undefined) return
  webhook.previous = { secret: webhook.secret, expiresAt: wall + fact.graceHours * 3_600_000 }
  webhook.secret = fact.secret
  countCase(state, "a secret is rotated")
}

/** Makes a delivery due for one manual attempt. An open delivery does not change. */
export const redelivered = (state: State, { elapsed, wall }: Entry, fact: Of<"Redelivered">): void => {
  const delivery = state.deliveries.get(fact.id)
  if (delivery === undefined) return
  countCase(state, `a ${isOpen(delivery) ? "pending" : delivery.state} delivery is redelivered`)
  if (isOpen(delivery)) return
  delivery.state = "pending"
  delivery.dueAt = wall
  delivery.dueSinceFact = state.facts
  delivery.kind = "manual"
  delivery.claims = 0
  state.lastMoved.set(delivery.orderKey, elapsed)
}

import type { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { Entry, Fact } from "../Fact.ts"
import { cancel, isOpen, rule, saw, type State } from "./State.ts"

type Of<Tag extends Fact["_tag"]> = Extract<Fact, { readonly _tag: Tag }>

/** A webhook is there, and active. */
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

/** An event goes to every endpoint that is subscribed when it happens. */
export const published = (state: State, { wall }: Entry, fact: Of<"Published">): void => {
  const subscribers = [...state.webhooks.values()].filter(
    ({ deleted, events, status }) => !deleted && status !== "disabled" && events.includes(fact.event)
  )
  rule(
    state,
    "an event goes to every endpoint that is subscribed then and not disabled, once, and to no other",
    JSON.stringify(subscribers.map(({ id }) => id)) ===
      JSON.stringify(fact.deliveries.map(({ webhook }) => webhook).toSorted((a, b) => a - b))
  )
  for (const { id, webhook } of fact.deliveries) add(state, { ...fact, id, webhook, wall })
}

/** The owner asks for a test. */
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
  rule(state, "a delivery has an id of its own", !state.deliveries.has(delivery.id))
  if (webhook === undefined) return
  state.deliveries.set(delivery.id, {
    id: delivery.id,
    webhook,
    event: delivery.event,
    line: `${delivery.webhook}/${delivery.subject}`,
    body: delivery.body,
    createdAt: delivery.wall,
    askedFor: state.facts,
    state: "pending",
    dueAt: delivery.wall,
    lease: null,
    kind: "automatic",
    results: 0,
    claims: 0,
    attempts: []
  })
}

/** What is pending goes to the new URL; turning a webhook off cancels it. */
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

/** Nothing of a deleted webhook is there any more. */
export const deleted = (state: State, { webhook: id }: Of<"Deleted">): void => {
  const webhook = state.webhooks.get(id)
  if (webhook === undefined) return
  const open = [...state.deliveries.values()].filter((delivery) => delivery.webhook === webhook && isOpen(delivery))
  if (open.some((delivery) => delivery.state === "leased")) saw(state, "a webhook is deleted with a delivery in flight")
  if (open.some((delivery) => delivery.attempts.length > 0)) saw(state, "a webhook is deleted between retries")
  webhook.deleted = true
}

/** The old secret signs too until the grace time is over. */
export const rotated = (state: State, { wall }: Entry, fact: Of<"Rotated">): void => {
  const webhook = state.webhooks.get(fact.webhook)
  if (webhook === undefined) return
  webhook.previous = { secret: webhook.secret, expiresAt: wall + fact.graceHours * 3_600_000 }
  webhook.secret = fact.secret
  saw(state, "a secret is rotated")
}

/** One manual try, at once; a pending delivery stays as it is. */
export const redelivered = (state: State, { elapsed, wall }: Entry, fact: Of<"Redelivered">): void => {
  const delivery = state.deliveries.get(fact.id)
  if (delivery === undefined) return
  saw(state, `a ${isOpen(delivery) ? "pending" : delivery.state} delivery is redelivered`)
  if (isOpen(delivery)) return
  delivery.state = "pending"
  delivery.dueAt = wall
  delivery.askedFor = state.facts
  delivery.kind = "manual"
  delivery.claims = 0
  state.moved.set(delivery.line, elapsed)
}

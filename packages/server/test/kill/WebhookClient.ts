import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as Schema from "effect/Schema"
import type * as Ledger from "./Ledger.ts"
import type { Receivers } from "./Receivers.ts"
import { pickOf, type Replies } from "./Replies.ts"
import type { EndpointBehaviour } from "./Script.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/** All webhook events that a webhook can subscribe to. */
export const allEvents: ReadonlyArray<string> = WebhookEventName.literals

/** The webhook events to which the other webhooks subscribe. */
export const someEvents: ReadonlyArray<string> = ["calendar.created", "calendar.cancelled", "call.ended"]

const Issued = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.Int, secret: Schema.String })))
const Shown = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ is_active: Schema.Boolean, subscribed_events: Schema.Array(Schema.String) }))
)
const Queued = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ delivery_id: Schema.String })))
const Deliveries = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ deliveries: Schema.Array(Schema.Struct({ id: Schema.String })) }))
)
const Listed = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ webhooks: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })) })
  )
)

/** Creates and changes webhooks, and records the answers in the ledger. */
export const make = (ledger: Ledger.Ledger, receivers: Receivers, { complain, good }: Replies) => {
  // The names of webhooks whose creation was not answered.
  const unknown = new Set<string>()

  const createWebhook = async (
    server: ServerProcess,
    endpoint: string,
    behaviour: EndpointBehaviour,
    events: ReadonlyArray<string>,
    isLasting: boolean
  ): Promise<void> => {
    const url = receivers.url(endpoint, behaviour)
    const sentAt = Date.now()
    unknown.add(endpoint)
    const body = { name: endpoint, url, subscribed_events: events }
    const answer = good("a webhook", await server.ask("POST", "/api/v1/webhooks/create", body))
    if (answer === null) return
    unknown.delete(endpoint)
    const { id, secret } = Issued(answer.body)
    ledger.webhooks.push({
      id,
      endpoint,
      behaviour,
      isLasting,
      events,
      isActive: true,
      isCertain: true,
      offUntil: null,
      isDeleted: false,
      periods: [{ events, from: Date.now(), until: Number.POSITIVE_INFINITY }],
      secrets: [{ secret, from: sentAt, until: Number.POSITIVE_INFINITY }]
    })
  }

  /** Chooses one of the webhooks that certainly exist and that operations change. */
  const anyWebhook = (pick: number): Ledger.KnownWebhook | undefined =>
    pickOf(
      ledger.webhooks.filter((webhook) => !webhook.isLasting && webhook.isCertain && !webhook.isDeleted),
      pick
    )

  /** Records that pending deliveries of the webhook may be cancelled from now on. */
  const off = (webhook: Ledger.KnownWebhook): void => {
    webhook.offUntil = Number.POSITIVE_INFINITY
  }

  /** Records that the subscribed events of the webhook are uncertain from now on. */
  const doubt = (webhook: Ledger.KnownWebhook): void => {
    webhook.isCertain = false
    const period = webhook.periods.at(-1)
    if (period !== undefined) period.until = Math.min(period.until, Date.now())
  }

  const patchWebhook = async (server: ServerProcess, webhook: Ledger.KnownWebhook, body: unknown): Promise<void> => {
    doubt(webhook)
    await server.ask("PATCH", `/api/v1/webhooks/${webhook.id}/update`, body)
    await readState(server, webhook)
  }

  /** Reads a webhook. Afterwards its state is certain, unless there was no answer. */
  const readState = async (server: ServerProcess, webhook: Ledger.KnownWebhook): Promise<void> => {
    const answer = good("a webhook's state", await server.ask("GET", `/api/v1/webhooks/${webhook.id}`), [404])
    if (answer === null) return
    const shown = Shown(answer.body)
    webhook.isActive = shown.is_active
    webhook.events = shown.subscribed_events
    webhook.isCertain = true
    const from = Date.now()
    if (webhook.isActive && webhook.offUntil !== null) webhook.offUntil = from
    webhook.periods.push({ events: webhook.isActive ? webhook.events : [], from, until: Number.POSITIVE_INFINITY })
  }

  const remove = async (server: ServerProcess, webhook: Ledger.KnownWebhook): Promise<void> => {
    doubt(webhook)
    off(webhook)
    const answer = await server.ask("POST", `/api/v1/webhooks/${webhook.id}/delete`)
    // 404: a request without an answer has deleted it.
    if (answer !== null && (answer.status === 200 || answer.status === 404)) webhook.isDeleted = true
    else if (answer !== null) complain("a deletion", answer)
  }

  const rotate = async (server: ServerProcess, webhook: Ledger.KnownWebhook): Promise<void> => {
    const sentAt = Date.now()
    const answer = good("a rotation", await server.ask("POST", `/api/v1/webhooks/${webhook.id}/rotate-secret`), [404])
    if (answer === null) {
      webhook.secrets.push({ secret: null, from: sentAt, until: Number.POSITIVE_INFINITY })
      return
    }
    for (const period of webhook.secrets) period.until = Math.min(period.until, Date.now())
    webhook.secrets.push({ secret: Issued(answer.body).secret, from: sentAt, until: Number.POSITIVE_INFINITY })
  }

  const test = async (server: ServerProcess, webhook: Ledger.KnownWebhook): Promise<void> => {
    const answer = good("a test", await server.ask("POST", `/api/v1/webhooks/${webhook.id}/test`))
    if (answer !== null) ledger.tests.push({ webhookId: webhook.id, deliveryId: Queued(answer.body).delivery_id })
  }

  const redeliver = async (server: ServerProcess, webhook: Ledger.KnownWebhook, which: number): Promise<void> => {
    const path = `/api/v1/webhooks/${webhook.id}/deliveries`
    const list = good("deliveries", await server.ask("GET", `${path}?status=${which < 0.5 ? "delivered" : "failed"}`))
    if (list === null) return
    const delivery = pickOf(Deliveries(list.body).deliveries, (which * 2) % 1)
    if (delivery === undefined) return
    const answer = good("a redelivery", await server.ask("POST", `${path}/${delivery.id}/redeliver`))
    if (answer !== null) ledger.redelivered.push({ webhookId: webhook.id, deliveryId: delivery.id })
  }

  const catchUp = async (server: ServerProcess): Promise<void> => {
    if (unknown.size > 0) {
      const answer = good("webhooks", await server.ask("GET", "/api/v1/webhooks"))
      for (const { id, name } of answer === null ? [] : Listed(answer.body).webhooks) {
        // The secret was in the answer that did not arrive, so the webhook cannot be used.
        if (unknown.has(name)) await server.ask("POST", `/api/v1/webhooks/${id}/delete`)
      }
    }
    for (const webhook of ledger.webhooks) {
      if (webhook.isDeleted) continue
      if (!webhook.isCertain) {
        const answer = await server.ask("GET", `/api/v1/webhooks/${webhook.id}`)
        if (answer?.status === 404 && webhook.offUntil !== null) webhook.isDeleted = true
        else await readState(server, webhook)
      }
      if (webhook.isCertain && webhook.secrets.at(-1)?.secret === null) await rotate(server, webhook)
    }
  }

  return {
    create: createWebhook,
    any: anyWebhook,
    off,
    patch: patchWebhook,
    remove,
    rotate,
    test,
    redeliver,
    catchUp
  }
}

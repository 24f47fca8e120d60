import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import { CallId } from "@frontdesk/core/call/Call"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { call } from "./samples.ts"

/** Creates a webhook for these webhook events and returns its id. */
export const subscribeTo = Effect.fnUntraced(function* (url: string, subscribedEvents: ReadonlyArray<string>) {
  return (yield* (yield* Webhooks).create({ name: "n", url, subscribedEvents })).webhook.id
})

/** Creates a webhook for `call.ended` and returns its id. */
export const subscribe = (url: string) => subscribeTo(url, ["call.ended"])

/** Publishes `call.ended` of the call with this id. */
export const publishEnded = (id: number) =>
  Effect.flatMap(WebhookEventPublisher, ({ publish }) =>
    publish(CallWebhookEvent.make("call.ended", call({ id: CallId.make(id) })))
  )

/** Publishes `call.ended` of the call with this id, and notifies the worker. */
export const publishEndedAndNotify = (id: number) =>
  Effect.andThen(
    publishEnded(id),
    Effect.flatMap(WebhookEventPublisher, ({ notify }) => notify)
  )

/** Sends all due deliveries. */
export const drain = Effect.flatMap(DeliveryWorker, (worker) => worker.drain)

/** Returns the deliveries of a webhook, newest first. */
export const deliveries = (id: WebhookId) =>
  Effect.flatMap(Webhooks, (webhooks) => Effect.map(webhooks.deliveries(id), ({ items }) => items))

/** Returns when each request to a URL was sent, in milliseconds. */
export const timesOf = Effect.fnUntraced(function* (url: string) {
  const requests = yield* (yield* FakeWebhookSender).requests
  return requests.filter((request) => request.url === url).map(({ at }) => DateTime.toEpochMillis(at))
})

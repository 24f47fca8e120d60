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

/** A webhook that is sent these events. */
export const subscribeTo = Effect.fnUntraced(function* (url: string, subscribedEvents: ReadonlyArray<string>) {
  return (yield* (yield* Webhooks).create({ name: "n", url, subscribedEvents })).webhook.id
})

/** A webhook that is sent the ends of calls. */
export const subscribe = (url: string) => subscribeTo(url, ["call.ended"])

/** The end of a call of its own. */
export const ended = (id: number) =>
  Effect.flatMap(WebhookEventPublisher, ({ publish }) =>
    publish(CallWebhookEvent.make("call.ended", call({ id: CallId.make(id) })))
  )

/** The same, of which who delivers is told. */
export const endedAndTold = (id: number) =>
  Effect.andThen(
    ended(id),
    Effect.flatMap(WebhookEventPublisher, ({ notify }) => notify)
  )

/** Sends everything that is due. */
export const drain = Effect.flatMap(DeliveryWorker, (worker) => worker.drain)

/** The deliveries of a webhook, newest first. */
export const deliveries = (id: WebhookId) =>
  Effect.flatMap(Webhooks, (webhooks) => Effect.map(webhooks.deliveries(id), ({ items }) => items))

/** When a receiver was sent something, in milliseconds. */
export const timesOf = Effect.fnUntraced(function* (url: string) {
  const requests = yield* (yield* FakeWebhookSender).requests
  return requests.filter((request) => request.url === url).map(({ at }) => DateTime.toEpochMillis(at))
})

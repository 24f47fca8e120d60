import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../access/Account.ts"
import { Crypto } from "../crypto/Crypto.ts"
import { DeliveryId } from "../delivery/Delivery.ts"
import { DeliverySignal } from "../delivery/DeliverySignal.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"
import { type Publish, WebhookEventPublisher } from "../webhook-event/WebhookEventPublisher.ts"
import type { WebhookEventName } from "../webhook-event/WebhookEventName.ts"
import { WebhookStore } from "./WebhookStore.ts"
import * as Tracing from "../values/Tracing.ts"

/**
 * The publisher that stores one delivery for each subscribed webhook. For a webhook event without subscribers it stores
 * nothing and does not make the body.
 */
export const layer: Layer.Layer<WebhookEventPublisher, never, WebhookStore | DeliveryStore | Crypto> = Layer.effect(
  WebhookEventPublisher,
  Effect.gen(function* () {
    const webhooks = yield* WebhookStore
    const deliveries = yield* DeliveryStore
    const crypto = yield* Crypto
    const signal = yield* DeliverySignal

    const prepare = Effect.fnUntraced(function* (accountId: AccountId, name: WebhookEventName) {
      const subscribers = yield* webhooks.subscribers(accountId, name)
      const publish: Publish = Tracing.operation("WebhookEventPublisher.publish")(function* (event) {
        if (subscribers.length === 0) return
        const createdAt = yield* DateTime.now
        yield* deliveries.add({
          accountId,
          name,
          subject: event.subject,
          body: yield* event.body(createdAt),
          createdAt,
          deliveries: yield* Effect.forEach(subscribers, (webhookId) =>
            Effect.map(crypto.uuidV7, (id) => ({ id: DeliveryId.make(id), webhookId }))
          )
        })
      })
      return publish
    })

    return WebhookEventPublisher.make({ prepare, notify: signal.notify })
  })
).pipe(Layer.provide(DeliverySignal.layer))

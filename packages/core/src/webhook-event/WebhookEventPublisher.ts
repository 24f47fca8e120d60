import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CalendarLinks } from "../calendar-event/CalendarLinks.ts"
import { Crypto } from "../crypto/Crypto.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { DeliveryId } from "../delivery/Delivery.ts"
import { DeliverySignal } from "../delivery/DeliverySignal.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"
import type { DomainEvent } from "./DomainEvent.ts"
import * as WebhookPayload from "./WebhookPayload.ts"
import { WebhookStore } from "../webhook/WebhookStore.ts"

/**
 * Writes what happened to the outbox, for every webhook that is subscribed at that moment.
 *
 * `publish` is called in the transaction of the change, `notify` after it: a notify that is lost costs time, nothing else.
 */
export class WebhookEventPublisher extends Context.Service<
  WebhookEventPublisher,
  {
    /** Keeps the event and one delivery for each subscribed webhook of the account that owns the row. */
    readonly publish: (event: DomainEvent) => Effect.Effect<void, StorageError>
    /** Wakes who delivers. */
    readonly notify: Effect.Effect<void>
  }
>()("@frontdesk/core/webhook-event/WebhookEventPublisher") {
  /** The service on the stores. An event that nobody is subscribed to is not stored, nor is its payload made. */
  static readonly layer: Layer.Layer<
    WebhookEventPublisher,
    never,
    WebhookStore | DeliveryStore | CalendarLinks | Crypto
  > = Layer.effect(
    WebhookEventPublisher,
    Effect.gen(function* () {
      const webhooks = yield* WebhookStore
      const deliveries = yield* DeliveryStore
      const links = yield* CalendarLinks
      const crypto = yield* Crypto
      const signal = yield* DeliverySignal

      const publish = Effect.fn("WebhookEventPublisher.publish")(function* (event: DomainEvent) {
        const accountId = "call" in event ? event.call.accountId : event.event.accountId
        const subscribers = yield* webhooks.subscribers(accountId, event.name)
        if (subscribers.length === 0) return
        const createdAt = yield* DateTime.now
        yield* deliveries.add({
          accountId,
          name: event.name,
          subject: "call" in event ? `call:${event.call.id}` : `event:${event.event.id}`,
          body:
            "call" in event
              ? WebhookPayload.ofCall(event.name, event.call, createdAt)
              : WebhookPayload.ofCalendarEvent(
                  event.name,
                  event.event,
                  yield* links.icsUrl(event.event, accountId),
                  createdAt
                ),
          createdAt,
          deliveries: yield* Effect.forEach(subscribers, (webhookId) =>
            Effect.map(crypto.uuidV7, (id) => ({ id: DeliveryId.make(id), webhookId }))
          )
        })
      })

      return WebhookEventPublisher.of({ publish, notify: signal.notify })
    })
  ).pipe(Layer.provide(DeliverySignal.layer))
}

import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { WebhookApi } from "./WebhookApi.ts"
import { deliveryDetailView, deliveryPage, deliveryView, webhookIssued, webhookView } from "./WebhookView.ts"

/** Makes the handlers of {@link WebhookApi}. */
export const webhookHandlers = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const created = webhookIssued("Webhook created. Store the secret, because it is not shown again")
  const rotated = webhookIssued("Secret rotated. Store the new secret, because it is not shown again")
  const handlers: GroupHandlers<typeof WebhookApi> = {
    create: ({ payload }) => Effect.map(webhooks.create(payload), created),
    list: () => Effect.map(webhooks.list, (all) => ({ count: all.length, webhooks: all.map(webhookView) })),
    get: ({ params }) => Effect.map(webhooks.get(params.webhookId), webhookView),
    put: ({ params, payload }) =>
      Effect.map(webhooks.put(params.webhookId, payload), (webhook) => ({
        ...webhookView(webhook),
        message: "Webhook updated"
      })),
    patch: ({ params, payload }) =>
      Effect.map(webhooks.patch(params.webhookId, payload), (webhook) => ({
        ...webhookView(webhook),
        message: "Webhook updated"
      })),
    delete: ({ params }) => Effect.as(webhooks.delete(params.webhookId), { message: "Webhook deleted" }),
    rotateSecret: ({ params, payload }) => Effect.map(webhooks.rotateSecret(params.webhookId, payload), rotated),
    test: ({ params }) =>
      Effect.map(webhooks.test(params.webhookId), (deliveryId) => ({ deliveryId, message: "Test event queued" })),
    deliveries: ({ params, query }) => Effect.map(webhooks.deliveries(params.webhookId, query), deliveryPage),
    delivery: ({ params }) => Effect.map(webhooks.delivery(params.webhookId, params.deliveryId), deliveryDetailView),
    redeliver: ({ params }) =>
      Effect.map(webhooks.redeliver(params.webhookId, params.deliveryId), (delivery) => ({
        ...deliveryView(delivery),
        message: "Delivery queued"
      })),
    redeliverFailed: ({ params, payload }) =>
      Effect.map(webhooks.redeliverFailed(params.webhookId, payload), (done) => ({
        ...done,
        message: "Deliveries queued"
      }))
  }
  return handlers
})

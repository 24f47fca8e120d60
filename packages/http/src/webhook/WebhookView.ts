import * as Deliveries from "@frontdesk/core/delivery/Delivery"
import * as Hooks from "@frontdesk/core/webhook/Webhook"
import type { IssuedWebhook } from "@frontdesk/core/webhook/Webhooks"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import type * as Page from "@frontdesk/core/values/Page"
import * as Wire from "@frontdesk/core/values/Wire"
import { pageFields, pageView } from "../PageView.ts"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

const webhook = Hooks.Webhook.fields

const viewFields = {
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  subscribedEvents: webhook.subscribedEvents,
  isActive: Schema.Boolean,
  status: webhook.status,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  lastDeliveryAt: Schema.NullOr(Timestamp),
  lastSuccessAt: Schema.NullOr(Timestamp),
  lastFailureAt: Schema.NullOr(Timestamp),
  lastFailureStatus: webhook.lastFailureStatus,
  consecutiveFailures: webhook.consecutiveFailures
}

/** The JSON of a webhook, without its secret (D-HOOK-2). */
export const WebhookView = Wire.snakeCase(Schema.Struct(viewFields)).annotate({ identifier: "Webhook" })

/** Returns the view of a webhook. */
export const webhookView = (webhook: Hooks.Webhook): typeof WebhookView.Type => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  subscribedEvents: webhook.subscribedEvents,
  isActive: Hooks.isEnabled(webhook),
  status: webhook.status,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  lastDeliveryAt: webhook.lastDeliveryAt,
  lastSuccessAt: webhook.lastSuccessAt,
  lastFailureAt: webhook.lastFailureAt,
  lastFailureStatus: webhook.lastFailureStatus,
  consecutiveFailures: webhook.consecutiveFailures
})

/** The JSON of a webhook with its secret, which only the create and a rotation return (D-HOOK-3). */
export const WebhookIssued = Wire.snakeCase(
  Schema.Struct({
    ...viewFields,
    /** Null in a replay under an `Idempotency-Key`. */
    secret: Schema.NullOr(Schema.String),
    message: Schema.String
  })
).annotate({ identifier: "WebhookWithSecret" })

/** Returns the function that makes the answer with the secret. */
export const webhookIssued =
  (message: string) =>
  ({ secret, webhook }: IssuedWebhook): typeof WebhookIssued.Type => ({
    ...webhookView(webhook),
    secret: Redacted.value(secret),
    message
  })

/** The JSON of the answer to an update. */
export const WebhookUpdated = Wire.snakeCase(Schema.Struct({ ...viewFields, message: Schema.String })).annotate({
  identifier: "WebhookUpdated"
})

const deliveryFields = {
  /** The value of the header `X-Service-Delivery-ID`. */
  id: Deliveries.DeliveryId,
  webhookId: webhook.id,
  eventType: Schema.String,
  status: Deliveries.DeliveryStatus,
  createdAt: Timestamp,
  nextAttemptAt: Schema.NullOr(Timestamp),
  attempts: Schema.Array(
    Wire.snakeCase(Schema.Struct({ ...Deliveries.Attempt.fields, startedAt: Timestamp })).annotate({
      identifier: "DeliveryAttempt"
    })
  )
}

/** The JSON of a delivery (D-DEL-7). */
export const DeliveryView = Wire.snakeCase(Schema.Struct(deliveryFields)).annotate({ identifier: "Delivery" })

/** Returns the view of a delivery. */
export const deliveryView = (delivery: Deliveries.Delivery): typeof DeliveryView.Type => ({
  id: delivery.id,
  webhookId: delivery.webhookId,
  eventType: delivery.eventType,
  status: delivery.status,
  createdAt: delivery.createdAt,
  nextAttemptAt: delivery.nextAttemptAt,
  attempts: delivery.attempts
})

/** The JSON of a page of deliveries, at most the newest `maxListed` ones (D-DEL-28). */
export const DeliveryPage = Schema.Struct({
  ...pageFields,
  count_is_capped: Schema.Boolean,
  deliveries: Schema.Array(DeliveryView)
})

/** Returns the view of a page of deliveries. */
export const deliveryPage = (page: Page.Page<Deliveries.Delivery>): typeof DeliveryPage.Type => ({
  ...pageView(page),
  count_is_capped: page.isCapped ?? false,
  deliveries: page.items.map(deliveryView)
})

/** The JSON of a delivery with its request and the last answer (D-DEL-32). */
export const DeliveryDetailView = Wire.snakeCase(
  Schema.Struct({
    ...deliveryFields,
    request: Wire.snakeCase(
      Schema.Struct({
        method: Schema.Literal("POST"),
        url: Schema.String,
        headers: Schema.Record(Schema.String, Schema.String),
        signatures: Deliveries.SignatureState,
        body: Schema.String,
        /** The length of the body in bytes of UTF-8. */
        bodyBytes: Schema.Int
      })
    ).annotate({ identifier: "DeliveryRequest" }),
    /** The first part of the body of the last answer, "" when there was none. Null before the first attempt. */
    answer: Schema.NullOr(Schema.String)
  })
).annotate({ identifier: "DeliveryDetail" })

/** Returns the view of a delivery with its request and the last answer. */
export const deliveryDetailView = ({
  answer,
  delivery,
  request
}: Deliveries.DeliveryDetail): typeof DeliveryDetailView.Type => ({
  ...deliveryView(delivery),
  request: { method: "POST", ...request },
  answer
})

/** The JSON of the answer to a redelivery. */
export const DeliveryRequeued = Wire.snakeCase(Schema.Struct({ ...deliveryFields, message: Schema.String })).annotate({
  identifier: "DeliveryRequeued"
})

/** The JSON of the answer to a redelivery of all failed deliveries (D-DEL-33). */
export const FailedRequeued = Wire.snakeCase(
  Schema.Struct({
    /** How many deliveries the request has made due. */
    redelivered: Schema.Int,
    until: Timestamp,
    /** What the next request states to continue. Null when no failed delivery is left. */
    after: Schema.NullOr(Schema.Int),
    message: Schema.String
  })
).annotate({ identifier: "FailedRequeued" })

/** The JSON of the answer to a test. */
export const TestQueued = Wire.snakeCase(
  Schema.Struct({ deliveryId: Deliveries.DeliveryId, message: Schema.String })
).annotate({ identifier: "WebhookTestQueued" })

import { type Attempt, DeliveryId, maxAttempts, maxErrorBytes } from "@frontdesk/core/delivery/Delivery"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as Page from "@frontdesk/core/values/Page"
import { DeliveryView, deliveryView } from "@frontdesk/http/webhook/WebhookView"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"

it("the largest page of deliveries, each with the maximum number of attempts, has less than 2 MiB (D-DEL-10)", () => {
  const time = DateTime.makeUnsafe("2026-12-31T23:59:59.999Z")
  const attempt = (number: number): Attempt => ({
    number,
    kind: "automatic",
    startedAt: time,
    durationMs: 3_600_000,
    statusCode: 503,
    error: "x".repeat(maxErrorBytes)
  })
  const delivery = deliveryView({
    id: DeliveryId.make("0198c0de-0000-7000-8000-000000000001"),
    webhookId: WebhookId.make(1),
    eventType: "calendar.cancelled",
    status: "cancelled",
    createdAt: time,
    nextAttemptAt: time,
    attempts: Array.from({ length: maxAttempts }, (_, index) => attempt(index + 1))
  })
  const page = Schema.encodeSync(Schema.Array(DeliveryView))(Array.from({ length: Page.maxLimit }, () => delivery))
  expect(JSON.stringify(page).length).toBeLessThan(Page.maxBytes)
})

/*
 * The webhook event `webhook.test`. It needs no subscription, because it is sent only to the webhook that is tested.
 */

import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as JsonEncoder from "../values/JsonEncoder.ts"
import { Timestamp } from "../values/Timestamp.ts"
import * as Utf8 from "../values/Utf8.ts"
import { snakeCase } from "../values/Wire.ts"
import { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import type { Webhook } from "./Webhook.ts"

/** The payload of the webhook event that an owner requests to test a webhook (D-HOOK-10). */
export const TestPayload = snakeCase(
  Schema.Struct({
    eventType: Schema.Literal("webhook.test"),
    webhook: Schema.Struct({ id: WebhookId, name: Schema.String }),
    timestamp: Timestamp
  })
)

/** Returns the body of the webhook event `webhook.test`: JSON in UTF-8. */
export const payload = (webhook: Pick<Webhook, "id" | "name">, timestamp: DateTime.Utc): Uint8Array =>
  Utf8.encode(
    JSON.stringify(encode({ eventType: "webhook.test", webhook: { id: webhook.id, name: webhook.name }, timestamp }))
  )

const encode = JsonEncoder.compile(TestPayload)

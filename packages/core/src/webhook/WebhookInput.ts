import * as Schema from "effect/Schema"
import { PageLimit, PageNumber } from "../values/Page.ts"
import { DeliveryStatus } from "./Delivery.ts"

/** The label of a webhook: 1 to 200 characters. */
export const WebhookName = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200))

// Any text, because a URL and an event name that cannot be have error codes of their own (Decisions 8).
const fields = {
  name: Schema.optionalKey(WebhookName),
  url: Schema.optionalKey(Schema.String),
  subscribedEvents: Schema.optionalKey(Schema.Array(Schema.String))
}

/** The body of a create (Contract 4.7). All three are required; the service names those that are absent. */
export const WebhookCreate = Schema.Struct(fields)

/** The body of a create. */
export type WebhookCreate = typeof WebhookCreate.Type

/**
 * The body of a PUT, which replaces all but the secret: name, URL and events are required.
 *
 * `isActive` keeps its value when it is absent, so that a new name does not revive a webhook that was turned off.
 */
export const WebhookPut = Schema.Struct({ ...fields, isActive: Schema.optionalKey(Schema.Boolean) })

/** The body of a PUT. */
export type WebhookPut = typeof WebhookPut.Type

/** The body of a PATCH: what is absent stays as it is. */
export const WebhookPatch = WebhookPut

/** The body of a PATCH. */
export type WebhookPatch = typeof WebhookPatch.Type

/** The body of a rotation: for how many hours the old secret signs too, 0 to 168; 24 when it is absent. */
export const SecretRotation = Schema.Struct({
  graceHours: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 168 })))
})

/** The body of a rotation. */
export type SecretRotation = typeof SecretRotation.Type

/** Which deliveries of a webhook are listed, and which page of them (Decisions 8). */
export const DeliveryQuery = Schema.Struct({
  status: Schema.optionalKey(DeliveryStatus),
  page: Schema.optionalKey(PageNumber),
  limit: Schema.optionalKey(PageLimit)
})

/** Which deliveries of a webhook are listed, and which page of them. */
export type DeliveryQuery = typeof DeliveryQuery.Type

import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Text from "../values/Text.ts"
import { PageLimit, PageNumber } from "../values/Page.ts"
import { DeliveryStatus } from "../delivery/Delivery.ts"
import { InvalidEvent } from "./WebhookError.ts"
import { WebhookEventName } from "../webhook-event/WebhookEventName.ts"

// An event is any text here, and a URL any that can be kept, because those that cannot be have error codes of their own
// (D-HOOK-7). A JSON Schema of this names the events all the same.
const EventName = Schema.String.check(
  Schema.makeFilter(() => true, { toJsonSchema: () => ({ enum: WebhookEventName.literals }) })
)

/** How many events a request may name; the same one may be named more than once. */
const maxEvents = 100

const fields = {
  name: Text.filled(200),
  url: Text.upTo(2_048),
  subscribedEvents: Schema.Array(EventName).check(Schema.isMaxLength(maxEvents))
}
const changes = { ...fields, isActive: Schema.Boolean }

const orNull = Struct.map(Schema.NullOr)
const optional = Struct.map(Schema.optionalKey)

/**
 * The body of a create (C-4.7-2). All three are required, and null counts as absent; the service names those that
 * are missing. A name has at most 200 characters and is not blank.
 */
export const CreateWebhook = Schema.Struct(optional(orNull(fields)))

/** The body of a create. */
export type CreateWebhook = typeof CreateWebhook.Type

/**
 * The body of a PUT, which replaces all but the secret: name, URL and events are required; null counts as absent.
 *
 * `isActive` keeps its value when it is absent, so that a new name does not revive a webhook that was turned off.
 */
export const PutWebhook = Schema.Struct(optional(orNull(changes)))

/** The body of a PUT. */
export type PutWebhook = typeof PutWebhook.Type

/** The body of a PATCH: what is absent stays as it is, and nothing can be null. */
export const PatchWebhook = Schema.Struct(optional(changes))

/** The body of a PATCH. */
export type PatchWebhook = typeof PatchWebhook.Type

/** The body of a rotation: for how many hours the old secret signs too, 0 to 168; 24 when it is absent or null. */
export const RotateSecret = Schema.Struct({
  graceHours: Schema.optionalKey(Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 168 }))))
})

/** The body of a rotation. */
export type RotateSecret = typeof RotateSecret.Type

/** Which deliveries of a webhook are listed, and which page of them (D-DEL-7). */
export const DeliveryQuery = Schema.Struct({
  status: Schema.optionalKey(DeliveryStatus),
  page: Schema.optionalKey(PageNumber),
  limit: Schema.optionalKey(PageLimit)
})

/** Which deliveries of a webhook are listed, and which page of them. */
export type DeliveryQuery = typeof DeliveryQuery.Type

/**
 * Returns the webhook events that a caller names, each once. Fails with `InvalidEvent` when the list is empty or names an
 * unknown event (D-HOOK-7).
 */
export const eventNames = (
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<WebhookEventName>, InvalidEvent> => {
  const known = [...new Set(names)].filter(Schema.is(WebhookEventName))
  const unknown = [...new Set(names)].filter((name) => !Schema.is(WebhookEventName)(name))
  return unknown.length === 0 && known.length > 0 ? Result.succeed(known) : Result.fail(new InvalidEvent({ unknown }))
}

import * as Schema from "effect/Schema"

/** The account has no webhook with this id (D-ERR-6: 404 `not_found`). */
export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>("@frontdesk/core/webhook/WebhookNotFound")(
  "WebhookNotFound",
  { webhookId: Schema.Int }
) {}

/** The webhook has no delivery with this id (D-ERR-6: 404 `not_found`). */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>("@frontdesk/core/webhook/DeliveryNotFound")(
  "DeliveryNotFound",
  { deliveryId: Schema.String }
) {}

/**
 * The list of webhook events is empty, or it has names that are not webhook events (D-HOOK-7: 400 `invalid_event`).
 * `unknown` has those names, each once.
 */
export class InvalidEvent extends Schema.TaggedError<InvalidEvent>("@frontdesk/core/webhook/InvalidEvent")(
  "InvalidEvent",
  { unknown: Schema.Array(Schema.String) }
) {}

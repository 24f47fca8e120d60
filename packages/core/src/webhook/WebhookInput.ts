import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Text from "../values/Text.ts"
import { statedRule } from "../values/StatedRule.ts"
import { PageQuery } from "../values/Page.ts"
import { DeliveryStatus } from "../delivery/Delivery.ts"
import { InvalidEvent } from "./WebhookError.ts"
import { DateTimeText } from "../values/DateTimeText.ts"
import { WebhookEventName } from "../webhook-event/WebhookEventName.ts"

// The schema accepts any text as the name of a webhook event, and any text as a URL. The service checks both, because
// each has an error code of its own (D-HOOK-7). A JSON Schema of this input still lists the names of the webhook
// events, and the rules of `eventNames` and `urlForm`.
const EventName = Schema.String.check(statedRule({ enum: [...WebhookEventName.literals] }))

const urlCharacter = String.raw`[^\s\x00-\x1f\x7f-\x9f\\#`
const urlPattern = `^[Hh][Tt][Tt][Pp][Ss]?://${urlCharacter}/?@]+(?:[/?]${urlCharacter}]*)?$`

/**
 * The form of a webhook's URL: absolute, and without white space, control characters, backslashes, a user name and a
 * fragment (D-HOOK-6).
 */
export const urlForm = new RegExp(urlPattern, "u")

/** The maximum number of names of webhook events in a request. A name that is repeated counts each time. */
const maxEvents = 100

const fields = {
  name: Text.filled(200),
  url: Text.stated(2_048, urlPattern, "an absolute http or https URL"),
  subscribedEvents: Schema.Array(EventName).check(Schema.isMaxLength(maxEvents), statedRule({ minItems: 1 }))
}
// `isActive` is the contract's name: true enables a webhook and false disables it, see `Webhook.isEnabled`.
const changes = { ...fields, isActive: Schema.Boolean }

const orNull = Struct.map(Schema.NullOr)
const optional = Struct.map(Schema.optionalKey)

/**
 * The body of a request that creates a webhook (C-4.7-2). All three fields are required, and null counts as absent. The
 * fields are optional here, so that the service can name all missing ones at once. A name has at most 200 characters
 * and is not blank.
 */
export const CreateWebhook = Schema.Struct(optional(orNull(fields)))

/** The body of a request that creates a webhook. */
export type CreateWebhook = typeof CreateWebhook.Type

/**
 * The body of a PUT, which replaces everything except the secret. Name, URL and webhook events are required; null
 * counts as absent.
 *
 * Without `isActive` a disabled webhook stays disabled, so that a request that only changes the name does not turn it
 * on.
 */
export const PutWebhook = Schema.Struct(optional(orNull(changes)))

/** The body of a PUT. */
export type PutWebhook = typeof PutWebhook.Type

/** The body of a PATCH. An absent field keeps its value, and no field can be null. */
export const PatchWebhook = Schema.Struct(optional(changes))

/** The body of a PATCH. */
export type PatchWebhook = typeof PatchWebhook.Type

/** The body of a rotation. For `graceHours` hours, 0 to 168, the old secret signs too; 24 when absent or null. */
export const RotateSecret = Schema.Struct({
  graceHours: Schema.optionalKey(Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 168 }))))
})

/** The body of a rotation. */
export type RotateSecret = typeof RotateSecret.Type

/** The filter and the page of a list of deliveries (D-DEL-7). */
export const DeliveryQuery = Schema.Struct({ ...PageQuery.fields, status: Schema.optionalKey(DeliveryStatus) })

/** The filter and the page of a list of deliveries. */
export type DeliveryQuery = typeof DeliveryQuery.Type

/**
 * Selects the failed deliveries to send again, by the times of their webhook events (D-DEL-33). A time without an offset is in the
 * time zone of the account.
 */
export const RedeliverFailed = Schema.Struct({
  since: DateTimeText,
  /** Now, when absent or null. */
  until: Schema.optionalKey(Schema.NullOr(DateTimeText)),
  /** `after` of the previous answer; absent or null for the first request. */
  after: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })))
  )
})

/** Selects the failed deliveries to send again. */
export type RedeliverFailed = typeof RedeliverFailed.Type

/**
 * Returns the webhook events that a caller names, each once. Fails with `InvalidEvent` when the list is empty or names
 * an unknown event (D-HOOK-7).
 */
export const eventNames = (
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<WebhookEventName>, InvalidEvent> => {
  const known = [...new Set(names)].filter(Schema.is(WebhookEventName))
  const unknown = [...new Set(names)].filter((name) => !Schema.is(WebhookEventName)(name))
  return unknown.length === 0 && known.length > 0 ? Result.succeed(known) : Result.fail(new InvalidEvent({ unknown }))
}

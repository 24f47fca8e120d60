import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Crypto } from "../crypto/Crypto.ts"
import type { WebhookSecrets } from "./WebhookEndpoint.ts"
import * as WebhookSignature from "./WebhookSignature.ts"

/** What the three headers of the contract begin with, unless a product has a name of its own (D-SIGN-1). */
export const defaultPrefix = "X-Service-"

/** What a prefix may be: not `webhook-` in any capitals, which the headers of the second scheme begin with. */
export const prefixForm = /^(?!webhook-$)[a-z0-9-]{1,64}$/i

/** What the headers of a delivery are made from. */
export interface SignedDelivery {
  readonly id: string
  readonly eventName: string
  readonly body: Uint8Array
  readonly secrets: WebhookSecrets
}

/**
 * The headers of a delivery that is sent now: those of C-6.3-1 to C-6.3-3 under the prefix, and those of the Standard
 * Webhooks specification.
 *
 * They are made when it is sent, with the secrets of that moment. After a rotation the old secret signs too until its
 * time is over, in the second scheme alone, because the first has room for one signature.
 */
export const make = Effect.fnUntraced(function* (
  delivery: SignedDelivery,
  now: DateTime.Utc,
  prefix: string
): Effect.fn.Return<Readonly<Record<string, string>>, never, Crypto> {
  const timestamp = Math.floor(DateTime.toEpochMillis(now) / 1_000)
  return {
    "Content-Type": "application/json",
    [`${prefix}Signature`]: yield* WebhookSignature.sign(delivery.body, delivery.secrets.current),
    [`${prefix}Delivery-ID`]: delivery.id,
    [`${prefix}Event`]: delivery.eventName,
    "webhook-id": delivery.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": yield* WebhookSignature.signStandard(
      { id: delivery.id, timestamp, body: delivery.body },
      signingSecrets(delivery.secrets, now)
    )
  }
})

/** The secrets that sign now, the present one first. */
const signingSecrets = (
  { current, previous }: WebhookSecrets,
  now: DateTime.Utc
): ReadonlyArray<Redacted.Redacted<string>> =>
  previous !== null && DateTime.isLessThan(now, previous.expiresAt) ? [current, previous.secret] : [current]

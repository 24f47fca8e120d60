import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Crypto } from "../crypto/Crypto.ts"
import type { WebhookSecrets } from "./WebhookEndpoint.ts"
import * as WebhookSignature from "./WebhookSignature.ts"

/** The default prefix of the three headers of the contract (D-SIGN-1). */
export const defaultPrefix = "X-Service-"

/**
 * The form of a prefix: letters, digits and hyphens, at most 64. It must not be `webhook-`, in upper or lower case,
 * because the headers of Standard Webhooks begin with that.
 */
export const prefixForm = /^(?!webhook-$)[a-z0-9-]{1,64}$/i

/** The values from which the headers of a delivery are made. */
export interface SignedDelivery {
  readonly id: string
  readonly eventName: string
  readonly body: Uint8Array
  readonly secrets: WebhookSecrets
}

/**
 * Returns the headers of a delivery that is sent at `now`. With the prefix they are the signature (C-6.3-1), the id of
 * the delivery (C-6.3-2) and the name of the webhook event (C-6.3-3). The signature authenticates the request (C-5-12).
 * The others are `Content-Type` and those of the Standard Webhooks specification (D-SIGN-2).
 *
 * After a rotation the old secret also signs until it expires, but only in `webhook-signature`. The header of C-6.3-1
 * has a single signature, that of the current secret.
 */
export const make = Effect.fnUntraced(function* (
  delivery: SignedDelivery,
  now: DateTime.Utc,
  prefix: string
): Effect.fn.Return<Readonly<Record<string, string>>, never, Crypto> {
  return headersOf(delivery, now, prefix, {
    contract: yield* WebhookSignature.sign(delivery.body, delivery.secrets.current),
    standard: yield* WebhookSignature.signStandard(
      { id: delivery.id, timestamp: secondsOf(now), body: delivery.body },
      signingSecrets(delivery.secrets, now)
    )
  })
})

/** Returns the headers of a delivery that is sent at `now`, without those that have signatures. */
export const unsigned = (delivery: Named, now: DateTime.Utc, prefix: string): Readonly<Record<string, string>> =>
  headersOf(delivery, now, prefix, null)

type Named = Pick<SignedDelivery, "id" | "eventName">

const headersOf = (
  { eventName, id }: Named,
  now: DateTime.Utc,
  prefix: string,
  signatures: { readonly contract: string; readonly standard: string } | null
): Readonly<Record<string, string>> => ({
  "Content-Type": "application/json",
  ...(signatures !== null && { [`${prefix}Signature`]: signatures.contract }),
  [`${prefix}Delivery-ID`]: id,
  [`${prefix}Event`]: eventName,
  "webhook-id": id,
  "webhook-timestamp": String(secondsOf(now)),
  ...(signatures !== null && { "webhook-signature": signatures.standard })
})

const secondsOf = (time: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(time) / 1_000)

/** Returns the secrets that sign at `now`, the current one first. */
const signingSecrets = (
  { current, previous }: WebhookSecrets,
  now: DateTime.Utc
): ReadonlyArray<Redacted.Redacted<string>> =>
  previous !== null && DateTime.isLessThan(now, previous.expiresAt) ? [current, previous.secret] : [current]

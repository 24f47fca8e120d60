import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** A request to sign. */
export interface RequestToSign {
  readonly id: string
  readonly timestamp: number
  readonly body: Uint8Array | string
  readonly secrets: ReadonlyArray<string>
}

export const secret = "whsec_xSYtQvSTlzwkqby4rlFMwABXPikGMy3fAmAocDogADM="
export const oldSecret = "whsec_bt493Jw44Oye/ITgj9Fg0DmyEe/FOwAMikDFUIxFiy0="

/** Returns the headers of both schemes, signed by core. The first secret is the current one. */
export const signedHeaders = (sent: RequestToSign): Promise<Record<string, string>> => {
  const body = typeof sent.body === "string" ? Utf8.encode(sent.body) : sent.body
  const [current = "", ...previous] = sent.secrets
  const secrets = [current, ...previous].map((text) => Redacted.make(text))
  return Effect.gen(function* () {
    return {
      "X-Service-Signature": yield* WebhookSignature.sign(body, Redacted.make(current)),
      "X-Service-Delivery-ID": sent.id,
      "X-Service-Event": "call.ended",
      "webhook-id": sent.id,
      "webhook-timestamp": String(sent.timestamp),
      "webhook-signature": yield* WebhookSignature.signStandard({ ...sent, body }, secrets)
    }
  }).pipe(Effect.provide(Crypto.layerWebCrypto), Effect.runPromise)
}

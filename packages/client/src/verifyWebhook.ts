import { WebhookReceiver } from "@frontdesk/webhook-receiver"
import type { WebhookPayload } from "./generated/types.ts"

/** A request of a webhook, as it arrived. */
export interface WebhookRequest {
  /** The bytes of the body, or their text. A body that was parsed cannot be verified. */
  readonly body: Uint8Array | ArrayBuffer | string
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** A webhook whose signature and time are valid. */
export interface VerifiedWebhook {
  /** The id of the delivery, which is the same in each attempt. Handle a delivery once. */
  readonly id: string
  /** The payload. Its `event_type` tells which webhook event it is. */
  readonly payload: WebhookPayload
}

/** The error of a webhook without a valid signature. */
export class WebhookVerificationError extends Error {
  /** Why: `wrong-signature`, `too-old`, `missing-header` and others. */
  readonly reason: string

  constructor(reason: string) {
    super(`The webhook is not verified: ${reason}`)
    this.name = "WebhookVerificationError"
    this.reason = reason
  }
}

/**
 * Returns the payload of a webhook whose signature and time are valid. Rejects with a {@link WebhookVerificationError}
 * otherwise. Answer such a request with 401. Rejects with a `TypeError` without a secret.
 *
 * @param secret the secret of the webhook (`whsec_...`), or during a rotation both
 */
export const verifyWebhook = async (
  request: WebhookRequest,
  secret: string | ReadonlyArray<string>
): Promise<VerifiedWebhook> => {
  const receiver = WebhookReceiver.make({ secrets: [secret].flat() })
  const verified = await receiver.verify(request)
  if (!verified.ok) throw new WebhookVerificationError(verified.reason)
  /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- The signature shows that the API has made the payload. */
  return { id: verified.id, payload: verified.payload as WebhookPayload }
}

import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { InvalidUrl } from "./WebhookError.ts"

/** One request to a receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** From name resolution to the answer's head: an answer whose head comes later is none. */
  readonly timeout: Duration.Duration
}

/** What came of a request: an answer, or a reason why there is none, without internal detail. */
export type WebhookResponse =
  | { readonly _tag: "Answered"; readonly status: number; readonly body: string }
  | { readonly _tag: "NoAnswer"; readonly reason: string }

/** Port: sends one request, and judges where requests may go. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Whether a webhook may have this URL; judged again at every request, on the address that is connected to. */
    readonly checkUrl: (url: string) => Effect.Effect<void, InvalidUrl>
    /**
     * Sends one request; no redirect is followed. It may be sent a second time, within the deadline, where a kept
     * connection turned out to be closed before any of the answer.
     */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse>
  }
>()("@frontdesk/core/webhook/WebhookSender") {}

import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** One request to a receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** From name resolution to the answer's head: an answer whose head comes later is none. */
  readonly timeout: Duration.Duration
  /**
   * Returns whether the request may still be written. A sender asks right before it writes the first byte, on a connection
   * that is ready, and writes nothing when the answer is no. A process that stood still meanwhile must not send what
   * another process has claimed since.
   */
  readonly mayBegin: () => boolean
}

/** What came of a request: an answer, or the lack of one. */
export type WebhookResponse =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** The first part of the answer's body. */
      readonly body: string
    }
  | {
      readonly _tag: "NoAnswer"
      /** Why, for the owner of the webhook: it must not reveal what a name resolves to, or whether it does. */
      readonly reason: string
      /** What more there is to know, for the log of whoever operates the server. */
      readonly detail?: string
    }

/** The request was not written, because `mayBegin` forbade it. */
export interface NotSent {
  readonly _tag: "NotSent"
}

/** A webhook may not have this URL (D-HOOK-6: 400 `invalid_url`). */
export class InvalidUrl extends Schema.TaggedError<InvalidUrl>("@frontdesk/core/delivery/InvalidUrl")("InvalidUrl", {
  reason: Schema.String
}) {}

/** Port: sends one request, and judges where requests may go. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Whether a webhook may have this URL; judged again at every request, on the address that is connected to. */
    readonly checkUrl: (url: string) => Effect.Effect<void, InvalidUrl>
    /**
     * Sends one request; no redirect is followed. It may be sent a second time, within the deadline and after `mayBegin`
     * was asked again, where a kept connection turned out to be closed before any of the answer.
     */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse | NotSent>
  }
>()("@frontdesk/core/delivery/WebhookSender") {}

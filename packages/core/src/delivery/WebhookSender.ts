import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** One request to a receiver. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The timeout from name resolution until the head of the answer. An answer whose head comes later does not count. */
  readonly timeout: Duration.Duration
  /**
   * Returns whether the request may still be written. A sender calls it right before it writes the first byte, on a
   * connection that is ready, and writes nothing when it returns false. Otherwise a process that was paused would send
   * a delivery that another process has claimed meanwhile.
   */
  readonly mayBegin: () => boolean
}

/** The result of a request: the answer, or the reason why there is none. */
export type WebhookResponse =
  | {
      readonly _tag: "Answered"
      readonly status: number
      /** The first part of the answer's body, at most 65,536 UTF-16 code units. It is stored with the delivery. */
      readonly body: string
    }
  | {
      readonly _tag: "NoAnswer"
      /** Why, for the owner of the webhook. It must not reveal the addresses of a name, or whether it has any. */
      readonly reason: string
      /** More details for the log of the operator. */
      readonly detail?: string
    }

/** The request was not written, because `mayBegin` returned false. */
export interface NotSent {
  readonly _tag: "NotSent"
}

/** A webhook must not have this URL (C-2.7-2, D-HOOK-6: 400 `invalid_url`). */
export class InvalidUrl extends Schema.TaggedError<InvalidUrl>("@frontdesk/core/delivery/InvalidUrl")("InvalidUrl", {
  reason: Schema.String
}) {}

/** Port: sends one request to a receiver, and checks which URLs are allowed. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Fails with `InvalidUrl` when a webhook must not have this URL. Each request checks the address again (D-SEND-1). */
    readonly checkUrl: (url: string) => Effect.Effect<void, InvalidUrl>
    /**
     * Sends one request and follows no redirect. When the receiver has closed an idle connection before any byte of the
     * answer, it may send the request again. It calls `mayBegin` again before, and keeps to the timeout.
     */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse | NotSent>
  }
>()("@frontdesk/core/delivery/WebhookSender") {}

import { InvalidUrl, WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import type { WebhookRequest, WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A request that was sent. */
export interface SentRequest extends WebhookRequest {
  /** The time at which it was sent. */
  readonly at: DateTime.Utc
}

/** Returns an answer with this status and an empty body. */
export const answered = (status: number): WebhookResponse => ({ _tag: "Answered", status, body: "" })

/** The result of a request whose connection was reset. */
export const noAnswer: WebhookResponse = { _tag: "NoAnswer", reason: "the connection was reset" }

/** A webhook sender that stores requests in memory. A test reads them and sets the answers. */
export class FakeWebhookSender extends Context.Service<
  FakeWebhookSender,
  {
    /** All requests that were sent, oldest first. */
    readonly requests: Effect.Effect<ReadonlyArray<SentRequest>>
    /** Sets the answers to later requests. Default: status 200. An effect may take time. */
    readonly answerWith: (
      answer: (request: SentRequest) => WebhookResponse | Effect.Effect<WebhookResponse>
    ) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeWebhookSender") {
  /** The fake, and the `WebhookSender` that it implements. It accepts every URL that begins with `https://`. */
  static readonly layer: Layer.Layer<FakeWebhookSender | WebhookSender> = Layer.effectContext(
    Effect.sync(() => {
      const requests: Array<SentRequest> = []
      let answer: (request: SentRequest) => WebhookResponse | Effect.Effect<WebhookResponse> = () => answered(200)
      const fake = FakeWebhookSender.of({
        requests: Effect.sync(() => [...requests]),
        answerWith: (next) =>
          Effect.sync(() => {
            answer = next
          })
      })
      const sender = WebhookSender.of({
        checkUrl: (url) =>
          url.startsWith("https://")
            ? Effect.void
            : Effect.fail(new InvalidUrl({ reason: "must begin with https://" })),
        send: Effect.fnUntraced(function* (request) {
          if (!request.mayBegin()) return { _tag: "NotSent" }
          const sent = { ...request, at: yield* DateTime.now }
          requests.push(sent)
          const response = answer(sent)
          return Effect.isEffect(response) ? yield* response : response
        })
      })
      return Context.make(FakeWebhookSender, fake).pipe(Context.add(WebhookSender, sender))
    })
  )
}

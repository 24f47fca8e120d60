import { InvalidUrl, WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import type { WebhookRequest, WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A request as the fake received it. */
export interface SentRequest extends WebhookRequest {
  /** When it was sent. */
  readonly at: DateTime.Utc
}

/** An answer with a status and no body. */
export const answered = (status: number): WebhookResponse => ({ _tag: "Answered", status, body: "" })

/** No answer. */
export const noAnswer: WebhookResponse = { _tag: "NoAnswer", reason: "the connection was reset" }

/** Receives webhook requests in memory, answers as it is told, and remembers what it was sent. */
export class FakeWebhookSender extends Context.Service<
  FakeWebhookSender,
  {
    /** Everything sent so far, oldest first. */
    readonly requests: Effect.Effect<ReadonlyArray<SentRequest>>
    /** How later requests are answered; 200 until it is called. An answer may take its time. */
    readonly answerWith: (
      answer: (request: SentRequest) => WebhookResponse | Effect.Effect<WebhookResponse>
    ) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeWebhookSender") {
  /** The fake, and the `WebhookSender` it stands for; any URL that begins with `https://` will do. */
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

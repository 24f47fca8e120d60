import { Behaviour, Receiver } from "@frontdesk/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as HttpMailer from "../src/HttpMailer.ts"

/** A replacement of the mail service: a server on the loopback interface that records requests. */
export class MailService extends Context.Service<MailService, Receiver.Receiver>()(
  "@frontdesk/example-own-adapter/test/MailService"
) {
  static readonly layer = Layer.effect(
    MailService,
    Effect.acquireRelease(
      Effect.promise(() => Receiver.open({ plan: Behaviour.answer(202) })),
      (receiver) => Effect.promise(() => receiver[Symbol.asyncDispose]())
    )
  )
}

/** Returns the idempotency keys of all received messages. The mail service recognizes a repeat by the same key. */
export const received = Effect.map(MailService, ({ requests }) =>
  requests.map(({ headers }) => headers["idempotency-key"] ?? "")
)

/** The adapter, configured for the server of {@link MailService}. */
export const mailer = Effect.map(MailService, ({ url }) =>
  HttpMailer.layer({ url, key: Redacted.make("a-secret-key"), from: "desk@example.com" })
).pipe(Layer.unwrap, Layer.provide(FetchHttpClient.layer))

import { Behaviour, Receiver } from "@frontdesk/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as HttpMailer from "../src/HttpMailer.ts"

/** What stands in for the mail service: a server on the loopback interface that remembers requests. */
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

/** What the mail service tells repeats by, of every message that came. */
export const received = Effect.map(MailService, ({ requests }) =>
  requests.map(({ headers }) => headers["idempotency-key"] ?? "")
)

/** The adapter, set up for that server. */
export const mailer = Effect.map(MailService, ({ url }) =>
  HttpMailer.layer({ url, key: Redacted.make("a-secret-key"), from: "desk@example.com" })
).pipe(Layer.unwrap, Layer.provide(FetchHttpClient.layer))

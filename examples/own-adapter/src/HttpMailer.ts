// A mailer for a service that accepts mail as JSON over HTTP.
import { identityOf, Mailer, MailerError, type Message } from "@frontdesk/core/mail/Mailer"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Config from "effect/Config"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"

export interface Options {
  /** The URL of the service, without a slash at the end. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** The sender's address. */
  readonly from: string
}

export const layer = ({ from, key, url }: Options): Layer.Layer<Mailer, never, HttpClient.HttpClient> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient

      const execute = Effect.fnUntraced(
        function* (request: HttpClientRequest.HttpClientRequest) {
          const authorized = HttpClientRequest.bearerToken(HttpClientRequest.prependUrl(request, url), key)
          const { status } = yield* HttpClient.withScope(client).execute(authorized)
          if (status < 200 || status > 299) return yield* failure(reasonOf(status), `answered ${status}`)
        },
        // The body of the answer is not read. The end of the scope cancels it.
        Effect.scoped,
        Effect.timeout("10 seconds"),
        // The error of the client contains the whole request, and with it the key and the customer's data.
        Effect.catchTag("HttpClientError", () => failure("transport", "gave no answer")),
        Effect.catchTag("TimeoutError", () => failure("transport", "took too long")),
        // Following a redirect would send the key to a server that the operator has not configured.
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
        Effect.provideService(HttpClient.TracerPropagationEnabled, false)
      )

      return Mailer.of({
        enabled: true,
        organizer: from,
        send: Tracing.operation("HttpMailer.send")(function* (message) {
          yield* execute(
            HttpClientRequest.post("/messages").pipe(
              HttpClientRequest.setHeader("idempotency-key", idempotencyKeyOf(message)),
              HttpClientRequest.bodyJsonUnsafe({ from, to: message.event.customer.email, ...textOf(message) })
            )
          )
        }),
        check: execute(HttpClientRequest.get("/account")).pipe(
          Effect.match({
            onFailure: ({ cause }) => ({ isUsable: false, says: String(cause) }),
            onSuccess: () => ({ isUsable: true, says: "the mail service accepts the key" })
          })
        )
      })
    })
  )

/** {@link layer} from the settings `MAIL_SERVICE_URL`, `MAIL_SERVICE_KEY` and `MAIL_FROM`. */
export const layerConfig = Config.all({
  url: Config.String("MAIL_SERVICE_URL"),
  key: Config.Redacted("MAIL_SERVICE_KEY"),
  from: Config.String("MAIL_FROM")
}).pipe(Effect.map(layer), Layer.unwrap)

const failure = (reason: MailerError["reason"], what: string) =>
  new MailerError({ reason, cause: `the mail service ${what}` })

const reasonOf = (status: number): MailerError["reason"] => {
  if (status === 401 || status === 403) return "unauthorized"
  // 409: the service is still executing an earlier request with this idempotency key.
  return status === 408 || status === 409 || status === 429 || status >= 500 ? "transport" : "invalid"
}

/** Returns a digest of the message's identity, which contains the customer's address. */
const idempotencyKeyOf = (message: Message): string => createHash("sha256").update(identityOf(message)).digest("hex")

const textOf = ({ account, event, kind }: Message) => {
  const begins = formatOffset(DateTime.toEpochMillis(event.startTime), account.timeZone)
  const subject = `${account.name}: ${event.title} (${kind})`.replace(/[\s\p{Cc}]+/gu, " ")
  return { subject, text: `${event.title}\n${begins}\n\n${event.description}` }
}

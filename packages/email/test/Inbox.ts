import type { Mailer } from "@frontdesk/core/mail/Mailer"
import * as MailServer from "@frontdesk/provider-fakes/mail/MailServer"
import { type Mail, read } from "@frontdesk/provider-fakes/mail/Reading"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import { certificate, key } from "./certificate.ts"

/** A mail server with TLS that accepts all mail from the user `desk` with the password `s3cret/@:`. */
export class Inbox extends Context.Service<
  Inbox,
  {
    readonly port: number
    /** The messages that have arrived, oldest first. */
    readonly arrivals: Effect.Effect<ReadonlyArray<MailServer.Arrival>>
    /** The messages that have arrived, as an independent library parses them. */
    readonly mails: Effect.Effect<ReadonlyArray<Mail>>
  }
>()("@frontdesk/email/test/Inbox") {
  static readonly layerWith = (options: MailServer.Options): Layer.Layer<Inbox> =>
    Layer.effect(
      Inbox,
      Effect.acquireRelease(
        Effect.promise(() =>
          MailServer.open({
            cert: certificate,
            key,
            onAuth: ({ password, username }, _session, done) =>
              username === "desk" && password === "s3cret/@:"
                ? done(null, { user: username })
                : done(new Error("Invalid username or password")),
            ...options
          })
        ),
        (server) => Effect.promise(() => server[Symbol.asyncDispose]())
      ).pipe(
        Effect.map(({ arrivals, port }) =>
          Inbox.of({
            port,
            arrivals: Effect.sync(() => [...arrivals]),
            mails: Effect.suspend(() => Effect.promise(() => Promise.all(arrivals.map(({ bytes }) => read(bytes)))))
          })
        )
      )
    )

  static readonly layer = Inbox.layerWith({})
}

/** Provides a mailer that sends to the inbox. A test may change its options and its URL. */
export const mailer = (
  options: Partial<SmtpMailer.Options> = {},
  url: (port: number) => string = (port) => `smtp://desk:s3cret%2F%40%3A@localhost:${port}`
): Layer.Layer<Mailer, SmtpMailer.InvalidOptions, Inbox> =>
  Layer.unwrap(
    Effect.map(Inbox, ({ port }) =>
      SmtpMailer.layer({
        url: Redacted.make(url(port)),
        from: "Front desk <desk@example.com>",
        certificateAuthorities: [certificate],
        ...options
      })
    )
  )

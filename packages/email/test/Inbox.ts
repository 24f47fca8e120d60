import type { Mailer } from "@frontdesk/core/notify/Mailer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import { certificate, key } from "./certificate.ts"

/** One message as it arrived: what the envelope said, and every byte. */
export interface Arrival {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly isEncrypted: boolean
  readonly user: unknown
  readonly bytes: string
}

/** A mail server that takes everything over TLS from `desk` with the password `s3cret/@:`. */
export class Inbox extends Context.Service<
  Inbox,
  {
    readonly port: number
    /** What arrived so far, oldest first. */
    readonly arrivals: Effect.Effect<ReadonlyArray<Arrival>>
    /** The same, as an independent reader of mail reads it. */
    readonly mails: Effect.Effect<ReadonlyArray<Email>>
  }
>()("@frontdesk/email/test/Inbox") {
  static readonly layerWith = (options: SMTPServerOptions): Layer.Layer<Inbox> =>
    Layer.effect(
      Inbox,
      Effect.acquireRelease(
        Effect.callback<{ readonly server: SMTPServer; readonly arrived: Array<Arrival> }>((resume) => {
          const arrived: Array<Arrival> = []
          const server = new SMTPServer({
            cert: certificate,
            key,
            closeTimeout: 0,
            onAuth: ({ password, username }, _session, done) =>
              username === "desk" && password === "s3cret/@:"
                ? done(null, { user: username })
                : done(new Error("Invalid username or password")),
            onData: (stream, session, done) => {
              const chunks: Array<Buffer> = []
              stream.on("data", (chunk: Buffer) => chunks.push(chunk))
              stream.on("end", () => {
                const { mailFrom, rcptTo } = session.envelope
                arrived.push({
                  from: mailFrom === false ? "" : mailFrom.address,
                  to: rcptTo.map(({ address }) => address),
                  isEncrypted: session.secure,
                  user: session.user,
                  bytes: Buffer.concat(chunks).toString("latin1")
                })
                done()
              })
            },
            ...options
          })
          // A client that is not content with the certificate ends the connection.
          server.on("error", () => undefined)
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, arrived })))
        }),
        ({ server }) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
      ).pipe(
        Effect.map(({ arrived, server }) =>
          Inbox.of({
            port: portOf(server.server.address()),
            arrivals: Effect.sync(() => [...arrived]),
            mails: Effect.suspend(() => Effect.promise(() => Promise.all(arrived.map(({ bytes }) => read(bytes)))))
          })
        )
      )
    )

  static readonly layer = Inbox.layerWith({})
}

/** Reads a mail. */
export const read = (bytes: string): Promise<Email> => PostalMime.parse(bytes)

/** The port of a server that listens. */
export const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port")
  return address.port
}

/** A mailer to the inbox, with whatever options a test is about. */
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

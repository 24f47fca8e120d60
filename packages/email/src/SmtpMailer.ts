import { Mailer, type Message, type SignInMessage } from "@frontdesk/core/mail/Mailer"
import type { Check } from "@frontdesk/core/values/Check"
import { accepting, readable, type TextReader } from "@frontdesk/core/values/TextReader"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { compose } from "./MailComposition.ts"
import { composeSignIn } from "./SignInMail.ts"
import type { SendMailOptions } from "nodemailer"
import { smtpAddress } from "./MailAddress.ts"
import * as MailServer from "./MailServer.ts"
import * as SmtpFailure from "./SmtpFailure.ts"
import * as Sender from "./Sender.ts"
import { standard, type Template } from "./MailTemplate.ts"

/** Options of the SMTP mailer. */
export interface Options {
  /**
   * `smtp://USER:PASSWORD@HOST:PORT` (default port 587), or the same with `smtps://` (default port 465), where the
   * connection begins with TLS. User and password are percent-encoded, and are given both or not at all.
   */
  readonly url: Redacted.Redacted
  /** `Name <address>`, or an address alone. With an address alone, mail carries the name of the account. */
  readonly from: string
  /**
   * The address that receives replies to mail and to invitations. With it, invitations request a reply; without it, they
   * do not.
   */
  readonly replyTo?: string | undefined
  /**
   * Whether to send without TLS where the server has none, and to trust any certificate. For development. Default: false.
   */
  readonly allowInsecure?: boolean | undefined
  /** Certificates in PEM format to trust instead of those of Node. */
  readonly certificateAuthorities?: ReadonlyArray<string> | undefined
  /** The text of the mails. Default: `standard`. */
  readonly template?: Template | undefined
  /** The maximum number of open connections. Default: 3, which large providers allow. */
  readonly maxConnections?: number | undefined
  /**
   * The timeout for one message after a connection is free. A message waits for a free connection for at most a fifth of
   * it. Default: 24 seconds, so that both together are shorter than the timeout of an outbox task.
   */
  readonly timeout?: Duration.Input | undefined
}

/** An option has an invalid value. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>("@frontdesk/email/SmtpMailer/InvalidOptions")(
  "InvalidOptions",
  { option: Schema.Literals(["url", "from", "replyTo"]), message: Schema.String }
) {}

const expectedReplyTo = "an address without a name"

const expectedFrom = "an address, or a name with the address in angle brackets"

/** Reads the text of {@link Options.url}. */
export const urlReader: TextReader<string> = accepting(MailServer.expected, MailServer.parse)

/** Reads the text of {@link Options.from}. */
export const fromReader: TextReader<string> = accepting(expectedFrom, Sender.parse)

/** Reads the text of {@link Options.replyTo}. */
export const replyToReader: TextReader<string> = accepting(expectedReplyTo, smtpAddress)

/** The `Mailer` that sends through an SMTP server, over a pool of connections. */
export const layer = (options: Options): Layer.Layer<Mailer, InvalidOptions> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const server = MailServer.parse(Redacted.value(options.url))
      if (server === undefined)
        return yield* new InvalidOptions({ option: "url", message: `Expected ${MailServer.expected}` })
      const sender = Sender.parse(options.from)
      if (sender === undefined)
        return yield* new InvalidOptions({ option: "from", message: `Expected ${expectedFrom}` })
      const replyTo = options.replyTo === undefined ? null : smtpAddress(options.replyTo)
      if (replyTo === undefined)
        return yield* new InvalidOptions({ option: "replyTo", message: `Expected ${expectedReplyTo}` })
      const correspondent = { ...sender, replyTo }

      const timeout = Duration.fromInputUnsafe(options.timeout ?? Duration.seconds(24))
      const wait = Duration.times(timeout, 0.2)
      const connections = options.maxConnections ?? 3
      const transport = yield* connect(server, options, timeout, connections)
      const free = yield* Semaphore.make(connections)
      // Closes the connections after the messages in progress have ended.
      yield* Effect.addFinalizer(() => free.withPermits(connections)(Effect.sync(() => transport.close())))

      /** Sends a mail when a connection is free. */
      const transmit = Effect.fnUntraced(function* (mail: SendMailOptions) {
        let isBegun = false
        const sent = Effect.tryPromise({
          try: (signal) => {
            isBegun = true
            return transport.sendMail({ ...mail, signal })
          },
          catch: SmtpFailure.toError
        }).pipe(
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(SmtpFailure.tookTooLong) }),
          free.withPermits(1)
        )
        // A message that waited too long is not started. Otherwise the task's timeout could interrupt it after the server
        // has accepted it, and the retry would send it twice.
        const notBegun = Effect.sleep(wait).pipe(
          Effect.andThen(Effect.suspend(() => (isBegun ? Effect.never : Effect.fail(SmtpFailure.noFreeConnection))))
        )
        yield* Effect.raceFirst(sent, notBegun)
      })

      const send = Tracing.operation("SmtpMailer.send")(function* (message: Message) {
        const recipient = smtpAddress(message.event.customer.email)
        if (recipient === undefined)
          return yield* SmtpFailure.unsendable("the customer's address cannot be transmitted over SMTP")
        yield* transmit(compose(message, correspondent, recipient, options.template ?? standard))
      })

      const sendSignIn = Tracing.operation("SmtpMailer.sendSignIn")(function* (message: SignInMessage) {
        const recipient = smtpAddress(message.email)
        if (recipient === undefined)
          return yield* SmtpFailure.unsendable("the member's address cannot be transmitted over SMTP")
        yield* transmit(composeSignIn(message, correspondent, recipient))
      })

      const where = `${server.host}:${server.port}`
      const verify = async (): Promise<Check> => {
        if (server.login !== undefined) {
          await transport.verify()
          return { isUsable: true, says: `${where} accepts mail` }
        }
        // Only a sent mail shows whether the server accepts mail without a login. Whether it offers a login is seen here.
        const { createTransport } = await nodemailer()
        const asking = createTransport({ ...transport.options, forceAuth: true })
        try {
          await asking.verify()
          return { isUsable: true, says: `${where} accepts mail without a login` }
        } catch (cause) {
          if (!SmtpFailure.lacksLogin(cause)) throw cause
          const offers =
            "offers a login. If it requires one for mail, add the user and the password to the mail server's URL"
          return { isUsable: true, hasWarning: true, says: `${where} ${offers}` }
        } finally {
          asking.close()
        }
      }
      const check = Effect.tryPromise({ try: verify, catch: SmtpFailure.explain }).pipe(
        Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail("the mail server took too long") }),
        Effect.catch((problem) => Effect.succeed({ isUsable: false, says: `${where}: ${problem}` }))
      )

      return Mailer.of({ enabled: true, organizer: Sender.organizerOf(correspondent), send, sendSignIn, check })
    })
  )

/**
 * Provides {@link layer} with the settings `FRONTDESK_MAIL_URL`, `FRONTDESK_MAIL_FROM`, `FRONTDESK_MAIL_REPLY_TO` and, for
 * development, `FRONTDESK_MAIL_ALLOW_INSECURE`.
 */
export const layerConfig = (
  options: Omit<Options, "url" | "from" | "replyTo" | "allowInsecure"> = {}
): Layer.Layer<Mailer, Config.ConfigError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* Config.schema(Schema.Redacted(readable(urlReader)), "FRONTDESK_MAIL_URL")
      const from = yield* Config.schema(readable(fromReader), "FRONTDESK_MAIL_FROM")
      const replyTo = yield* Config.schema(readable(replyToReader), "FRONTDESK_MAIL_REPLY_TO").pipe(
        Config.withDefault(undefined)
      )
      const allowInsecure = yield* Config.Boolean("FRONTDESK_MAIL_ALLOW_INSECURE").pipe(Config.withDefault(false))
      return Layer.orDie(layer({ ...options, url, from, replyTo, allowInsecure }))
    })
  )

// Loaded by the first mailer, because a server without a mail server starts faster without it.
const nodemailer = () => import("nodemailer")

/** Creates the connection pool. It connects when the first message is sent. */
const connect = (
  server: MailServer.MailServer,
  options: Pick<Options, "allowInsecure" | "certificateAuthorities">,
  timeout: Duration.Duration,
  maxConnections: number
) =>
  Effect.map(Effect.promise(nodemailer), ({ createTransport }) => {
    const allowInsecure = options.allowInsecure ?? false
    // Connecting and greeting have a shorter timeout than the message. The reply to the message itself has the whole
    // timeout, because a client that stops waiting for it sends the message twice (RFC 5321 4.5.3.2.6).
    const step = Math.ceil(Duration.toMillis(timeout) * 0.4)
    return createTransport({
      pool: true,
      host: server.host,
      port: server.port,
      secure: server.isSecure,
      requireTLS: !allowInsecure,
      ...(server.login === undefined
        ? {}
        : { auth: { user: server.login.user, pass: Redacted.value(server.login.password) }, forceAuth: true }),
      tls: {
        rejectUnauthorized: !allowInsecure,
        minVersion: "TLSv1.2",
        ...(options.certificateAuthorities === undefined ? {} : { ca: [...options.certificateAuthorities] })
      },
      maxConnections,
      // Before the client sends a message, it may notice that the server has closed the connection. It then retries once.
      maxRequeues: 1,
      dnsTimeout: step,
      connectionTimeout: step,
      greetingTimeout: step,
      socketTimeout: Math.ceil(Duration.toMillis(timeout))
    })
  })

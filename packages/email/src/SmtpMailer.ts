import { Mailer, type Message } from "@frontdesk/core/mail/Mailer"
import type { Check } from "@frontdesk/core/values/Check"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { createTransport } from "nodemailer"
import { compose } from "./MailComposition.ts"
import { onTheWire } from "./MailAddress.ts"
import * as MailServer from "./MailServer.ts"
import * as SmtpFailure from "./SmtpFailure.ts"
import * as Sender from "./Sender.ts"
import { standard, type Template } from "./MailTemplate.ts"

/** How mail is sent. */
export interface Options {
  /**
   * `smtp://USER:PASSWORD@HOST:PORT` (port 587 unless given), or the same with `smtps://` (465), where the connection
   * begins with TLS. User and password are percent-encoded, and may be left out together.
   */
  readonly url: Redacted.Redacted
  /** `Name <address>` or an address alone; then mail carries the name of the account. */
  readonly from: string
  /**
   * The address whose answers somebody reads. Answers to mail and to invitations go there, and invitations ask for one.
   * Without it invitations ask for no answer.
   */
  readonly replyTo?: string | undefined
  /**
   * Whether mail goes without TLS where the server has none, and to any certificate: for development. False unless
   * said.
   */
  readonly allowInsecure?: boolean | undefined
  /** Certificates in PEM form to trust instead of those that come with Node. */
  readonly certificateAuthorities?: ReadonlyArray<string> | undefined
  /** The words of the mail; `standard` unless given. */
  readonly template?: Template | undefined
  /** How many connections are open at most; 3 unless given, as many as large providers allow. */
  readonly maxConnections?: number | undefined
  /**
   * How long one message may take, once a connection is free, which it waits for a fifth as long; 24 seconds unless
   * given: both together are less than a task of the outbox has.
   */
  readonly timeout?: Duration.Input | undefined
}

/** Options that cannot be. */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>("@frontdesk/email/SmtpMailer/InvalidOptions")(
  "InvalidOptions",
  { option: Schema.Literals(["url", "from", "replyTo"]), message: Schema.String }
) {}

/** What {@link Options.replyTo} is, for whoever has given something else. */
export const expectedReplyTo = "an address without a name"

const expectedFrom = "an address, or a name with the address in angle brackets"

/** Mails customers through an SMTP server, over connections that are kept. */
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
      const replyTo = options.replyTo === undefined ? null : onTheWire(options.replyTo)
      if (replyTo === undefined)
        return yield* new InvalidOptions({ option: "replyTo", message: `Expected ${expectedReplyTo}` })
      const correspondent = { ...sender, replyTo }

      const timeout = Duration.fromInputUnsafe(options.timeout ?? Duration.seconds(24))
      const wait = Duration.times(timeout, 0.2)
      const connections = options.maxConnections ?? 3
      const transport = yield* connect(server, options, timeout, connections)
      const free = yield* Semaphore.make(connections)
      // Closed when what is under way has come to its end.
      yield* Effect.addFinalizer(() => free.withPermits(connections)(Effect.sync(() => transport.close())))

      const send = Effect.fn("SmtpMailer.send")(function* (message: Message) {
        const recipient = onTheWire(message.event.customer.email)
        if (recipient === undefined) return yield* SmtpFailure.unsendable("the customer's address cannot be written to")
        const mail = compose(message, correspondent, recipient, options.template ?? standard)
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
        // What waits for long is not begun: it would be cut off when the server may have taken it, and be sent twice.
        const notBegun = Effect.sleep(wait).pipe(
          Effect.andThen(Effect.suspend(() => (isBegun ? Effect.never : Effect.fail(SmtpFailure.noneFree))))
        )
        yield* Effect.raceFirst(sent, notBegun)
      })

      const where = `${server.host}:${server.port}`
      const verify = async (): Promise<Check> => {
        if (server.login !== undefined) {
          await transport.verify()
          return { isUsable: true, says: `${where} takes mail` }
        }
        // Whether mail is taken without a login shows when one is sent. That a login is offered is known before.
        const asking = createTransport({ ...transport.options, forceAuth: true })
        try {
          await asking.verify()
          return { isUsable: true, says: `${where} takes mail, without a login` }
        } catch (cause) {
          if (!SmtpFailure.wantsLogin(cause)) throw cause
          const offers = "answers, and offers a login: if it wants one for mail, the mail server's URL has to give it"
          return { isUsable: true, isDoubtful: true, says: `${where} ${offers}` }
        } finally {
          asking.close()
        }
      }
      const check = Effect.tryPromise({ try: verify, catch: SmtpFailure.explain }).pipe(
        Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail("the mail server took too long") }),
        Effect.catch((problem) => Effect.succeed({ isUsable: false, says: `${where}: ${problem}` }))
      )

      return Mailer.of({ enabled: true, organizer: Sender.organizerOf(correspondent), send, check })
    })
  )

const urlSetting = Schema.Redacted(
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      MailServer.parse(text) === undefined ? `Expected ${MailServer.expected}` : true
    )
  )
)

const fromSetting = Schema.String.check(
  Schema.makeFilter((text: string) => (Sender.parse(text) === undefined ? `Expected ${expectedFrom}` : true))
)

const replyToSetting = Schema.String.check(
  Schema.makeFilter((text: string) => (onTheWire(text) === undefined ? `Expected ${expectedReplyTo}` : true))
)

/**
 * {@link layer} from the settings `FRONTDESK_MAIL_URL`, `FRONTDESK_MAIL_FROM`, `FRONTDESK_MAIL_REPLY_TO` and, for
 * development, `FRONTDESK_MAIL_ALLOW_INSECURE`.
 */
export const layerConfig = (
  options: Omit<Options, "url" | "from" | "replyTo" | "allowInsecure"> = {}
): Layer.Layer<Mailer, Config.ConfigError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* Config.schema(urlSetting, "FRONTDESK_MAIL_URL")
      const from = yield* Config.schema(fromSetting, "FRONTDESK_MAIL_FROM")
      const replyTo = yield* Config.schema(replyToSetting, "FRONTDESK_MAIL_REPLY_TO").pipe(
        Config.withDefault(undefined)
      )
      const allowInsecure = yield* Config.Boolean("FRONTDESK_MAIL_ALLOW_INSECURE").pipe(Config.withDefault(false))
      return Layer.orDie(layer({ ...options, url, from, replyTo, allowInsecure }))
    })
  )

/** The connections. None is made before the first message. */
const connect = (
  server: MailServer.MailServer,
  options: Pick<Options, "allowInsecure" | "certificateAuthorities">,
  timeout: Duration.Duration,
  maxConnections: number
) =>
  Effect.sync(() => {
    const allowInsecure = options.allowInsecure ?? false
    // To connect and be greeted has less time than the whole. What is answered later than a message may take is another
    // matter: whoever does not wait for it sends the message twice (RFC 5321 4.5.3.2.6).
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
      // A connection that the server has closed meanwhile is found out before anything is sent: that is tried once more.
      maxRequeues: 1,
      dnsTimeout: step,
      connectionTimeout: step,
      greetingTimeout: step,
      socketTimeout: Math.ceil(Duration.toMillis(timeout))
    })
  })

import { describe, expect, it } from "@effect/vitest"
import { Mailer, type MailerError } from "@frontdesk/core/mail/Mailer"
import type { Options } from "@frontdesk/provider-fakes/mail/MailServer"
import { calendar, files, read } from "@frontdesk/provider-fakes/mail/Reading"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import { otherCertificate, otherKey } from "./certificate.ts"
import { Inbox, mailer } from "./Inbox.ts"
import { message } from "./samples.ts"
import * as ScriptedServer from "./ScriptedServer.ts"

const messageOf = (error: MailerError | undefined): string => (error?.cause instanceof Error ? error.cause.message : "")

/** Returns the results of a check and of a send, and what arrived at the server. */
const outcome = (server: Options, options: Partial<SmtpMailer.Options> = {}, url?: (port: number) => string) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.provideMerge(mailer(options, url), Inbox.layerWith(server)))
    const { check, send } = Context.get(context, Mailer)
    const checked = yield* check
    const arrivals = Context.get(context, Inbox).arrivals
    expect(yield* arrivals).toEqual([])
    const failure = yield* send(message("created")).pipe(
      Effect.as(undefined),
      Effect.catch((error) => Effect.succeed(error))
    )
    return { checked, failure, arrivals: yield* arrivals }
  })

const noTls: Options = { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }

describe("TLS", () => {
  it.effect("a server without TLS receives neither mail nor login", () =>
    Effect.gen(function* () {
      let logins = 0
      const { arrivals, checked, failure } = yield* outcome({
        ...noTls,
        onAuth: (_auth, _session, done) => {
          logins += 1
          done(null, { user: "desk" })
        }
      })
      expect([failure?.reason, arrivals, logins]).toEqual(["transport", [], 0])
      expect(checked.says).toMatch(
        /^localhost:\d+: the mail server answered 5\d\d.* to STARTTLS; see smtp: and smtps:.* FRONTDESK_MAIL_ALLOW_INSECURE/
      )
      expect(checked.isUsable).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.effect("a server without TLS receives mail if the operator allows it", () =>
    Effect.gen(function* () {
      const { arrivals, checked } = yield* outcome(noTls, { allowInsecure: true })
      expect([arrivals[0]?.isEncrypted, checked.isUsable]).toEqual([false, true])
    }).pipe(Effect.scoped)
  )

  it.effect("TLS is used if the server has it, even if the operator allows to send without it", () =>
    Effect.gen(function* () {
      const { arrivals } = yield* outcome({}, { allowInsecure: true, certificateAuthorities: undefined })
      expect(arrivals[0]?.isEncrypted).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.effect.each(["smtp", "smtps"] as const)("with %s: a certificate that is not trusted fails", (scheme) =>
    Effect.gen(function* () {
      const { arrivals, checked, failure } = yield* outcome(
        { secure: scheme === "smtps" },
        { certificateAuthorities: undefined },
        (port) => `${scheme}://desk:s3cret%2F%40%3A@localhost:${port}`
      )
      expect([failure?.reason, arrivals]).toEqual(["transport", []])
      expect(messageOf(failure)).toMatch(/certificate is not accepted \(\w+\); see the host/)
      expect(checked.isUsable).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.effect("a certificate of another host fails", () =>
    Effect.gen(function* () {
      const { arrivals, failure } = yield* outcome(
        { cert: otherCertificate, key: otherKey },
        { certificateAuthorities: [otherCertificate] }
      )
      expect(arrivals).toEqual([])
      expect(messageOf(failure)).toMatch(/certificate is not accepted \(\w+\); see the host/)
    }).pipe(Effect.scoped)
  )

  it.effect("smtps: with a server that does not begin with TLS fails, and the error names the scheme", () =>
    Effect.gen(function* () {
      const { failure } = yield* outcome({}, { timeout: "2 seconds" }, (port) => `smtps://localhost:${port}`)
      expect([failure?.reason, messageOf(failure)]).toEqual([
        "transport",
        "no TLS with the mail server; see smtp: and smtps: and the port in the mail server's URL"
      ])
    }).pipe(Effect.scoped)
  )
})

describe("a login", () => {
  it.effect("a rejected login is unauthorized, and the check names the setting without the password", () =>
    Effect.gen(function* () {
      const { checked, failure } = yield* outcome({}, {}, (port) => `smtp://desk:wrong-pass@localhost:${port}`)
      expect([failure?.reason, failure?.isRetryable]).toEqual(["unauthorized", false])
      expect(checked.isUsable).toBe(false)
      expect(checked.says).toMatch(
        /^localhost:\d+: the mail server answered 535 to AUTH PLAIN; see the user and the password in the mail server's URL$/
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a missing login that the server requires is unauthorized, and the check has a warning", () =>
    Effect.gen(function* () {
      const { checked, failure } = yield* outcome({}, {}, (port) => `smtp://localhost:${port}`)
      expect(failure?.reason).toBe("unauthorized")
      expect(checked.hasWarning).toBe(true)
      expect(checked.says).toMatch(/^localhost:\d+ offers a login\. If it requires one for mail, add the user /)
    }).pipe(Effect.scoped)
  )

  it.effect("a server without a login receives mail without one", () =>
    Effect.gen(function* () {
      const { arrivals, checked } = yield* outcome(
        { authOptional: true, disabledCommands: ["AUTH"] },
        {},
        (port) => `smtp://localhost:${port}`
      )
      expect([arrivals.length, checked.isUsable]).toEqual([1, true])
      expect(checked.says).toMatch(/^localhost:\d+ accepts mail without a login$/)
    }).pipe(Effect.scoped)
  )
})

describe("a check", () => {
  it.effect("a check of a server that accepts the login succeeds and sends nothing", () =>
    Effect.gen(function* () {
      const { checked } = yield* outcome({})
      expect(checked.isUsable).toBe(true)
      expect(checked.says).toMatch(/^localhost:\d+ accepts mail$/)
    }).pipe(Effect.scoped)
  )

  const timeout = "10 minutes"

  const mailerTo = (server: ScriptedServer.ScriptedServer) =>
    Effect.map(
      Layer.build(
        SmtpMailer.layer({
          url: Redacted.make(`smtp://127.0.0.1:${server.port}`),
          from: "desk@example.com",
          allowInsecure: true,
          timeout
        })
      ),
      Context.get(Mailer)
    )

  it.effect.each([
    [{ greeting: "554 5.7.1 no" }, "the mail server answered 554 5.7.1"],
    [{ EHLO: "cut" }, "the connection to the mail server failed"]
  ] as const)("a check of a server with %o says what is wrong", ([script, problem]) =>
    Effect.gen(function* () {
      const server = yield* ScriptedServer.make
      server.behave(script)
      const { check } = yield* mailerTo(server)
      expect(yield* check).toEqual({ isUsable: false, says: `127.0.0.1:${server.port}: ${problem}` })
    }).pipe(Effect.scoped)
  )

  it.effect.each(["silence", "trickle"] as const)(
    "a check of a server with a %s returns after the timeout that the server is unusable",
    (greeting) =>
      Effect.gen(function* () {
        const server = yield* ScriptedServer.make
        server.behave({ greeting })
        const { check } = yield* mailerTo(server)
        const checking = yield* Effect.forkChild(check)
        yield* server.until(() => server.connections() === 1 && (greeting === "silence" || server.trickles() >= 3))
        yield* TestClock.adjust(timeout)
        expect(yield* Fiber.join(checking)).toEqual({
          isUsable: false,
          says: `127.0.0.1:${server.port}: the mail server took too long`
        })
      }).pipe(Effect.scoped)
  )
})

describe("an address", () => {
  const send = (email: string) =>
    Effect.gen(function* () {
      const { customer } = message("created").event
      yield* (yield* Mailer).send(message("created", { customer: { ...customer, email } }))
      return yield* (yield* Inbox).arrivals
    })

  it.effect.each([
    "zoé@example.com",
    "",
    "zoe",
    "@example.com",
    "zoe@",
    "zoe@exam ple.com",
    "zoe@example..com",
    "zoe@[127.0.0.1]",
    "zoe@-example.com",
    "zoe\r\nRCPT TO:<eve@example.com>@example.com",
    "zoe>,<eve@example.com",
    '"zoe"@example.com',
    "a,b@example.com",
    "zoe@example.com\0",
    `${"z".repeat(65)}@example.com`,
    `zoe@${"e".repeat(64)}.com`
  ])("an address that SMTP cannot transmit is invalid, and nothing is sent: %j", (email) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(email))
      expect([error.reason, messageOf(error)]).toEqual([
        "invalid",
        "the customer's address cannot be transmitted over SMTP"
      ])
      expect(yield* (yield* Inbox).arrivals).toEqual([])
    }).pipe(Effect.provide(Layer.provideMerge(mailer(), Inbox.layer)))
  )

  it.effect.each<readonly [string, string]>([
    ["zoe@exämple.com", "zoe@xn--exmple-cua.com"],
    ["Zoe@EXAMPLE.com", "Zoe@example.com"],
    ["o'zoe+a/b=c{d}@example.com", "o'zoe+a/b=c{d}@example.com"],
    ["zoe@日本語.jp", "zoe@xn--wgv71a119e.jp"]
  ])("the address %s is transmitted as %s", ([email, wire]) =>
    Effect.gen(function* () {
      const [arrival] = yield* send(email)
      expect(arrival?.bytes).toMatch(new RegExp(`^To: .*<${wire.replace(/[+{}']/g, "\\$&")}>\\r$`, "m"))
      const mail = yield* Effect.promise(() => read(arrival?.bytes ?? ""))
      for (const file of files(mail)) expect(calendar(file).value("attendee")).toBe(`mailto:${wire}`)
    }).pipe(Effect.provide(Layer.provideMerge(mailer(), Inbox.layer)))
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Mailer, type MailerError } from "@frontdesk/core/mail/Mailer"
import type { Options } from "@frontdesk/provider-fakes/mail/MailServer"
import { calendar, files, read } from "@frontdesk/provider-fakes/mail/Reading"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import { otherCertificate, otherKey } from "./certificate.ts"
import { Inbox, mailer } from "./Inbox.ts"
import { message } from "./samples.ts"
import * as ScriptedServer from "./ScriptedServer.ts"

const wordsOf = (error: MailerError): string => (error.cause instanceof Error ? error.cause.message : "")

/** What a send and a check come to. */
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
  it.effect("is wanted: to a server without it nothing is sent, not even the login", () =>
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

  it.effect("is done without where the operator allows it", () =>
    Effect.gen(function* () {
      const { arrivals, checked } = yield* outcome(noTls, { allowInsecure: true })
      expect([arrivals[0]?.isEncrypted, checked.isUsable]).toEqual([false, true])
    }).pipe(Effect.scoped)
  )

  it.effect("is used also then where the server has it, whatever its certificate", () =>
    Effect.gen(function* () {
      const { arrivals } = yield* outcome({}, { allowInsecure: true, certificateAuthorities: undefined })
      expect(arrivals[0]?.isEncrypted).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.effect.each(["smtp", "smtps"] as const)("of %s: wants a certificate that is trusted", (scheme) =>
    Effect.gen(function* () {
      const { arrivals, checked, failure } = yield* outcome(
        { secure: scheme === "smtps" },
        { certificateAuthorities: undefined },
        (port) => `${scheme}://desk:s3cret%2F%40%3A@localhost:${port}`
      )
      expect([failure?.reason, arrivals]).toEqual(["transport", []])
      expect(failure === undefined ? "" : wordsOf(failure)).toMatch(/certificate is not accepted \(\w+\); see the host/)
      expect(checked.isUsable).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.effect("wants a certificate of that host", () =>
    Effect.gen(function* () {
      const { arrivals, failure } = yield* outcome(
        { cert: otherCertificate, key: otherKey },
        { certificateAuthorities: [otherCertificate] }
      )
      expect(arrivals).toEqual([])
      expect(failure === undefined ? "" : wordsOf(failure)).toMatch(/certificate is not accepted \(\w+\); see the host/)
    }).pipe(Effect.scoped)
  )

  it.effect("from the start with a server that has none fails in words that name the scheme", () =>
    Effect.gen(function* () {
      const { failure } = yield* outcome({}, { timeout: "2 seconds" }, (port) => `smtps://localhost:${port}`)
      expect([failure?.reason, failure === undefined ? "" : wordsOf(failure)]).toEqual([
        "transport",
        "no TLS with the mail server; see smtp: and smtps: and the port in the mail server's URL"
      ])
    }).pipe(Effect.scoped)
  )
})

describe("a login", () => {
  it.effect("that is refused is unauthorized, and says where to look without the password", () =>
    Effect.gen(function* () {
      const { checked, failure } = yield* outcome({}, {}, (port) => `smtp://desk:wrong-pass@localhost:${port}`)
      expect([failure?.reason, failure?.isRetryable]).toEqual(["unauthorized", false])
      expect(checked.isUsable).toBe(false)
      expect(checked.says).toMatch(
        /^localhost:\d+: the mail server answered 535 to AUTH PLAIN; see the user and the password in the mail server's URL$/
      )
    }).pipe(Effect.scoped)
  )

  it.effect("that the server wants and is not given is unauthorized", () =>
    Effect.gen(function* () {
      const { checked, failure } = yield* outcome({}, {}, (port) => `smtp://localhost:${port}`)
      expect(failure?.reason).toBe("unauthorized")
      expect(checked.hasWarning).toBe(true)
      expect(checked.says).toMatch(/^localhost:\d+ answers, and offers a login: if it wants one for mail, /)
    }).pipe(Effect.scoped)
  )

  it.effect("is not needed where the server asks for none", () =>
    Effect.gen(function* () {
      const { arrivals, checked } = yield* outcome(
        { authOptional: true, disabledCommands: ["AUTH"] },
        {},
        (port) => `smtp://localhost:${port}`
      )
      expect([arrivals.length, checked.isUsable]).toEqual([1, true])
      expect(checked.says).toMatch(/^localhost:\d+ takes mail, without a login$/)
    }).pipe(Effect.scoped)
  )
})

describe("a check", () => {
  it.effect("finds a server that takes the login, and sends nothing", () =>
    Effect.gen(function* () {
      const { checked } = yield* outcome({})
      expect(checked.isUsable).toBe(true)
      expect(checked.says).toMatch(/^localhost:\d+ takes mail$/)
    }).pipe(Effect.scoped)
  )

  it.live.each([
    [{ greeting: "554 5.7.1 no" }, "the mail server answered 554 5.7.1"],
    [{ greeting: "silence" }, "the mail server took too long"],
    [{ greeting: "trickle" }, "the mail server took too long"],
    [{ EHLO: "cut" }, "the connection to the mail server failed"]
  ] as const)("says what is wrong, within the time of a message: %o", ([script, words]) =>
    Effect.gen(function* () {
      const server = yield* ScriptedServer.make
      server.behave(script)
      const url = Redacted.make(`smtp://127.0.0.1:${server.port}`)
      const options = { url, from: "desk@example.com", allowInsecure: true, timeout: "1 second" } as const
      const context = yield* Layer.build(SmtpMailer.layer(options))
      expect(yield* Context.get(context, Mailer).check).toEqual({
        isUsable: false,
        says: `127.0.0.1:${server.port}: ${words}`
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
  ])("that SMTP cannot carry is never sent to: %j", (email) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(email))
      expect([error.reason, wordsOf(error)]).toEqual(["invalid", "the customer's address cannot be written to"])
      expect(yield* (yield* Inbox).arrivals).toEqual([])
    }).pipe(Effect.provide(Layer.provideMerge(mailer(), Inbox.layer)))
  )

  it.effect.each<readonly [string, string]>([
    ["zoe@exämple.com", "zoe@xn--exmple-cua.com"],
    ["Zoe@EXAMPLE.com", "Zoe@example.com"],
    ["o'zoe+a/b=c{d}@example.com", "o'zoe+a/b=c{d}@example.com"],
    ["zoe@日本語.jp", "zoe@xn--wgv71a119e.jp"]
  ])("%s goes over the wire as %s", ([email, wire]) =>
    Effect.gen(function* () {
      const [arrival] = yield* send(email)
      expect(arrival?.bytes).toMatch(new RegExp(`^To: .*<${wire.replace(/[+{}']/g, "\\$&")}>\\r$`, "m"))
      const mail = yield* Effect.promise(() => read(arrival?.bytes ?? ""))
      for (const file of files(mail)) expect(calendar(file).value("attendee")).toBe(`mailto:${wire}`)
    }).pipe(Effect.provide(Layer.provideMerge(mailer(), Inbox.layer)))
  )
})

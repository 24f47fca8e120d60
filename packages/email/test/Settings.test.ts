import { describe, expect, it } from "@effect/vitest"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { parse as parseServer } from "../src/MailServer.ts"
import { parse as parseSender } from "../src/Sender.ts"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import { Inbox } from "./Inbox.ts"
import { message } from "./samples.ts"

const good = {
  FRONTDESK_MAIL_URL: "smtps://desk:s3cret@smtp.example.com",
  FRONTDESK_MAIL_FROM: "Front desk <desk@example.com>"
}

const build = (settings: Record<string, string>) =>
  Effect.scoped(Layer.build(SmtpMailer.layerConfig())).pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
  )

describe("the settings", () => {
  it.effect("valid settings lead to a mailer that sends", () =>
    Effect.gen(function* () {
      const inbox = yield* Inbox
      yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        expect([mailer.enabled, mailer.organizer]).toEqual([true, "answers@example.com"])
        yield* mailer.send(message("created"))
      }).pipe(
        Effect.provide(
          SmtpMailer.layerConfig().pipe(
            Layer.provide(
              ConfigProvider.layer(
                ConfigProvider.fromUnknown({
                  FRONTDESK_MAIL_URL: `smtp://desk:s3cret%2F%40%3A@localhost:${inbox.port}`,
                  FRONTDESK_MAIL_FROM: "desk@example.com",
                  FRONTDESK_MAIL_REPLY_TO: "answers@example.com",
                  FRONTDESK_MAIL_ALLOW_INSECURE: "true"
                })
              )
            )
          )
        )
      )
      expect(yield* inbox.arrivals).toHaveLength(1)
    }).pipe(Effect.provide(Inbox.layer))
  )

  it.effect.each<readonly [string, string]>([
    ["FRONTDESK_MAIL_URL", "http://desk:s3cret@smtp.example.com"],
    ["FRONTDESK_MAIL_URL", ""],
    ["FRONTDESK_MAIL_FROM", "s3cret"],
    ["FRONTDESK_MAIL_FROM", "s3cret <desk@example.com>, eve@example.com"],
    ["FRONTDESK_MAIL_REPLY_TO", "s3cret"],
    ["FRONTDESK_MAIL_REPLY_TO", "s3cret <answers@example.com>"]
  ])("an invalid %s is an error that names it and does not quote the value: %j", ([name, value]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(build({ ...good, [name]: value }))
      expect(error.message).toContain(name)
      expect(`${JSON.stringify(error)} ${String(error)} ${error.message}`).not.toContain("s3cret")
    })
  )

  it.effect("a missing setting is an error that names it", () =>
    Effect.gen(function* () {
      const { FRONTDESK_MAIL_FROM, FRONTDESK_MAIL_URL } = good
      expect((yield* Effect.flip(build({ FRONTDESK_MAIL_FROM }))).message).toContain("FRONTDESK_MAIL_URL")
      expect((yield* Effect.flip(build({ FRONTDESK_MAIL_URL }))).message).toContain("FRONTDESK_MAIL_FROM")
    })
  )
})

describe("the options of the mailer", () => {
  it.effect.each([
    ["url", { url: Redacted.make("smtp://desk@smtp.example.com"), from: "desk@example.com" }],
    ["from", { url: Redacted.make("smtp://smtp.example.com"), from: "desk" }]
  ] as const)("an invalid %s fails with InvalidOptions", ([option, options]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(SmtpMailer.layer(options))))
      expect([error._tag, error.option]).toEqual(["InvalidOptions", option])
    })
  )
})

describe("the URL of a server", () => {
  it.each([
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, isSecure: false }],
    ["smtps://mail.example.com/", { host: "mail.example.com", port: 465, isSecure: true }],
    ["SMTP://mail.example.com:25", { host: "mail.example.com", port: 25, isSecure: false }],
    ["smtp://[::1]:1025", { host: "::1", port: 1025, isSecure: false }],
    ["smtp://127.0.0.1", { host: "127.0.0.1", port: 587, isSecure: false }],
    ["smtp://exämple.com", { host: "xn--exmple-cua.com", port: 587, isSecure: false }]
  ])("the URL %s is parsed", (url, server) => {
    expect(parseServer(url)).toEqual({ ...server, login: undefined })
  })

  it("user and password in a URL are percent-decoded", () => {
    const login = parseServer("smtp://desk%40example.com:a%2Fb%3Ac@mail.example.com")?.login
    expect([login?.user, login === undefined ? "" : Redacted.value(login.password)]).toEqual([
      "desk@example.com",
      "a/b:c"
    ])
  })

  it.each([
    "",
    "mail.example.com",
    "http://mail.example.com",
    "smtp:mail.example.com",
    "smtp:///path",
    "smtp://",
    "smtp://user@mail.example.com",
    "smtp://:pass@mail.example.com",
    "smtp://mail.example.com/path",
    "smtp://mail.example.com?tls=no",
    "smtp://mail.example.com#x",
    "smtp://mail.example.com:0",
    "smtp://mail.example.com:99999",
    "smtp://mail exa.com",
    "smtp://%zz:a@mail.example.com",
    "smtp://mail.example.com\n"
  ])("the text %j is not the URL of a mail server", (url) => {
    expect(parseServer(url)).toBeUndefined()
  })
})

describe("a sender", () => {
  it.each([
    ["desk@example.com", "", "desk@example.com"],
    ["Front desk <desk@example.com>", "Front desk", "desk@example.com"],
    ['"Desk, Inc." <desk@example.com>', "Desk, Inc.", "desk@example.com"],
    ["Émile <desk@exämple.com>", "Émile", "desk@xn--exmple-cua.com"],
    ["<desk@localhost>", "", "desk@localhost"]
  ])("the sender %s has the name %j and the address %s", (text, name, address) => {
    expect(parseSender(text)).toEqual({ name, address })
  })

  it.each([
    "",
    "desk",
    "a@example.com, b@example.com",
    "A <a@example.com",
    "A <a@example.com> x",
    "A\r\n <a@example.com>"
  ])("the text %j is not a sender", (text) => {
    expect(parseSender(text)).toBeUndefined()
  })
})

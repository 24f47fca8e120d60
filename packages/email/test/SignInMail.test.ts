import { describe, expect, it } from "@effect/vitest"
import { Mailer, type SignInMessage } from "@frontdesk/core/mail/Mailer"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { read } from "@frontdesk/provider-fakes/mail/Reading"
import { at } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Inbox, mailer } from "./Inbox.ts"

const url = "https://desk.example.com/dashboard/sign-in/WCnF-3_0123456789012345678901234567890123"

const message: SignInMessage = {
  kind: "sign_in",
  linkId: 7,
  email: "zoe@example.com",
  name: "Zoë",
  accountName: "Ada & <Co.>",
  url: Redacted.make(url),
  createdAt: at("2026-06-01T08:00:00Z"),
  expiresAt: at("2026-06-01T08:15:00Z"),
  timeZone: TimeZone.make("Europe/Paris")
}

const send = Effect.fnUntraced(function* (given: SignInMessage) {
  const { sendSignIn = () => Effect.void } = yield* Mailer
  yield* sendSignIn(given)
  const [arrival] = yield* (yield* Inbox).arrivals
  const bytes = arrival?.bytes ?? ""
  return { arrival, mail: yield* Effect.promise(() => read(bytes)) }
})

const inbox = Layer.provideMerge(mailer(), Inbox.layer)

describe("a mail with a sign-in link (D-MEM-9)", () => {
  it.effect("goes to the member alone, with the link in the body and in no header", () =>
    Effect.gen(function* () {
      const { arrival, mail } = yield* send(message)
      expect(arrival).toMatchObject({ from: "desk@example.com", to: ["zoe@example.com"], isEncrypted: true })
      expect(mail.subject).toBe("Sign in to Ada & <Co.>")
      expect(mail.text).toContain(`\n${url}\n`)
      expect(mail.text).toContain("It works until Monday 1 June 2026, 10:15 (Europe/Paris, UTC+02:00).")
      expect(mail.html).toContain(`<a href="${url}">${url}</a>`)
      expect(mail.html).toContain("<title>Sign in to Ada &amp; &lt;Co.&gt;</title>")
      expect(mail.html).toContain("<bdi>Ada &amp; &lt;Co.&gt;</bdi>")
      expect(mail.headers.filter(({ value }) => value.includes("sign-in"))).toEqual([])
      expect(mail.attachments).toEqual([])
    }).pipe(Effect.provide(inbox))
  )

  it.effect("of an invitation says so", () =>
    Effect.gen(function* () {
      const { mail } = yield* send({ ...message, kind: "invitation", name: " " })
      expect(mail.subject).toBe("Invitation to Ada & <Co.>")
      expect(mail.text?.startsWith("Hello,\n\nYou are invited to the dashboard of Ada & <Co.>:")).toBe(true)
    }).pipe(Effect.provide(inbox))
  )

  it.effect("to an address that SMTP cannot transmit fails as invalid, without the address in the error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send({ ...message, email: "zoe" }))
      expect(error).toMatchObject({ _tag: "MailerError", reason: "invalid" })
      expect(String(error.cause)).not.toContain("zoe")
    }).pipe(Effect.provide(inbox))
  )
})

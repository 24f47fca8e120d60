import { describe, expect, it } from "@effect/vitest"
import { MailerError } from "@frontdesk/core/mail/Mailer"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { SignInMails } from "@frontdesk/core/people/SignInMails"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { failingMailer, makeAccount, requestMail, servicesAt, servicesWithWorker, tagOf, url } from "./services.ts"

const withWorker = servicesWithWorker()

/** Returns the mails with links that the worker sends. */
const mailed = Effect.gen(function* () {
  const fake = yield* FakeMailer
  const before = (yield* fake.links).length
  yield* (yield* OutboxWorker).drain
  return (yield* fake.links).slice(before)
})

/** Returns the token in the link of a mail. */
const tokenOf = (link: Redacted.Redacted<string> | undefined) => {
  const text = link === undefined ? "" : Redacted.value(link)
  expect(text.slice(0, -43)).toBe(`${url}/sign-in/`)
  return Redacted.make(text.slice(-43))
}

describe("sign-in mails (D-MEM-9)", () => {
  it.effect(
    "a member that requests a link by any spelling of its address is mailed one that works once, for 15 minutes",
    () =>
      Effect.gen(function* () {
        const { add, links, sessions } = yield* makeAccount
        const { id } = yield* add("editor", "jo@münchen.de")
        yield* requestMail("JO@xn--mnchen-3ya.de")
        const mails = yield* mailed
        const now = yield* DateTime.now
        expect(mails).toMatchObject([
          {
            kind: "sign_in",
            email: "jo@münchen.de",
            name: "Jo",
            accountName: "Acme",
            createdAt: now,
            expiresAt: DateTime.add(now, { minutes: 15 })
          }
        ])
        const token = tokenOf(mails[0]?.url)
        const { token: session } = yield* links.use(token, null)
        expect((yield* sessions.authenticate(session)).person).toMatchObject({ memberId: id, role: "editor" })
        expect(yield* tagOf(links.use(token, null))).toBe("SignInLinkInvalid")
      }).pipe(Effect.provide(withWorker))
  )

  it.effect(
    "an address without a member adds no task and no mail, and one of several accounts is mailed for each",
    () =>
      Effect.gen(function* () {
        const [one, other] = [yield* makeAccount, yield* makeAccount]
        yield* one.add("viewer", "jo@example.com")
        yield* other.add("viewer", "jo@example.com")
        yield* requestMail("max@example.com")
        expect(yield* mailed).toEqual([])
        yield* requestMail("jo@example.com")
        expect(yield* mailed).toHaveLength(2)
      }).pipe(Effect.provide(withWorker))
  )

  it.effect("a member is mailed at most once a minute, and only while it has fewer than five open links", () =>
    Effect.gen(function* () {
      const { add, links, program } = yield* makeAccount
      const { email, id } = yield* add("viewer")
      yield* requestMail(email)
      yield* requestMail(email)
      expect(yield* mailed).toHaveLength(1)
      for (let count = 2; count <= 5; count++) {
        yield* TestClock.adjust(Duration.minutes(1))
        yield* requestMail(email)
        expect(yield* mailed).toHaveLength(1)
      }
      yield* TestClock.adjust(Duration.minutes(1))
      yield* requestMail(email)
      expect(yield* mailed).toEqual([])
      const [oldest] = yield* program(links.list)
      if (oldest !== undefined) yield* program(links.delete(oldest.id))
      yield* requestMail(email)
      expect(yield* mailed).toHaveLength(1)
      expect(yield* program(links.list)).toHaveLength(5)
      expect(id).toBe(oldest?.memberId)
    }).pipe(Effect.provide(withWorker))
  )

  it.effect("an invited member is mailed a link that works for 7 days", () =>
    Effect.gen(function* () {
      const { links, members, program } = yield* makeAccount
      yield* program(members.create({ email: "jo@example.com", name: "Jo", role: "owner", sendLink: true }))
      const mails = yield* mailed
      expect(mails).toMatchObject([{ kind: "invitation", email: "jo@example.com" }])
      yield* TestClock.adjust(Duration.days(7).pipe(Duration.subtract(Duration.millis(1))))
      yield* links.use(tokenOf(mails[0]?.url), null)
    }).pipe(Effect.provide(withWorker))
  )

  it.effect(
    "neither the task nor the store has a token before the mail is sent, and a removed member is not mailed",
    () =>
      Effect.gen(function* () {
        const { add, links, members, program } = yield* makeAccount
        const { email, id } = yield* add("viewer")
        yield* requestMail(email)
        expect(yield* program(links.list)).toEqual([])
        yield* program(members.delete(id))
        expect(yield* mailed).toEqual([])
        const now = yield* DateTime.now
        expect(yield* (yield* OutboxStore).claim(now, now, 10)).toEqual([])
      }).pipe(Effect.provide(withWorker))
  )

  it.effect("a request that waited for longer than an hour is not mailed any more", () =>
    Effect.gen(function* () {
      const { add, links, program } = yield* makeAccount
      yield* requestMail((yield* add("viewer")).email)
      yield* TestClock.adjust(Duration.minutes(61))
      expect(yield* mailed).toEqual([])
      expect(yield* program(links.list)).toEqual([])
    }).pipe(Effect.provide(withWorker))
  )

  it.effect.each([
    { mayHaveArrived: false, error: new MailerError({ reason: "invalid", cause: "no mailbox" }) },
    { mayHaveArrived: true, error: new MailerError({ reason: "transport", cause: "no answer" }) }
  ])("a mail that failed keeps its link only if it may have arrived: $mayHaveArrived", ({ error, mayHaveArrived }) =>
    Effect.gen(function* () {
      const { add, links, program } = yield* makeAccount
      yield* requestMail((yield* add("viewer")).email)
      yield* (yield* OutboxWorker).runOnce
      expect(yield* program(links.list)).toHaveLength(mayHaveArrived ? 1 : 0)
      const { items } = yield* (yield* OutboxStore).deadLettered({}, { page: 1, limit: 10 })
      expect(items).toMatchObject(
        mayHaveArrived ? [] : [{ eventId: null, error: "mail: invalid", work: { _tag: "SignIn", kind: "sign_in" } }]
      )
    }).pipe(Effect.provide(servicesWithWorker(failingMailer(error))))
  )

  it.effect("a server without a public URL offers no mail, and an invitation fails with MailNotOffered", () =>
    Effect.gen(function* () {
      const { members, program } = yield* makeAccount
      expect((yield* SignInMails).enabled).toBe(false)
      const invite = members.create({ email: "jo@example.com", name: "Jo", role: "owner", sendLink: true })
      expect(yield* tagOf(program(invite))).toBe("MailNotOffered")
      expect(yield* program(members.list)).toEqual([])
    }).pipe(Effect.provide(servicesAt({ url: "http://127.0.0.1:8787/dashboard", isPublic: false })))
  )
})

import { describe, expect, it } from "@effect/vitest"
import { MailerError } from "@frontdesk/core/mail/Mailer"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import { FakeMailer } from "@frontdesk/testing/fake/FakeMailer"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { failingMailer, makeAccount, requestMail, services, servicesWithWorker } from "./services.ts"

/** Returns the entries of an account without that of its creation, the oldest first. */
const entriesOf = (accountId: number) => Effect.map(allEntriesOf(accountId), (all) => all.toReversed().slice(1))

const operationsOf = (accountId: number) =>
  Effect.map(entriesOf(accountId), (entries) =>
    entries.map(({ actor, operation }) => [operation, actor.type, actor.id])
  )

describe("the audit log of people", () => {
  it.effect("an entry of a member shows the role, and names the name and the address (D-AUD-4)", () =>
    Effect.gen(function* () {
      const { account, members, program } = yield* makeAccount
      const { id } = yield* program(members.create({ email: "marker@example.com", name: "Marker", role: "editor" }))
      yield* program(members.patch(id, { name: "Marker Two", role: "viewer" }))
      yield* program(members.patch(id, { role: "viewer" }))
      yield* program(members.delete(id))
      const entries = yield* entriesOf(account.id)
      const entity = { type: "member", id: String(id) }
      expect(entries).toMatchObject([
        {
          entity,
          operation: "members.create",
          changes: [{ field: "email" }, { field: "name" }, { field: "role", after: "editor" }]
        },
        {
          entity,
          operation: "members.patch",
          changes: [{ field: "name" }, { field: "role", before: "editor", after: "viewer" }]
        },
        {
          entity,
          operation: "members.delete",
          changes: [{ field: "email" }, { field: "name" }, { field: "role", before: "viewer" }]
        }
      ])
      expect(JSON.stringify(entries).toLowerCase()).not.toContain("marker")
    }).pipe(Effect.provide(services))
  )

  it.effect("a sign-in and a sign-out have the person as actor, and no entry has a token (D-AUD-2, D-AUD-9)", () =>
    Effect.gen(function* () {
      const { account, add, links, program, sessions } = yield* makeAccount
      const { id } = yield* add("editor")
      const ofMember = yield* program(links.create({ memberId: id }))
      const ofUser = yield* program(links.create({ role: "viewer", name: "Marker", userId: "u7" }))
      const one = yield* links.use(ofMember.token, null)
      const two = yield* links.use(ofUser.token, one.token)
      yield* sessions.end(two.token)
      yield* sessions.end(two.token)
      yield* sessions.endEverywhere(two.token)
      const entries = (yield* entriesOf(account.id)).slice(1)
      const expiresAt = DateTime.formatIso(ofUser.link.expiresAt)
      expect(entries).toMatchObject([
        { operation: "signInLinks.create", entity: { type: "sign_in_link", id: String(ofMember.link.id) } },
        {
          operation: "signInLinks.create",
          actor: { type: "program", id: null },
          changes: [
            { field: "user_id" },
            { field: "name" },
            { field: "role", after: "viewer" },
            { field: "is_operator", after: false },
            { field: "expires_at", after: expiresAt }
          ]
        },
        {
          operation: "sessions.start",
          actor: { type: "person", id: String(id) },
          entity: { type: "session", id: String(one.session.id) },
          changes: [
            { field: "member_id", after: id },
            { field: "name" },
            { field: "role", after: "editor" },
            { field: "is_operator", after: false },
            { field: "ends_at" }
          ]
        },
        { operation: "sessions.start", actor: { type: "person", id: "user:u7" } },
        // The sign-in in the same browser ends the session that it had.
        {
          operation: "sessions.end",
          actor: { type: "person", id: String(id) },
          entity: { type: "session", id: String(one.session.id) }
        },
        { operation: "sessions.end", actor: { type: "person", id: "user:u7" } }
      ])
      expect(entries).toHaveLength(6)
      const text = JSON.stringify(entries)
      for (const { token } of [ofMember, ofUser, one, two]) expect(text).not.toContain(Redacted.value(token))
      expect(text).not.toContain("Marker")
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "the end of all sessions has one entry with their number, and none when there is no session (D-AUD-5)",
    () =>
      Effect.gen(function* () {
        const { account, add, enter, links, program, sessions } = yield* makeAccount
        const { id } = yield* add("editor")
        yield* enter(id)
        yield* sessions.endEverywhere(yield* enter(id))
        yield* enter(id)
        const { session } = yield* links.use((yield* program(links.create({ role: "viewer" }))).token, null)
        yield* program(sessions.deleteAll({ memberId: id }))
        yield* program(sessions.deleteAll({ memberId: id }))
        yield* program(sessions.delete(session.id))
        yield* program(sessions.deleteAll())
        const ends = (yield* entriesOf(account.id)).filter(({ operation }) => operation.startsWith("sessions.delete"))
        const all = { operation: "sessions.deleteAll", entity: { type: "session", id: null } }
        expect(ends).toMatchObject([
          {
            ...all,
            actor: { type: "person", id: String(id) },
            changes: [
              { field: "sessions", after: 2 },
              { field: "member_id", after: id }
            ]
          },
          { ...all, actor: { type: "program" }, changes: [{ after: 1 }, { after: id }] },
          {
            operation: "sessions.delete",
            entity: { type: "session", id: String(session.id) },
            changes: [
              { field: "role", before: "viewer" },
              { field: "is_operator", before: false },
              { field: "ends_at" }
            ]
          }
        ])
        expect(ends).toHaveLength(3)
      }).pipe(Effect.provide(services))
  )

  it.effect("a link that is deleted has an entry, and one of another account has none", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* makeAccount, yield* makeAccount]
      const { link } = yield* one.program(one.links.create({ role: "viewer" }))
      yield* Effect.flip(other.program(other.links.delete(link.id)))
      yield* one.program(one.links.delete(link.id))
      yield* Effect.flip(one.program(one.links.delete(link.id)))
      expect(yield* operationsOf(one.account.id)).toEqual([
        ["signInLinks.create", "program", null],
        ["signInLinks.delete", "program", null]
      ])
      expect(yield* operationsOf(other.account.id)).toEqual([])
    }).pipe(Effect.provide(services))
  )

  const rejecting = failingMailer(new MailerError({ reason: "invalid", cause: "no mailbox" }))

  it.effect.each([
    { name: "sent", mailer: FakeMailer.layer, further: [] },
    { name: "rejected", mailer: rejecting, further: ["signInLinks.delete", "tasks.deadLetter"] }
  ])("the worker that mails a link is its actor, and the mail was $name (D-AUD-9)", ({ further, mailer }) =>
    Effect.gen(function* () {
      const { account, add } = yield* makeAccount
      const { email } = yield* add("viewer")
      yield* requestMail(email)
      yield* (yield* OutboxWorker).runOnce
      const found = (yield* operationsOf(account.id)).slice(1)
      expect(found).toEqual(["signInLinks.create", ...further].map((operation) => [operation, "worker", "outbox"]))
    }).pipe(Effect.provide(servicesWithWorker(mailer)))
  )
})

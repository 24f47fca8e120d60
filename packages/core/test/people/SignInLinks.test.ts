import { describe, expect, it } from "@effect/vitest"
import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import { permissionsOf } from "@frontdesk/core/access/MemberRole"
import { maxLinkMinutes } from "@frontdesk/core/people/MemberInput"
import * as Property from "@frontdesk/testing/Property"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makeAccount, type PermissionsAndRole, permissionsAndRole, services, tagOf } from "./services.ts"

describe("SignInLinks", () => {
  it.effect("a link signs in once, as its member or its user, and the member's last sign-in is stored (D-MEM-5)", () =>
    Effect.gen(function* () {
      const { account, add, links, members, program, sessions } = yield* makeAccount
      const { id } = yield* add("editor")
      const ofMember = yield* program(links.create({ memberId: id }))
      const ofUser = yield* program(links.create({ role: "viewer", name: "Vera", userId: "user 7" }))
      expect(yield* program(links.list)).toEqual([ofMember.link, ofUser.link])
      yield* TestClock.adjust(Duration.minutes(1))
      const [one, two] = [yield* links.use(ofMember.token, null), yield* links.use(ofUser.token, null)]
      expect(yield* sessions.authenticate(one.token)).toMatchObject({
        account: { id: account.id },
        apiKeyId: null,
        isReadOnly: false,
        person: { memberId: id, userId: null, name: "Jo", role: "editor", sessionId: one.session.id }
      })
      expect(yield* sessions.authenticate(two.token)).toMatchObject({
        isReadOnly: true,
        person: { memberId: null, userId: "user 7", name: "Vera", role: "viewer", sessionId: two.session.id }
      })
      expect((yield* program(members.get(id))).lastSignInAt).toEqual(yield* DateTime.now)
      expect(yield* program(links.list)).toEqual([])
      expect(yield* tagOf(links.use(ofMember.token, null))).toBe("SignInLinkInvalid")
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a link works until the millisecond at which it expires, by default for 15 minutes and at most for 7 days",
    () =>
      Effect.gen(function* () {
        const { links, program } = yield* makeAccount
        const issue = (expiresInMinutes: number | null) => program(links.create({ role: "viewer", expiresInMinutes }))
        const [a, b, longest] = [yield* issue(null), yield* issue(null), yield* issue(maxLinkMinutes)]
        yield* TestClock.adjust(Duration.minutes(15).pipe(Duration.subtract(Duration.millis(1))))
        yield* links.use(a.token, null)
        yield* TestClock.adjust(Duration.millis(1))
        expect(yield* tagOf(links.use(b.token, null))).toBe("SignInLinkInvalid")
        expect(yield* program(links.list)).toEqual([longest.link])
        yield* TestClock.adjust(Duration.days(6))
        yield* links.use(longest.token, null)
        for (const minutes of [0, maxLinkMinutes + 1, 1.5]) expect(yield* tagOf(issue(minutes))).toBe("ValidationError")
      }).pipe(Effect.provide(services))
  )

  it.effect("a link is for a member or has a role, and not both or neither", () =>
    Effect.gen(function* () {
      const { add, links, program } = yield* makeAccount
      const { id } = yield* add("viewer")
      for (const [given, fields] of [
        [{}, ["member_id"]],
        [{ name: "Jo" }, ["member_id"]],
        [{ memberId: id, role: "viewer" }, ["role"]],
        [{ memberId: id, name: "Jo", userId: "u" }, ["name", "user_id"]]
      ] as const) {
        const error = yield* Effect.flip(program(links.create(given)))
        expect(error).toMatchObject({ _tag: "ValidationError", problems: fields.map((field) => ({ field })) })
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("law: a caller creates exactly the links whose role has no more permissions than it has itself", () =>
    Effect.gen(function* () {
      const { add, having, links } = yield* makeAccount
      const members = {
        owner: yield* add("owner"),
        editor: yield* add("editor"),
        viewer: yield* add("viewer")
      }
      const law = Effect.fnUntraced(function* ([{ has, role }, isMember]: readonly [PermissionsAndRole, boolean]) {
        const given = isMember ? { memberId: members[role].id } : { role }
        const result = yield* Effect.result(having(has)(links.create(given)))
        const isAllowed = permissionsOf(role).every((permission) => has.includes(permission))
        expect(Result.isSuccess(result)).toBe(isAllowed)
        if (Result.isFailure(result)) expect(result.failure).toMatchObject({ _tag: "PermissionDenied" })
      })
      yield* Property.forAll(fc.tuple(permissionsAndRole, fc.boolean()), law)
    }).pipe(Effect.provide(services))
  )

  it.effect("a member has at most five open links, and a further one replaces the oldest", () =>
    Effect.gen(function* () {
      const { add, links, program } = yield* makeAccount
      const { id } = yield* add("viewer")
      const issued = yield* Effect.forEach(Array.from({ length: 6 }), () => program(links.create({ memberId: id })))
      const [first, second] = issued
      expect(yield* program(links.list)).toHaveLength(5)
      expect(yield* tagOf(links.use(first?.token ?? Redacted.make(""), null))).toBe("SignInLinkInvalid")
      yield* links.use(second?.token ?? Redacted.make(""), null)
    }).pipe(Effect.provide(services))
  )

  it.effect("an account has a maximum of open links without a member, of which used ones do not count", () =>
    Effect.gen(function* () {
      const { links, program } = yield* makeAccount
      const create = program(links.create({ role: "viewer" }))
      const [first] = [yield* create, yield* create]
      expect(yield* Effect.flip(create)).toMatchObject({ _tag: "LimitReached", resource: "signInLinks", limit: 2 })
      yield* links.use(first.token, null)
      yield* create
    }).pipe(Effect.provide(Layer.provide(services, Layer.succeed(AccountLimits, { ...defaultLimits, signInLinks: 2 }))))
  )

  it.effect("the list has as many links as an account may have, also when a program raises the maximum", () =>
    Effect.gen(function* () {
      const { links, program } = yield* makeAccount
      yield* Effect.replicateEffect(program(links.create({ role: "viewer" })), 2_010, { discard: true })
      expect(yield* program(links.list)).toHaveLength(2_010)
    }).pipe(
      Effect.provide(Layer.provide(services, Layer.succeed(AccountLimits, { ...defaultLimits, signInLinks: 3_000 })))
    )
  )

  it.effect("a deleted link stops working, and a link of another account cannot be deleted", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* makeAccount, yield* makeAccount]
      const { link, token } = yield* one.program(one.links.create({ role: "viewer" }))
      expect(yield* tagOf(other.program(other.links.delete(link.id)))).toBe("SignInLinkNotFound")
      yield* one.program(one.links.delete(link.id))
      expect(yield* tagOf(one.links.use(token, null))).toBe("SignInLinkInvalid")
      expect(yield* tagOf(one.program(one.links.delete(link.id)))).toBe("SignInLinkNotFound")
    }).pipe(Effect.provide(services))
  )

  it.effect("a sign-in ends the session that the browser had, also one of another account", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* makeAccount, yield* makeAccount]
      const first = yield* one.links.use((yield* one.program(one.links.create({ role: "owner" }))).token, null)
      const next = yield* other.program(other.links.create({ role: "viewer" }))
      yield* other.links.use(next.token, first.token)
      expect(yield* tagOf(one.sessions.authenticate(first.token))).toBe("InvalidSession")
    }).pipe(Effect.provide(services))
  )
})

import { describe, expect, it } from "@effect/vitest"
import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import { permissionsOf } from "@frontdesk/core/access/MemberRole"
import { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import { MemberId, SessionId } from "@frontdesk/core/access/Person"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import { actorOf } from "@frontdesk/core/access/Principal"
import * as Property from "@frontdesk/testing/Property"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAccount, type PermissionsAndRole, permissionsAndRole, services, tagOf } from "./services.ts"

describe("Members", () => {
  it.effect("a member is created, read, changed and removed", () =>
    Effect.gen(function* () {
      const { account, members, program } = yield* makeAccount
      const made = yield* program(members.create({ email: "Jo@Example.com", name: "Jo", role: "editor" }))
      expect(made).toMatchObject({ accountId: account.id, email: "Jo@Example.com", role: "editor", lastSignInAt: null })
      expect(yield* program(members.get(made.id))).toEqual(made)
      const changed = yield* program(members.patch(made.id, { name: "Max" }))
      expect(changed).toEqual({ ...made, name: "Max" })
      expect(yield* program(members.list)).toEqual([changed])
      yield* program(members.delete(made.id))
      expect(yield* program(members.list)).toEqual([])
      expect(yield* tagOf(program(members.get(made.id)))).toBe("MemberNotFound")
    }).pipe(Effect.provide(services))
  )

  it.effect("a second member with the same mailbox is MemberExists, in any spelling (D-MEM-3)", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* makeAccount, yield* makeAccount]
      yield* one.add("viewer", "jo@münchen.de")
      for (const email of ["jo@münchen.de", "JO@xn--mnchen-3ya.de"]) {
        expect(yield* tagOf(one.add("viewer", email))).toBe("MemberExists")
      }
      yield* other.add("viewer", "jo@münchen.de")
    }).pipe(Effect.provide(services))
  )

  it.effect("a member beyond the maximum of the account is LimitReached, also of two at the same time", () =>
    Effect.gen(function* () {
      const { add, members, program } = yield* makeAccount
      yield* add("owner")
      const results = yield* Effect.all([Effect.result(add("viewer")), Effect.result(add("viewer"))], {
        concurrency: "unbounded"
      })
      expect(results.filter((result) => Result.isFailure(result))).toMatchObject([
        { failure: { _tag: "LimitReached", resource: "members", limit: 2 } }
      ])
      expect(yield* program(members.list)).toHaveLength(2)
    }).pipe(Effect.provide(Layer.provide(services, Layer.succeed(AccountLimits, { ...defaultLimits, members: 2 }))))
  )

  it.effect("the only owner can be neither removed nor lowered, and an account without one needs none (D-MEM-4)", () =>
    Effect.gen(function* () {
      const { add, members, program } = yield* makeAccount
      const viewer = yield* add("viewer")
      yield* program(members.patch(viewer.id, { role: "editor" }))
      const owner = yield* add("owner")
      expect(yield* tagOf(program(members.delete(owner.id)))).toBe("LastOwner")
      expect(yield* tagOf(program(members.patch(owner.id, { role: "viewer" })))).toBe("LastOwner")
      yield* program(members.patch(owner.id, { name: "Ada", role: "owner" }))
      const second = yield* add("owner")
      yield* program(members.delete(owner.id))
      expect(yield* tagOf(program(members.delete(second.id)))).toBe("LastOwner")
    }).pipe(Effect.provide(services))
  )

  it.effect("of two owners that are removed or lowered at the same time one stays (D-MEM-4)", () =>
    Effect.gen(function* () {
      const { add, members, program } = yield* makeAccount
      const [a, b] = [yield* add("owner"), yield* add("owner")]
      const results = yield* Effect.all(
        [Effect.result(program(members.delete(a.id))), Effect.result(program(members.patch(b.id, { role: "viewer" })))],
        { concurrency: "unbounded" }
      )
      const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
      expect(failures).toMatchObject([{ _tag: "LastOwner" }])
      expect((yield* program(members.list)).filter(({ role }) => role === "owner")).toHaveLength(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("law: a caller gives exactly the roles whose permissions it has (D-MEM-1)", () =>
    Effect.gen(function* () {
      const { having, members } = yield* makeAccount
      let count = 0
      const law = Effect.fnUntraced(function* ({ has, role }: PermissionsAndRole) {
        const create = members.create({ email: `law${(count += 1)}@example.com`, name: "Jo", role })
        const result = yield* Effect.result(having(has)(create))
        const missing = permissionsOf(role).find((permission) => !has.includes(permission))
        if (missing === undefined) expect(Result.getOrThrow(result).role).toBe(role)
        else
          expect(Result.isFailure(result) && result.failure).toMatchObject({
            _tag: "PermissionDenied",
            permission: missing
          })
      })
      yield* Property.forAll(permissionsAndRole, law, { numRuns: 60 })
    }).pipe(Effect.provide(Layer.provide(services, Layer.succeed(AccountLimits, { ...defaultLimits, members: 1_000 }))))
  )

  it.effect("a caller cannot raise a member above itself, and may remove one with more permissions", () =>
    Effect.gen(function* () {
      const { add, having, members } = yield* makeAccount
      yield* add("owner")
      const [owner, viewer] = [yield* add("owner"), yield* add("viewer")]
      const manager = having(["can_manage_people", ...permissionsOf("viewer")])
      expect(yield* tagOf(manager(members.patch(viewer.id, { role: "editor" })))).toBe("PermissionDenied")
      yield* manager(members.delete(owner.id))
    }).pipe(Effect.provide(services))
  )

  it.effect("a member of another account is MemberNotFound for every method", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* makeAccount, yield* makeAccount]
      const { id } = yield* other.add("owner")
      for (const memberId of [id, MemberId.make(Number.MAX_SAFE_INTEGER)]) {
        const tags = [
          yield* tagOf(one.program(one.members.get(memberId))),
          yield* tagOf(one.program(one.members.patch(memberId, { name: "x" }))),
          yield* tagOf(one.program(one.members.delete(memberId))),
          yield* tagOf(one.program(one.links.create({ memberId })))
        ]
        expect(new Set(tags)).toEqual(new Set(["MemberNotFound"]))
      }
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a role with more permissions ends the sessions and links of the member, and one with fewer does not (D-MEM-7)",
    () =>
      Effect.gen(function* () {
        const { add, enter, links, members, program, sessions } = yield* makeAccount
        yield* add("owner")
        const { id } = yield* add("editor")
        const token = yield* enter(id)
        const open = yield* program(links.create({ memberId: id }))
        yield* program(members.patch(id, { role: "viewer" }))
        expect(yield* sessions.authenticate(token)).toMatchObject({ isReadOnly: true, person: { role: "viewer" } })
        expect(yield* program(links.list)).toHaveLength(1)
        yield* program(members.patch(id, { role: "editor" }))
        expect(yield* tagOf(sessions.authenticate(token))).toBe("InvalidSession")
        expect(yield* tagOf(links.use(open.token, null))).toBe("SignInLinkInvalid")
      }).pipe(Effect.provide(services))
  )

  it.effect("an owner whose session ended or whose role was lowered a moment ago grants nothing any more", () =>
    Effect.gen(function* () {
      const { add, as, enter, members, program, sessions } = yield* makeAccount
      yield* add("owner")
      const [lowered, removed] = [yield* add("owner"), yield* add("owner")]
      const [one, two] = [
        yield* sessions.authenticate(yield* enter(lowered.id)),
        yield* sessions.authenticate(yield* enter(removed.id))
      ]
      yield* program(members.patch(lowered.id, { role: "viewer" }))
      yield* program(members.delete(removed.id))
      const keys = yield* OwnApiKeys
      const grants = [
        Effect.asVoid(members.create({ email: "new@example.com", name: "New", role: "owner" })),
        Effect.asVoid(keys.create({ name: "key", permissions: ["can_manage_keys"] }))
      ]
      for (const grant of grants) {
        expect(yield* tagOf(as(one)(grant))).toBe("PermissionDenied")
        expect(yield* tagOf(as(two)(grant))).toBe("InvalidSession")
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("actorOf names the person of a session, the key of a key, and a program otherwise", () =>
    Effect.gen(function* () {
      const { account, add, enter, sessions } = yield* makeAccount
      const { id } = yield* add("owner")
      const principal = yield* sessions.authenticate(yield* enter(id))
      expect(actorOf(principal)).toEqual({ type: "person", id: String(id) })
      const person = { memberId: null, userId: "7", sessionId: null, name: "Max", role: "viewer" } as const
      expect(actorOf({ apiKeyId: null, person })).toEqual({ type: "person", id: "user:7" })
      const unnamed = { ...person, userId: null }
      expect(actorOf({ apiKeyId: null, person: unnamed })).toEqual({ type: "person", id: null })
      const signedIn = { ...unnamed, sessionId: SessionId.make(9) }
      expect(actorOf({ apiKeyId: null, person: signedIn })).toEqual({ type: "person", id: "session:9" })
      expect(actorOf({ apiKeyId: ApiKeyId.make(3) })).toEqual({ type: "api_key", id: "3" })
      expect(actorOf({ apiKeyId: null })).toEqual({ type: "program", id: null })
      expect(principal).toMatchObject({ apiKeyId: null, account: { id: account.id } })
    }).pipe(Effect.provide(services))
  )
})

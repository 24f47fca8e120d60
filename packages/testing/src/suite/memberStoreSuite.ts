import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { MemberId } from "@frontdesk/core/access/Person"
import { SessionStore } from "@frontdesk/core/access/SessionStore"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import * as People from "./People.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies a `MemberStore`. */
export const memberStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: MemberStore`, (it) => {
    it.effect("insert stores every field, and find and list return members of the given account alone", () =>
      Effect.gen(function* () {
        const members = yield* MemberStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const email = `Jo.${Samples.unique("X")}@Example.com`
        const given = People.newMember(account.id, { email, name: "Zoë's 'name' 日本", role: "owner" })
        const first = yield* members.insert(given)
        const foreign = yield* People.makeMember(other.id)
        const second = yield* People.makeMember(account.id, { role: "editor", createdAt: Samples.later(1) })
        expect(first).toEqual({ ...given, id: first.id, lastSignInAt: null })
        expect(yield* members.find(account.id, first.id)).toEqual(Option.some(first))
        expect(yield* members.find(account.id, foreign.id)).toEqual(Option.none())
        expect(yield* members.find(account.id, MemberId.make(999_999_999_999))).toEqual(Option.none())
        expect(yield* members.list(account.id)).toEqual([first, second])
      })
    )

    it.effect(
      "insert fails with duplicate for another spelling of a mailbox of the account, and not of another one",
      () =>
        Effect.gen(function* () {
          const members = yield* MemberStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const local = Samples.unique("jo")
          const first = yield* People.makeMember(account.id, { email: `${local}@münchen.de` })
          for (const email of [`${local}@münchen.de`, `${local.toUpperCase()}@xn--mnchen-3ya.de`]) {
            const error = yield* Effect.flip(members.insert(People.newMember(account.id, { email })))
            expect(error.reason).toBe("duplicate")
          }
          const foreign = yield* People.makeMember(other.id, { email: `${local}@XN--mnchen-3ya.de` })
          expect(yield* members.list(account.id)).toEqual([first])
          expect(yield* members.listByEmail(`${local}@münchen.de`, 10)).toEqual([first, foreign])
          expect(yield* members.listByEmail(`${local}@xn--mnchen-3ya.de`, 1)).toEqual([first])
          expect(yield* members.listByEmail(`x${local}@münchen.de`, 10)).toEqual([])
        })
    )

    it.effect(
      "update changes the name and the role of one member, touch its last sign-in, and neither changes a member of another account",
      () =>
        Effect.gen(function* () {
          const members = yield* MemberStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const member = yield* People.makeMember(account.id)
          const beside = yield* People.makeMember(account.id)
          yield* members.update({ ...member, accountId: other.id, name: "Other" })
          yield* members.touch(other.id, member.id, Samples.later(2))
          expect(yield* members.find(account.id, member.id)).toEqual(Option.some(member))
          yield* members.update({ ...member, name: "Max", role: "owner" })
          yield* members.touch(account.id, member.id, Samples.later(3))
          const changed = { ...member, name: "Max", role: "owner", lastSignInAt: Samples.later(3) }
          expect(yield* members.list(account.id)).toEqual([changed, beside])
        })
    )

    it.effect("beginMail returns true at most once in the interval before each call, for each member", () =>
      Effect.gen(function* () {
        const members = yield* MemberStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const [member, beside] = [yield* People.makeMember(account.id), yield* People.makeMember(account.id)]
        const begin = (minute: number, id = member.id, accountId = account.id) =>
          members.beginMail(accountId, id, Samples.later(minute), Samples.later(minute - 5))
        expect(yield* begin(0, member.id, other.id)).toBe(false)
        expect([yield* begin(0), yield* begin(4), yield* begin(0, beside.id)]).toEqual([true, false, true])
        expect([yield* begin(5), yield* begin(6)]).toEqual([true, false])
      })
    )

    it.effect("of ten calls of beginMail at the same time one returns true", () =>
      Effect.gen(function* () {
        const members = yield* MemberStore
        const account = yield* Samples.makeAccount()
        const { id } = yield* People.makeMember(account.id)
        const begin = members.beginMail(account.id, id, Samples.now, Samples.later(-1))
        const results = yield* Effect.all(
          Array.from({ length: 10 }, () => begin),
          { concurrency: "unbounded" }
        )
        expect(results.filter((isBegun) => isBegun)).toHaveLength(1)
      })
    )

    it.effect("delete removes a member of the account with its links and sessions, and no others", () =>
      Effect.gen(function* () {
        const members = yield* MemberStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const [member, beside] = [yield* People.makeMember(account.id), yield* People.makeMember(account.id)]
        yield* People.makeLink(account.id, { memberId: member.id })
        yield* People.makeSession(account.id, { memberId: member.id })
        const link = yield* People.makeLink(account.id, { memberId: beside.id })
        const session = yield* People.makeSession(account.id)
        expect(yield* members.delete(other.id, member.id)).toBe(false)
        expect(yield* members.delete(account.id, member.id)).toBe(true)
        expect(yield* members.delete(account.id, member.id)).toBe(false)
        expect(yield* members.list(account.id)).toEqual([beside])
        const links = yield* (yield* SignInLinkStore).list(account.id, Samples.now, 10)
        expect(links.map(({ id }) => id)).toEqual([link.id])
        const page = yield* (yield* SessionStore).list(account.id, null, Samples.now, { page: 1, limit: 10 })
        expect(page.items.map(({ id }) => id)).toEqual([session.id])
      })
    )
  })
}

import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { SessionId } from "@frontdesk/core/access/Person"
import { SessionStore } from "@frontdesk/core/access/SessionStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import * as People from "./People.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

const page = { page: 1, limit: 10 }

/** Verifies a `SessionStore`. */
export const sessionStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: SessionStore`, (it) => {
    it.effect("findByDigest returns a session with every field and its account, also an expired one", () =>
      Effect.gen(function* () {
        const sessions = yield* SessionStore
        const team = yield* Samples.makeTeam()
        const account = yield* Samples.makeAccount({ teamIds: [team.id], name: "Zoë" })
        const given = People.newSession(account.id, {
          userId: "user 7",
          role: "editor",
          lastUsedAt: Samples.later(1),
          expiresAt: Samples.later(2),
          endsAt: Samples.later(3)
        })
        const session = yield* sessions.insert(given)
        const { digest, ...fields } = given
        expect(session).toEqual({ ...fields, id: session.id })
        expect(yield* sessions.findByDigest(digest)).toEqual(Option.some({ session, account }))
        expect(yield* sessions.findByDigest(People.newDigest())).toEqual(Option.none())
        expect((yield* Effect.flip(sessions.insert(People.newSession(account.id, { digest })))).reason).toBe(
          "duplicate"
        )
      })
    )

    it.effect("every read shows the account, and the name and the role of the member, as they are now (D-MEM-7)", () =>
      Effect.gen(function* () {
        const sessions = yield* SessionStore
        const account = yield* Samples.makeAccount()
        const member = yield* People.makeMember(account.id, { role: "owner" })
        const digest = People.newDigest()
        const { id } = yield* People.makeSession(account.id, { memberId: member.id, role: "owner", digest })
        expect(Option.getOrThrow(yield* sessions.findByDigest(digest))).toMatchObject({ session: { role: "owner" } })
        yield* (yield* MemberStore).update({ ...member, name: "Max", role: "viewer" })
        yield* (yield* AccountStore).update({ ...account, name: "Renamed" })
        const changed = { id, memberId: member.id, name: "Max", role: "viewer" }
        expect(Option.getOrThrow(yield* sessions.findByDigest(digest))).toMatchObject({
          session: changed,
          account: { name: "Renamed" }
        })
        expect(Option.getOrThrow(yield* sessions.find(account.id, id))).toMatchObject(changed)
        expect((yield* sessions.list(account.id, null, Samples.now, page)).items).toMatchObject([changed])
      })
    )

    it.effect("find and list return sessions of the account alone, and list those that expire after the instant", () =>
      Effect.gen(function* () {
        const sessions = yield* SessionStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const member = yield* People.makeMember(account.id, { name: "Guest" })
        const first = yield* People.makeSession(account.id, { expiresAt: Samples.later(2) })
        const second = yield* People.makeSession(account.id, { memberId: member.id })
        const third = yield* People.makeSession(account.id)
        const foreign = yield* People.makeSession(other.id)
        expect(yield* sessions.find(account.id, first.id)).toEqual(Option.some(first))
        expect(yield* sessions.find(account.id, foreign.id)).toEqual(Option.none())
        expect(yield* sessions.find(account.id, SessionId.make(999_999_999_999))).toEqual(Option.none())
        const all = yield* sessions.list(account.id, null, Samples.now, page)
        expect(all).toEqual({ items: [third, second, first], count: 3, ...page })
        expect(yield* sessions.list(account.id, null, Samples.later(2), { page: 2, limit: 1 })).toEqual({
          items: [second],
          count: 2,
          page: 2,
          limit: 1
        })
        expect(yield* sessions.list(account.id, member.id, Samples.now, page)).toEqual({
          items: [second],
          count: 1,
          ...page
        })
        expect((yield* sessions.list(other.id, member.id, Samples.now, page)).items).toEqual([])
      })
    )

    it.effect("touch stores the last use and the expiry of a session of the account alone", () =>
      Effect.gen(function* () {
        const sessions = yield* SessionStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const [session, beside] = [yield* People.makeSession(account.id), yield* People.makeSession(account.id)]
        yield* sessions.touch(other.id, session.id, Samples.later(1), Samples.later(2))
        expect(yield* sessions.find(account.id, session.id)).toEqual(Option.some(session))
        yield* sessions.touch(account.id, session.id, Samples.later(3), Samples.later(90))
        const touched = { ...session, lastUsedAt: Samples.later(3), expiresAt: Samples.later(90) }
        expect((yield* sessions.list(account.id, null, Samples.now, page)).items).toEqual([beside, touched])
      })
    )

    it.effect(
      "delete removes one session of the account, and deleteAll removes the sessions of one member or of all persons",
      () =>
        Effect.gen(function* () {
          const sessions = yield* SessionStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const [member, beside] = [yield* People.makeMember(account.id), yield* People.makeMember(account.id)]
          const of = (memberId: typeof member.id | null) => People.makeSession(account.id, { memberId })
          const { id } = yield* of(null)
          const kept = [yield* of(beside.id), yield* of(null)].map((session) => session.id).toReversed()
          expect(yield* sessions.delete(other.id, id)).toBe(false)
          expect([yield* sessions.delete(account.id, id), yield* sessions.delete(account.id, id)]).toEqual([
            true,
            false
          ])
          yield* of(member.id)
          yield* of(member.id)
          const foreign = yield* People.makeSession(other.id)
          const idsOf = Effect.map(sessions.list(account.id, null, Samples.now, page), ({ items }) =>
            items.map((session) => session.id)
          )
          expect(yield* sessions.deleteAll(other.id, member.id)).toBe(0)
          expect(yield* sessions.deleteAll(account.id, member.id)).toBe(2)
          expect(yield* idsOf).toEqual(kept)
          expect(yield* sessions.deleteAll(account.id, null)).toBe(2)
          expect(yield* idsOf).toEqual([])
          expect(yield* sessions.find(other.id, foreign.id)).toEqual(Option.some(foreign))
        })
    )

    it.effect(
      "keepNewest deletes the older of the open sessions of one member, or of those without a member, alone",
      () =>
        Effect.gen(function* () {
          const sessions = yield* SessionStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const member = yield* People.makeMember(account.id)
          const of = (memberId: typeof member.id | null) => People.makeSession(account.id, { memberId })
          const [a, b, c, d] = [yield* of(member.id), yield* of(null), yield* of(member.id), yield* of(null)]
          // A newer session that has expired takes no place.
          yield* People.makeSession(account.id, { memberId: member.id, expiresAt: Samples.now })
          const foreign = yield* People.makeSession(other.id)
          const idsOf = Effect.map(sessions.list(account.id, null, Samples.now, page), ({ items }) =>
            items.map(({ id }) => id)
          )
          yield* sessions.keepNewest(account.id, member.id, 1, Samples.now)
          expect(yield* idsOf).toEqual([d.id, c.id, b.id])
          yield* sessions.keepNewest(account.id, null, 1, Samples.now)
          expect(yield* idsOf).toEqual([d.id, c.id])
          expect(a.id).toBeLessThan(c.id)
          expect(yield* sessions.find(other.id, foreign.id)).toEqual(Option.some(foreign))
        })
    )

    it.effect("sweep deletes sessions from the instant of their expiry, the earliest first, up to the limit", () =>
      Effect.gen(function* () {
        yield* Samples.sweepAll(yield* SessionStore, Samples.later(-60_000))
        const sessions = yield* SessionStore
        const account = yield* Samples.makeAccount()
        const at = (minute: number) => Samples.later(-70_000 + minute)
        const made = yield* Effect.forEach([3, 1, 2], (minute) =>
          People.makeSession(account.id, { expiresAt: at(minute) })
        )
        const left = Effect.map(
          Effect.forEach(made, ({ id }) => sessions.find(account.id, id)),
          (found) => found.map(Option.isSome)
        )
        expect(yield* sessions.sweep(at(0), Samples.rowLimit(10))).toBe(0)
        expect(yield* sessions.sweep(at(2), Samples.rowLimit(1))).toBe(1)
        expect(yield* left).toEqual([true, false, true])
        expect(yield* sessions.sweep(at(2), Samples.rowLimit(10))).toBe(1)
        expect(yield* left).toEqual([true, false, false])
        expect(yield* sessions.sweep(at(3), Samples.rowLimit(10))).toBe(1)
      })
    )
  })
}

import { MemberStore } from "@frontdesk/core/access/MemberStore"
import { SignInLinkStore } from "@frontdesk/core/access/SignInLinkStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import * as People from "./People.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies a `SignInLinkStore`. */
export const signInLinkStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: SignInLinkStore`, (it) => {
    it.effect("findByDigest returns a link with every field, also an expired one, and none for another digest", () =>
      Effect.gen(function* () {
        const links = yield* SignInLinkStore
        const account = yield* Samples.makeAccount()
        const given = People.newLink(account.id, {
          userId: "user 7",
          name: "Zoë",
          role: "editor",
          expiresAt: Samples.now
        })
        const link = yield* links.insert(given)
        const { digest, ...fields } = given
        expect(link).toEqual({ ...fields, id: link.id })
        expect(yield* links.findByDigest(digest)).toEqual(Option.some(link))
        expect(yield* links.findByDigest(People.newDigest())).toEqual(Option.none())
        expect((yield* Effect.flip(links.insert(People.newLink(account.id, { digest })))).reason).toBe("duplicate")
      })
    )

    it.effect("a link of a member has the name and the role that the member has when it is read", () =>
      Effect.gen(function* () {
        const links = yield* SignInLinkStore
        const account = yield* Samples.makeAccount()
        const member = yield* People.makeMember(account.id, { role: "owner" })
        const digest = People.newDigest()
        yield* People.makeLink(account.id, { memberId: member.id, name: member.name, role: "owner", digest })
        yield* (yield* MemberStore).update({ ...member, name: "Max", role: "viewer" })
        const changed = { memberId: member.id, name: "Max", role: "viewer" }
        expect(Option.getOrThrow(yield* links.findByDigest(digest))).toMatchObject(changed)
        expect(yield* links.list(account.id, Samples.now, 10)).toMatchObject([changed])
      })
    )

    it.effect("list and count have the links of the account that expire after the instant, oldest first", () =>
      Effect.gen(function* () {
        const links = yield* SignInLinkStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const member = yield* People.makeMember(account.id)
        const first = yield* People.makeLink(account.id, { expiresAt: Samples.later(2) })
        const second = yield* People.makeLink(account.id, {
          memberId: member.id,
          name: "Jo",
          expiresAt: Samples.later(5)
        })
        const third = yield* People.makeLink(account.id, { expiresAt: Samples.later(9) })
        yield* People.makeLink(other.id)
        expect(yield* links.list(account.id, Samples.now, 10)).toEqual([first, second, third])
        expect(yield* links.list(account.id, Samples.now, 2)).toEqual([first, second])
        expect(yield* links.list(account.id, Samples.later(2), 10)).toEqual([second, third])
        const counts = (memberId: typeof member.id | null, minute: number) =>
          links.count(account.id, memberId, Samples.later(minute))
        expect([yield* counts(null, 0), yield* counts(null, 2), yield* counts(null, 9)]).toEqual([2, 1, 0])
        expect([yield* counts(member.id, 4), yield* counts(member.id, 5)]).toEqual([1, 0])
      })
    )

    it.effect("delete returns true once for a link of the account", () =>
      Effect.gen(function* () {
        const links = yield* SignInLinkStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const digest = People.newDigest()
        const { id } = yield* People.makeLink(account.id, { digest })
        const beside = yield* People.makeLink(account.id)
        expect(yield* links.delete(other.id, id)).toBe(false)
        expect([yield* links.delete(account.id, id), yield* links.delete(account.id, id)]).toEqual([true, false])
        expect(yield* links.findByDigest(digest)).toEqual(Option.none())
        expect(yield* links.list(account.id, Samples.now, 10)).toEqual([beside])
      })
    )

    it.effect("of ten transactions that delete a link at the same time one gets true (D-MEM-5)", () =>
      Effect.gen(function* () {
        const links = yield* SignInLinkStore
        const { run } = yield* Transaction
        const account = yield* Samples.makeAccount()
        const { id } = yield* People.makeLink(account.id)
        const results = yield* Effect.all(
          Array.from({ length: 10 }, () => run(links.delete(account.id, id))),
          { concurrency: "unbounded" }
        )
        expect(results.filter((isDeleted) => isDeleted)).toHaveLength(1)
      })
    )

    it.effect("keepNewest deletes the older of the open links of one member alone", () =>
      Effect.gen(function* () {
        const links = yield* SignInLinkStore
        const account = yield* Samples.makeAccount()
        const [member, beside] = [yield* People.makeMember(account.id), yield* People.makeMember(account.id)]
        const of = (memberId: typeof member.id | null) => People.makeLink(account.id, { memberId, name: "Jo" })
        yield* of(member.id)
        const others = [yield* of(beside.id), yield* of(null)]
        const kept = [yield* of(member.id), yield* of(member.id)]
        // A newer link that has expired takes no place.
        yield* People.makeLink(account.id, { memberId: member.id, expiresAt: Samples.now })
        const idsOf = Effect.map(links.list(account.id, Samples.now, 10), (all) => all.map(({ id }) => id))
        yield* links.keepNewest(account.id, member.id, 3, Samples.now)
        expect(yield* idsOf).toHaveLength(5)
        yield* links.keepNewest(account.id, member.id, 2, Samples.now)
        expect(yield* idsOf).toEqual([...others, ...kept].map(({ id }) => id))
        yield* links.keepNewest(account.id, member.id, 0, Samples.now)
        expect(yield* idsOf).toEqual(others.map(({ id }) => id))
      })
    )

    it.effect("sweep deletes links from the instant of their expiry, the earliest first, up to the limit", () =>
      Effect.gen(function* () {
        yield* Samples.sweepAll(yield* SignInLinkStore, Samples.later(-60_000))
        const links = yield* SignInLinkStore
        const account = yield* Samples.makeAccount()
        const at = (minute: number) => Samples.later(-70_000 + minute)
        const digests = [3, 1, 2].map((minute) => ({ minute, digest: People.newDigest() }))
        for (const { digest, minute } of digests) yield* People.makeLink(account.id, { digest, expiresAt: at(minute) })
        const left = Effect.map(
          Effect.forEach(digests, ({ digest }) => links.findByDigest(digest)),
          (found) => found.map(Option.isSome)
        )
        expect(yield* links.sweep(at(0), Samples.rowLimit(10))).toBe(0)
        expect(yield* links.sweep(at(2), Samples.rowLimit(1))).toBe(1)
        expect(yield* left).toEqual([true, false, true])
        expect(yield* links.sweep(at(2), Samples.rowLimit(10))).toBe(1)
        expect(yield* left).toEqual([true, false, false])
        expect(yield* links.sweep(at(3), Samples.rowLimit(10))).toBe(1)
      })
    )
  })
}

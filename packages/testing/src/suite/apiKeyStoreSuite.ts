import { ApiKeyId, type KeyDigest } from "@frontdesk/core/access/ApiKey"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import * as Permission from "@frontdesk/core/access/Permission"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies an `ApiKeyStore`. */
export const apiKeyStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: ApiKeyStore`, (it) => {
    it.effect("findByDigest returns a new key with its account, and none for an unknown digest", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const account = yield* Samples.makeAccount()
        const given = Samples.newApiKey(account.id, { expiresAt: Samples.later(60) })
        const apiKey = yield* keys.insert(given)
        const { digest, ...fields } = given
        expect(apiKey).toEqual({ ...fields, id: apiKey.id, lastUsedAt: null, previousExpiresAt: null, revokedAt: null })
        expect(yield* keys.findByDigest(digest)).toEqual(Option.some({ apiKey, account, matched: "current" }))
        expect(yield* keys.findByDigest(Samples.newDigest())).toEqual(Option.none())
      })
    )

    it.effect("insert stores any set of permissions, including none, and any text as the name", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const account = yield* Samples.makeAccount()
        for (const permissions of [[], Permission.all]) {
          const key = yield* keys.insert(Samples.newApiKey(account.id, { permissions, name: "Zoë's 'key' 日本" }))
          expect(yield* keys.find(account.id, key.id)).toEqual(Option.some(key))
          expect(key).toMatchObject({ permissions, name: "Zoë's 'key' 日本" })
        }
      })
    )

    it.effect("insert fails with duplicate when a key of any account has the digest", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const [a, b] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const digest = Samples.newDigest()
        yield* keys.insert(Samples.newApiKey(a.id, { digest }))
        expect((yield* keys.insert(Samples.newApiKey(b.id, { digest })).pipe(Effect.flip)).reason).toBe("duplicate")
      })
    )

    it.effect("find, findForUpdate and list return only keys of the given account", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const { run } = yield* Transaction
        const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const first = yield* keys.insert(Samples.newApiKey(mine.id))
        const foreign = yield* keys.insert(Samples.newApiKey(other.id))
        const second = yield* keys.insert(Samples.newApiKey(mine.id))
        expect(yield* keys.find(mine.id, foreign.id)).toEqual(Option.none())
        expect(yield* run(keys.findForUpdate(mine.id, foreign.id))).toEqual(Option.none())
        expect(yield* run(keys.findForUpdate(other.id, foreign.id))).toEqual(Option.some(foreign))
        expect(yield* keys.find(mine.id, ApiKeyId.make(999_999_999_999))).toEqual(Option.none())
        expect(yield* keys.list(mine.id)).toEqual([first, second])
      })
    )

    it.effect("findByDigest matches the current and the previous digest of a rotated key, and no older one", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const account = yield* Samples.makeAccount()
        const [first, second, third] = [Samples.newDigest(), Samples.newDigest(), Samples.newDigest()]
        const key = yield* keys.insert(Samples.newApiKey(account.id, { digest: first }))
        const rotate = (digest: KeyDigest, minutes: number) =>
          keys.rotate(key.id, {
            digest,
            prefix: `fd_live_${digest.slice(0, 4)}`,
            previousExpiresAt: Samples.later(minutes)
          })
        const matched = (digest: KeyDigest) =>
          Effect.map(
            keys.findByDigest(digest),
            Option.map((found) => found.matched)
          )

        yield* rotate(second, 10)
        expect(yield* matched(second)).toEqual(Option.some("current"))
        expect(yield* matched(first)).toEqual(Option.some("previous"))
        expect(yield* keys.find(account.id, key.id)).toEqual(
          Option.some({ ...key, prefix: `fd_live_${second.slice(0, 4)}`, previousExpiresAt: Samples.later(10) })
        )

        yield* rotate(third, 20)
        expect([yield* matched(first), yield* matched(second), yield* matched(third)]).toEqual([
          Option.none(),
          Option.some("previous"),
          Option.some("current")
        ])
      })
    )

    it.effect("rotate fails with duplicate and changes nothing when another key has the digest", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const account = yield* Samples.makeAccount()
        const taken = Samples.newDigest()
        yield* keys.insert(Samples.newApiKey(account.id, { digest: taken }))
        const key = yield* keys.insert(Samples.newApiKey(account.id))
        const next = { digest: taken, prefix: "fd_live_none", previousExpiresAt: Samples.later(10) }
        expect((yield* keys.rotate(key.id, next).pipe(Effect.flip)).reason).toBe("duplicate")
        expect(yield* keys.find(account.id, key.id)).toEqual(Option.some(key))
      })
    )

    it.effect(
      "insert and rotate fail with duplicate for the previous digest of any key, also for a rotation of that same key",
      () =>
        Effect.gen(function* () {
          const keys = yield* ApiKeyStore
          const [a, b] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const [before, after] = [Samples.newDigest(), Samples.newDigest()]
          const rotated = yield* keys.insert(Samples.newApiKey(a.id, { digest: before }))
          const other = yield* keys.insert(Samples.newApiKey(b.id))
          const to = (digest: KeyDigest) => ({ digest, prefix: "fd_live_abcd", previousExpiresAt: Samples.later(10) })
          yield* keys.rotate(rotated.id, to(after))
          const reasonOf = <A>(write: Effect.Effect<A, StorageError>) =>
            Effect.map(Effect.flip(write), ({ reason }) => reason)
          expect(yield* reasonOf(keys.insert(Samples.newApiKey(b.id, { digest: before })))).toBe("duplicate")
          for (const [key, digest] of [
            [other.id, before],
            [rotated.id, before],
            [rotated.id, after]
          ] as const) {
            expect(yield* reasonOf(keys.rotate(key, to(digest)))).toBe("duplicate")
          }
          const account = Option.map(yield* keys.findByDigest(before), (found) => found.account.id)
          expect(account).toEqual(Option.some(a.id))
        })
    )

    it.effect("every read returns a revoked key, and a second revocation does not change the time of the first", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const account = yield* Samples.makeAccount()
        const digest = Samples.newDigest()
        const key = yield* keys.insert(Samples.newApiKey(account.id, { digest }))
        yield* keys.revoke(key.id, Samples.later(1))
        yield* keys.revoke(key.id, Samples.later(2))
        const revoked = { ...key, revokedAt: Samples.later(1) }
        expect(yield* keys.find(account.id, key.id)).toEqual(Option.some(revoked))
        expect(yield* keys.list(account.id)).toEqual([revoked])
        expect(yield* keys.findByDigest(digest)).toEqual(Option.some({ apiKey: revoked, account, matched: "current" }))
      })
    )

    it.effect("touch stores the time of the last use to the millisecond", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const account = yield* Samples.makeAccount()
        const key = yield* keys.insert(Samples.newApiKey(account.id))
        yield* keys.touch(key.id, Samples.later(3))
        expect(yield* keys.find(account.id, key.id)).toEqual(Option.some({ ...key, lastUsedAt: Samples.later(3) }))
      })
    )
  })
}

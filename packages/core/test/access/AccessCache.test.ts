import { describe, expect, it } from "@effect/vitest"
import { AccessChanges } from "@frontdesk/core/access/AccessChanges"
import { MaxCachedKeys } from "@frontdesk/core/access/AccessCache"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { apiKeyCacheSuite, makeProcess } from "@frontdesk/testing/suite/apiKeyCacheSuite"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"

apiKeyCacheSuite(
  "memory",
  Effect.gen(function* () {
    const storage = Layer.succeedContext(yield* Layer.build(Layer.fresh(MemoryStorage.layer)))
    return [yield* makeProcess(storage), yield* makeProcess(storage)] as const
  }),
  { elsewhere: "after a second", runs: 200 }
)

/** Builds the services on a storage that counts how often keys are read. `gate` runs after each read. */
const setUp = Effect.fnUntraced(function* (options: { readonly maxCachedKeys?: number } = {}) {
  const reads: { count: number; gate: Effect.Effect<void> } = { count: 0, gate: Effect.void }
  const counted = Layer.effect(
    ApiKeyStore,
    Effect.map(ApiKeyStore, (store) =>
      ApiKeyStore.of({
        ...store,
        findByDigest: (digest) =>
          Effect.tap(store.findByDigest(digest), () =>
            Effect.suspend(() => {
              reads.count += 1
              return reads.gate
            })
          )
      })
    )
  )
  const services = yield* Layer.build(
    Layer.fresh(
      Layer.mergeAll(Accounts.layer, ApiKeys.layer, AccessChanges.layer).pipe(
        Layer.provideMerge(counted),
        Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto)),
        Layer.provide(Layer.succeed(MaxCachedKeys, options.maxCachedKeys ?? 10))
      )
    )
  )
  const keys = Context.get(services, ApiKeys)
  const { id: accountId } = yield* Context.get(services, Accounts).create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings
  })
  const issue = (expiresIn?: Duration.Duration) =>
    Effect.flatMap(DateTime.now, (now) =>
      keys.create({
        accountId,
        name: "Key",
        permissions: [],
        expiresAt: expiresIn && DateTime.addDuration(now, expiresIn)
      })
    )
  /** Returns whether a value works, and how often the key was read for that. */
  const use = Effect.fnUntraced(function* (value: Redacted.Redacted<string>) {
    const before = reads.count
    const works = yield* keys.authenticate(value).pipe(
      Effect.as(true),
      Effect.catchTag("InvalidKey", () => Effect.succeed(false))
    )
    return { works, reads: reads.count - before }
  })
  return { services, keys, accountId, issue, use, reads }
})

describe("cached API keys (D-KEY-13)", () => {
  it.effect("a key is read again a second after it was read, however often it was used meanwhile", () =>
    Effect.gen(function* () {
      const { issue, use } = yield* setUp()
      const { value } = yield* issue()
      expect(yield* use(value)).toEqual({ works: true, reads: 1 })
      yield* TestClock.adjust("999 millis")
      expect(yield* use(value)).toEqual({ works: true, reads: 0 })
      yield* TestClock.adjust("1 millis")
      expect(yield* use(value)).toEqual({ works: true, reads: 1 })
    }).pipe(Effect.scoped)
  )

  it.effect("a cached key stops working at the instant of its expiry", () =>
    Effect.gen(function* () {
      const { issue, use } = yield* setUp()
      const { value } = yield* issue(Duration.millis(500))
      yield* use(value)
      yield* TestClock.adjust("499 millis")
      expect(yield* use(value)).toEqual({ works: true, reads: 0 })
      yield* TestClock.adjust("1 millis")
      expect(yield* use(value)).toEqual({ works: false, reads: 0 })
    }).pipe(Effect.scoped)
  )

  it.effect("a key that is read before a revocation, and returned after it, is not cached", () =>
    Effect.gen(function* () {
      const { accountId, issue, keys, reads, use } = yield* setUp()
      const { apiKey, value } = yield* issue()
      const isRead = yield* Deferred.make<void>()
      const mayReturn = yield* Deferred.make<void>()
      reads.gate = Effect.andThen(Deferred.succeed(isRead, undefined), Deferred.await(mayReturn))
      const early = yield* Effect.forkChild(use(value))
      yield* Deferred.await(isRead)
      reads.gate = Effect.void
      yield* keys.revoke(accountId, apiKey.id)
      expect(yield* use(value)).toEqual({ works: false, reads: 1 })
      yield* Deferred.succeed(mayReturn, undefined)
      expect(yield* Fiber.join(early)).toMatchObject({ works: true })
      expect(yield* use(value)).toMatchObject({ works: false })
    }).pipe(Effect.scoped)
  )

  it.effect("a transaction sees its own revocation, and others see it when the transaction has committed", () =>
    Effect.gen(function* () {
      const { accountId, issue, keys, services, use } = yield* setUp()
      const { apiKey, value } = yield* issue()
      yield* use(value)
      const isRevoked = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const change = Effect.gen(function* () {
        yield* keys.revoke(accountId, apiKey.id)
        expect(yield* use(value)).toMatchObject({ works: false })
        yield* Deferred.succeed(isRevoked, undefined)
        yield* Deferred.await(mayCommit)
      })
      const changing = yield* Effect.forkChild(Context.get(services, Transaction).run(change))
      yield* Deferred.await(isRevoked)
      expect(yield* use(value)).toEqual({ works: true, reads: 0 })
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(changing)
      expect(yield* use(value)).toEqual({ works: false, reads: 1 })
    }).pipe(Effect.scoped)
  )

  it.effect("a key that a transaction creates, uses and rolls back does not work afterwards", () =>
    Effect.gen(function* () {
      const { issue, services, use } = yield* setUp()
      const value = yield* Deferred.make<Redacted.Redacted<string>>()
      const change = Effect.gen(function* () {
        const issued = yield* issue()
        expect(yield* use(issued.value)).toMatchObject({ works: true })
        yield* Deferred.succeed(value, issued.value)
        return yield* Effect.fail("rolled back")
      })
      yield* Effect.flip(Context.get(services, Transaction).run(change))
      expect(yield* use(yield* Deferred.await(value))).toMatchObject({ works: false })
    }).pipe(Effect.scoped)
  )

  it.effect(
    "more keys than MaxCachedKeys displace the key that was used longest ago, and unknown values displace none",
    () =>
      Effect.gen(function* () {
        const { issue, use } = yield* setUp({ maxCachedKeys: 2 })
        const [a, b, c] = [yield* issue(), yield* issue(), yield* issue()]
        yield* use(a.value)
        yield* use(b.value)
        for (let count = 0; count < 5; count++) yield* use(Redacted.make(`fd_live_unknown_${count}`))
        expect(yield* use(a.value)).toEqual({ works: true, reads: 0 })
        yield* use(c.value)
        expect(yield* use(a.value)).toEqual({ works: true, reads: 0 })
        expect(yield* use(b.value)).toEqual({ works: true, reads: 1 })
      }).pipe(Effect.scoped)
  )

  it.effect("a caller that changes its account does not change the account of the next caller (D-STO-5)", () =>
    Effect.gen(function* () {
      const { accountId, issue, keys } = yield* setUp()
      const { value } = yield* issue()
      for (const _ of [1, 2, 3]) {
        const { account } = yield* keys.authenticate(value)
        expect(account).toMatchObject({ id: accountId, name: "Acme", teamIds: [] })
        Object.assign(account, { id: 77, name: "Other" })
        Object.assign(account.teamIds, [1])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("every use reads the key when MaxCachedKeys is 0", () =>
    Effect.gen(function* () {
      const { issue, use } = yield* setUp({ maxCachedKeys: 0 })
      const { value } = yield* issue()
      expect([yield* use(value), yield* use(value)]).toEqual([
        { works: true, reads: 1 },
        { works: true, reads: 1 }
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("a key is read again when a version that a storage observes has changed", () =>
    Effect.gen(function* () {
      const { issue, services, use } = yield* setUp()
      const { value } = yield* issue()
      let version = 1
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Context.get(services, AccessChanges).observe(() => version)
          yield* use(value)
          expect(yield* use(value)).toMatchObject({ reads: 0 })
          version = 2
          expect(yield* use(value)).toMatchObject({ reads: 1 })
        })
      )
      version = 3
      expect(yield* use(value)).toMatchObject({ reads: 0 })
    }).pipe(Effect.scoped)
  )

  it.effect("a key is read again after a signal that came from another process", () =>
    Effect.gen(function* () {
      const { issue, services, use } = yield* setUp()
      const { value } = yield* issue()
      yield* use(value)
      yield* Context.get(services, AccessChanges).signal.notifyLocally
      expect(yield* use(value)).toMatchObject({ reads: 1 })
    }).pipe(Effect.scoped)
  )
})

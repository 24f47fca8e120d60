import { describe, expect, it } from "@effect/vitest"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { ApiKeys, defaultGrace } from "@frontdesk/core/access/ApiKeys"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import * as Cell from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"

const services = Layer.mergeAll(Accounts.layer, ApiKeys.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto))
)

const account = Effect.flatMap(Accounts, (accounts) =>
  accounts.create({ name: "Acme", role: "standard", partnerId: null, teamIds: [], settings: defaultSettings })
)

const issue = (options: { readonly expiresIn?: Duration.Duration } = {}) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { id } = yield* account
    const expiresAt = options.expiresIn && DateTime.addDuration(yield* DateTime.now, options.expiresIn)
    return yield* keys.create({ accountId: id, name: "Test", permissions: ["can_read_agents"], expiresAt })
  })

const authenticate = (value: Redacted.Redacted<string>) => Effect.flatMap(ApiKeys, (keys) => keys.authenticate(value))

const isRefused = (value: Redacted.Redacted<string>) =>
  Effect.map(Effect.flip(authenticate(value)), (error) => error._tag === "InvalidKey")

describe("ApiKeys", () => {
  it.effect("authenticate returns the account and the permissions of a key", () =>
    Effect.gen(function* () {
      const { apiKey, value } = yield* issue()
      const principal = yield* authenticate(value)
      expect(principal.account.id).toBe(apiKey.accountId)
      expect([...principal.permissions]).toEqual(["can_read_agents"])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a value is fd_live_ or fd_test_ and 32 random bytes, and a list has only its first 12 characters (C-5-2, D-KEY-4, D-KEY-5)",
    () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { apiKey, value } = yield* issue()
        expect(Redacted.value(value)).toMatch(/^fd_live_[A-Za-z0-9_-]{43}$/)
        expect(apiKey.prefix).toBe(Redacted.value(value).slice(0, 12))
        expect(JSON.stringify(yield* keys.list(apiKey.accountId))).not.toContain(Redacted.value(value))
        const test = yield* keys.create({ accountId: apiKey.accountId, name: "t", permissions: [], mode: "test" })
        expect(Redacted.value(test.value)).toMatch(/^fd_test_[A-Za-z0-9_-]{43}$/)
      }).pipe(Effect.provide(services))
  )

  it.effect("an unknown value fails with InvalidKey (C-5-10)", () =>
    Effect.gen(function* () {
      yield* issue()
      expect(yield* isRefused(Redacted.make("fd_live_unknown"))).toBe(true)
    }).pipe(Effect.provide(services))
  )

  it.effect("a revoked key fails with InvalidKey at once and stays in the list (D-KEY-1)", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { apiKey, value } = yield* issue()
      const revoked = yield* keys.revoke(apiKey.accountId, apiKey.id)
      expect(revoked.revokedAt).not.toBeNull()
      expect(yield* isRefused(value)).toBe(true)
      expect(yield* keys.list(apiKey.accountId)).toHaveLength(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("a key fails with InvalidKey from the instant of its expiry", () =>
    Effect.gen(function* () {
      const { value } = yield* issue({ expiresIn: Duration.hours(1) })
      yield* TestClock.adjust(Duration.millis(3_599_999))
      yield* authenticate(value)
      yield* TestClock.adjust(Duration.millis(1))
      expect(yield* isRefused(value)).toBe(true)
    }).pipe(Effect.provide(services))
  )

  it.effect("a rotation returns a new value, and the old value works for 24 hours more (D-KEY-7)", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = yield* issue()
      const second = yield* keys.rotate(first.apiKey.accountId, first.apiKey.id)
      expect(Redacted.value(second.value)).not.toBe(Redacted.value(first.value))
      yield* TestClock.adjust(Duration.millis(Duration.toMillis(Duration.hours(24)) - 1))
      yield* authenticate(first.value)
      yield* authenticate(second.value)
      yield* TestClock.adjust(Duration.millis(1))
      expect(yield* isRefused(first.value)).toBe(true)
      yield* authenticate(second.value)
    }).pipe(Effect.provide(services))
  )

  it.effect("the old value stops working at the end of the grace time, or when the key expires before", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [brief, expiring] = [yield* issue(), yield* issue({ expiresIn: Duration.hours(1) })]
      yield* keys.rotate(brief.apiKey.accountId, brief.apiKey.id, { grace: Duration.minutes(5) })
      yield* keys.rotate(expiring.apiKey.accountId, expiring.apiKey.id)
      yield* TestClock.adjust(Duration.minutes(5))
      expect([yield* isRefused(brief.value), yield* Effect.exit(authenticate(expiring.value))]).toMatchObject([
        true,
        { _tag: "Success" }
      ])
      yield* TestClock.adjust(Duration.minutes(55))
      expect(yield* isRefused(expiring.value)).toBe(true)
    }).pipe(Effect.provide(services))
  )

  it.effect("a value that another key had before its rotation cannot be given to a new key (D-KEY-10)", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = yield* issue()
      yield* keys.rotate(first.apiKey.accountId, first.apiKey.id)
      const other = yield* account
      const again = { accountId: other.id, name: "Again", permissions: [], value: first.value }
      expect(yield* Effect.flip(keys.create(again))).toMatchObject({ _tag: "StorageError", reason: "duplicate" })
      expect((yield* authenticate(first.value)).account.id).toBe(first.apiKey.accountId)
    }).pipe(Effect.provide(services))
  )

  it.effect("neither value of a rotated key works after the key is revoked", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = yield* issue()
      const second = yield* keys.rotate(first.apiKey.accountId, first.apiKey.id, { grace: Duration.days(1) })
      yield* keys.revoke(first.apiKey.accountId, first.apiKey.id)
      expect(yield* isRefused(first.value)).toBe(true)
      expect(yield* isRefused(second.value)).toBe(true)
    }).pipe(Effect.provide(services))
  )

  it.effect("rotating a revoked key fails with ApiKeyRevoked", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { apiKey } = yield* issue()
      yield* keys.revoke(apiKey.accountId, apiKey.id)
      expect(yield* Effect.flip(keys.rotate(apiKey.accountId, apiKey.id))).toMatchObject({
        _tag: "ApiKeyRevoked",
        apiKeyId: apiKey.id
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("rotating an expired key fails with ApiKeyExpired (D-KEY-8)", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { apiKey } = yield* issue({ expiresIn: Duration.minutes(1) })
      yield* TestClock.adjust(Duration.minutes(1))
      const refused = yield* Effect.flip(keys.rotate(apiKey.accountId, apiKey.id, { force: true }))
      expect(refused).toMatchObject({ _tag: "ApiKeyExpired", apiKeyId: apiKey.id, expiredAt: apiKey.expiresAt })
    }).pipe(Effect.provide(services))
  )

  it.effect("a rotation during the grace time fails, or ends the oldest value when it is forced (D-KEY-8)", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = yield* issue()
      const { accountId, id } = first.apiKey
      const second = yield* keys.rotate(accountId, id, { grace: Duration.hours(1) })
      const refused = yield* Effect.flip(keys.rotate(accountId, id))
      expect(refused).toMatchObject({
        _tag: "ApiKeyInGrace",
        apiKeyId: id,
        until: second.apiKey.previousExpiresAt
      })
      yield* authenticate(first.value)
      const third = yield* keys.rotate(accountId, id, { force: true })
      expect(yield* isRefused(first.value)).toBe(true)
      yield* authenticate(second.value)
      yield* authenticate(third.value)
      // After the grace time the key can be rotated again without force.
      yield* TestClock.adjust(defaultGrace)
      yield* keys.rotate(accountId, id)
      yield* authenticate(third.value)
    }).pipe(Effect.provide(services))
  )

  it.effect("the second of two rotations at the same time fails, and both values of the first one work (D-KEY-8)", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = yield* issue()
      const { accountId, id } = first.apiKey
      const results = yield* Effect.all(
        [1, 2].map(() => Effect.result(keys.rotate(accountId, id))),
        {
          concurrency: "unbounded"
        }
      )
      expect(results.map((result) => (Result.isSuccess(result) ? "rotated" : result.failure._tag)).toSorted()).toEqual([
        "ApiKeyInGrace",
        "rotated"
      ])
      yield* authenticate(first.value)
    }).pipe(Effect.provide(services))
  )

  it.effect("the last use is written at most once a minute (D-KEY-9)", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { apiKey, value } = yield* issue()
      const lastUse = Effect.map(
        keys.list(apiKey.accountId),
        ([key]) => key?.lastUsedAt && DateTime.toEpochMillis(key.lastUsedAt)
      )
      expect(yield* lastUse).toBeNull()
      yield* authenticate(value)
      const first = yield* lastUse
      yield* TestClock.adjust(Duration.seconds(59))
      yield* authenticate(value)
      expect(yield* lastUse).toBe(first)
      yield* TestClock.adjust(Duration.seconds(1))
      yield* authenticate(value)
      expect(yield* lastUse).toBe((first ?? 0) + 60_000)
    }).pipe(Effect.provide(services))
  )

  it.effect.each([
    ["fails", Effect.fail(new StorageError({ reason: "unavailable", operation: "touch", cause: "full" }))],
    ["dies", Effect.die("broken")],
    ["waits for a lock", Effect.never]
  ] as const)(
    "a key works although the write of its last use %s, and the write is tried at most once a minute",
    ([, touch]) =>
      Effect.gen(function* () {
        const store = yield* ApiKeyStore
        let tries = 0
        const broken = ApiKeyStore.of({
          ...store,
          touch: () =>
            Effect.suspend(() => {
              tries += 1
              return touch
            })
        })
        const { value } = yield* issue()
        const keys = yield* Layer.build(Layer.provide(Layer.fresh(ApiKeys.layer), Layer.succeed(ApiKeyStore, broken)))
        const use = Effect.flatMap(ApiKeys, (service) => service.authenticate(value)).pipe(Effect.provideContext(keys))
        for (const _ of [1, 2, 3]) yield* use
        expect(tries).toBe(1)
        yield* TestClock.adjust(Duration.minutes(1))
        yield* use
        // While a write waits, no second write is started.
        expect(tries).toBe(touch === Effect.never ? 1 : 2)
      }).pipe(Effect.provide(services))
  )

  it.effect("a created and a rotated value name the cell of the installation, and authenticate (D-KEY-4)", () =>
    Effect.gen(function* () {
      const installation = yield* InstallationStore
      const inCell = Layer.succeed(InstallationStore, { ...installation, cell: Effect.succeed(Cell.Cell.make(12)) })
      const services = yield* Layer.build(Layer.provide(Layer.fresh(ApiKeys.layer), inCell))
      yield* Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { apiKey, value } = yield* issue()
        expect(Redacted.value(value)).toMatch(/^fd_live_12_[A-Za-z0-9_-]{43}$/)
        expect(apiKey.prefix).toBe(Redacted.value(value).slice(0, "fd_live_12_".length + 4))
        const rotated = yield* keys.rotate(apiKey.accountId, apiKey.id)
        expect(Redacted.value(rotated.value)).toMatch(/^fd_live_12_/)
        expect((yield* authenticate(rotated.value)).apiKeyId).toBe(apiKey.id)
      }).pipe(Effect.provideContext(services))
    }).pipe(Effect.provide(services))
  )

  it.effect("a key of another account cannot be rotated or revoked", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { apiKey, value } = yield* issue()
      const other = yield* account
      const notFound = { _tag: "ApiKeyNotFound", apiKeyId: apiKey.id }
      expect(yield* Effect.flip(keys.rotate(other.id, apiKey.id))).toMatchObject(notFound)
      expect(yield* Effect.flip(keys.revoke(other.id, apiKey.id))).toMatchObject(notFound)
      yield* authenticate(value)
    }).pipe(Effect.provide(services))
  )
})

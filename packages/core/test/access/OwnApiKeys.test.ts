import { describe, expect, it } from "@effect/vitest"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { ApiKeys, type IssuedApiKey } from "@frontdesk/core/access/ApiKeys"
import { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import * as Permission from "@frontdesk/core/access/Permission"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"

const services = Layer.mergeAll(Accounts.layer, OwnApiKeys.layer).pipe(
  Layer.provideMerge(ApiKeys.layer),
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto))
)

const makeAccount = Effect.flatMap(Accounts, (accounts) =>
  accounts.create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: { ...defaultSettings, timeZone: TimeZone.make("America/New_York") }
  })
)

/** Makes an account with a key, and returns the services for the caller of this key. */
const makeCaller = Effect.fnUntraced(function* (permissions: ReadonlyArray<Permission.Permission>) {
  const account = yield* makeAccount
  const keys = yield* ApiKeys
  const issued = yield* keys.create({ accountId: account.id, name: "own", permissions })
  const principal = yield* keys.authenticate(issued.value)
  const own = yield* OwnApiKeys
  const as = <A, E>(effect: Effect.Effect<A, E, Principal>) => Effect.provideService(effect, Principal, principal)
  return { account, as, issued, keys, own }
})

const denied = (permission: Permission.Permission) => ({ _tag: "PermissionDenied", permission })

const permissionSet = fc.subarray([...Permission.all])

describe("OwnApiKeys", () => {
  it.effect("a caller grants a permission that it has, and no other one (D-KEY-14)", () =>
    Effect.gen(function* () {
      const { account, as, keys, own } = yield* makeCaller(["can_manage_keys", "can_read_calls"])
      const { apiKey } = yield* as(own.create({ name: "Reader", permissions: ["can_read_calls"] }))
      expect(apiKey).toMatchObject({ accountId: account.id, name: "Reader", permissions: ["can_read_calls"] })
      const more = own.create({ name: "Writer", permissions: ["can_read_calls", "can_write_calls"] })
      expect(yield* Effect.flip(as(more))).toMatchObject(denied("can_write_calls"))
      expect(yield* keys.list(account.id)).toHaveLength(2)
    }).pipe(Effect.provide(services))
  )

  it.effect("law: a create succeeds exactly when the caller has every permission of the new key (D-KEY-14)", () =>
    Effect.gen(function* () {
      const { account, own } = yield* makeCaller([])
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const law = fc.asyncProperty(permissionSet, permissionSet, async (has, wants) => {
        const caller = { ...ofAccount(account), permissions: new Set(has) }
        const create = Effect.provideService(own.create({ name: "k", permissions: wants }), Principal, caller)
        const result = await run(Effect.result(create))
        const missing = wants.find((permission) => !has.includes(permission))
        if (missing === undefined) expect(Result.getOrThrow(result).apiKey.permissions).toEqual(wants)
        else expect(Result.isFailure(result) && result.failure).toMatchObject(denied(missing))
      })
      yield* Effect.promise(() => fc.assert(law))
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a key with a permission that the caller lacks cannot be rotated by it, and keeps its value (D-KEY-14)",
    () =>
      Effect.gen(function* () {
        const { account, as, keys, own } = yield* makeCaller(["can_manage_keys"])
        const stronger = yield* keys.create({
          accountId: account.id,
          name: "Calls",
          permissions: ["can_manage_keys", "can_write_calls"]
        })
        const rotate = own.rotate(stronger.apiKey.id, { force: true, grace: Duration.zero })
        expect(yield* Effect.flip(as(rotate))).toMatchObject(denied("can_write_calls"))
        expect((yield* keys.authenticate(stronger.value)).apiKeyId).toBe(stronger.apiKey.id)
        yield* as(own.revoke(stronger.apiKey.id))
        expect(yield* Effect.flip(keys.authenticate(stronger.value))).toMatchObject({ _tag: "InvalidKey" })
      }).pipe(Effect.provide(services))
  )

  it.effect("a caller lists, gets, rotates and revokes the keys of its account, also its own", () =>
    Effect.gen(function* () {
      const { as, issued, keys, own } = yield* makeCaller(["can_manage_keys"])
      const { apiKey } = yield* as(own.create({ name: "Other", permissions: [] }))
      expect((yield* as(own.list)).map(({ id }) => id)).toEqual([issued.apiKey.id, apiKey.id])
      expect(yield* as(own.get(apiKey.id))).toEqual(apiKey)
      const rotated: IssuedApiKey = yield* as(own.rotate(issued.apiKey.id))
      yield* as(own.revoke(issued.apiKey.id))
      for (const value of [issued.value, rotated.value]) {
        expect(yield* Effect.flip(keys.authenticate(value))).toMatchObject({ _tag: "InvalidKey" })
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("a key of another account is ApiKeyNotFound for get, rotate and revoke, like an absent one", () =>
    Effect.gen(function* () {
      const { as, own } = yield* makeCaller([...Permission.all])
      const { issued, keys } = yield* makeCaller([])
      const { id } = issued.apiKey
      for (const call of [own.get(id), Effect.asVoid(own.rotate(id)), own.revoke(id)]) {
        expect(yield* Effect.flip(as(Effect.asVoid(call)))).toMatchObject({ _tag: "ApiKeyNotFound", apiKeyId: id })
      }
      expect((yield* keys.authenticate(issued.value)).apiKeyId).toBe(id)
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a key that was revoked or has expired creates and rotates no key, although its caller is still known",
    () =>
      Effect.gen(function* () {
        const revoked = yield* makeCaller(["can_manage_keys"])
        const other = yield* revoked.as(revoked.own.create({ name: "Other", permissions: [] }))
        yield* revoked.keys.revoke(revoked.account.id, revoked.issued.apiKey.id)
        const invalid = { _tag: "InvalidKey" }
        const create = revoked.own.create({ name: "New", permissions: [] })
        expect(yield* Effect.flip(revoked.as(create))).toMatchObject(invalid)
        expect(yield* Effect.flip(revoked.as(revoked.own.rotate(other.apiKey.id)))).toMatchObject(invalid)
        expect(yield* revoked.keys.list(revoked.account.id)).toHaveLength(2)

        const { account, keys, own } = yield* makeCaller([])
        const expiresAt = DateTime.addDuration(yield* DateTime.now, Duration.hours(1))
        const expiring = yield* keys.create({ accountId: account.id, name: "e", permissions: [], expiresAt })
        const principal = yield* keys.authenticate(expiring.value)
        yield* TestClock.adjust(Duration.hours(1))
        const late = Effect.provideService(own.create({ name: "New", permissions: [] }), Principal, principal)
        expect(yield* Effect.flip(late)).toMatchObject(invalid)
      }).pipe(Effect.provide(services))
  )

  it.effect("expiresAt without an offset is a time in the zone of the account, and must be in the future", () =>
    Effect.gen(function* () {
      const { as, own } = yield* makeCaller(["can_manage_keys"])
      const expiryOf = (expiresAt: string | null) =>
        Effect.map(as(own.create({ name: "k", permissions: [], expiresAt })), ({ apiKey }) => apiKey.expiresAt)
      expect(yield* expiryOf("2030-01-01T00:00:00")).toEqual(DateTime.makeUnsafe("2030-01-01T05:00:00Z"))
      expect(yield* expiryOf("2030-01-01T00:00+01:00")).toEqual(DateTime.makeUnsafe("2029-12-31T23:00:00Z"))
      expect(yield* expiryOf(null)).toBeNull()
      for (const wrong of ["tomorrow", "2030-02-30T00:00:00Z", "1970-01-01T00:00:00Z"]) {
        expect(yield* Effect.flip(expiryOf(wrong))).toMatchObject({
          _tag: "ValidationError",
          problems: [{ field: "expires_at" }]
        })
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("a permission that is listed twice is stored once", () =>
    Effect.gen(function* () {
      const { as, own } = yield* makeCaller(["can_manage_keys", "can_read_calls"])
      const permissions = ["can_read_calls", "can_manage_keys", "can_read_calls"] as const
      const { apiKey } = yield* as(own.create({ name: "k", permissions }))
      expect(apiKey.permissions).toEqual(["can_read_calls", "can_manage_keys"])
    }).pipe(Effect.provide(services))
  )

  it.effect("a revocation at the same time as a rotation always wins: no value works afterwards", () =>
    Effect.gen(function* () {
      for (const order of ["rotate", "revoke"]) {
        const { as, issued, keys, own } = yield* makeCaller(["can_manage_keys"])
        const { apiKey, value } = yield* as(own.create({ name: "k", permissions: [] }))
        const rotate = Effect.result(as(own.rotate(apiKey.id)))
        const revoke = as(own.revoke(apiKey.id))
        const [rotated] =
          order === "rotate"
            ? yield* Effect.all([rotate, revoke], { concurrency: "unbounded" })
            : (yield* Effect.all([revoke, rotate], { concurrency: "unbounded" })).toReversed()
        const values =
          rotated !== undefined && Result.isResult(rotated) && Result.isSuccess(rotated)
            ? [value, rotated.success.value]
            : [value]
        for (const each of values) {
          expect(yield* Effect.flip(keys.authenticate(each))).toMatchObject({ _tag: "InvalidKey" })
        }
        expect((yield* keys.authenticate(issued.value)).apiKeyId).toBe(issued.apiKey.id)
      }
    }).pipe(Effect.provide(services))
  )
})

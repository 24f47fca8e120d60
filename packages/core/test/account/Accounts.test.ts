import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import * as Permission from "@frontdesk/core/access/Permission"
import { Money } from "@frontdesk/core/values/Money"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const services = Accounts.layer.pipe(Layer.provideMerge(MemoryStorage.layer))

const acme = { name: "Acme", role: "standard", partnerId: null, teamIds: [], settings: defaultSettings } as const

const unknownId = AccountId.make(999)

describe("Accounts", () => {
  it.effect(
    "a negative deposit, and one that makes the sum too large for an exact number, fail and change nothing",
    () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* accounts.create(acme)
        yield* accounts.deposit(id, Money.make(Number.MAX_SAFE_INTEGER))
        expect(yield* Effect.flip(accounts.deposit(id, Money.make(1)))).toMatchObject({
          problems: [{ field: "amount" }]
        })
        expect(yield* Effect.flip(accounts.deposit(id, Money.make(-1)))).toMatchObject({
          problems: [{ field: "amount" }]
        })
        expect(yield* accounts.funds(id)).toMatchObject({ deposits: Number.MAX_SAFE_INTEGER })
      }).pipe(Effect.provide(services))
  )

  it.effect("a new account has no money, and its balance is the sum of its deposits", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create(acme)
      expect(yield* accounts.funds(id)).toEqual({ deposits: 0, charges: 0, reservations: 0, balance: 0 })
      yield* accounts.deposit(id, Money.make(5))
      expect(yield* accounts.deposit(id, Money.make(7))).toEqual({
        deposits: 12,
        charges: 0,
        reservations: 0,
        balance: 12
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("an update replaces the name and the settings of an account", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const account = yield* accounts.create(acme)
      const changed = { ...account, name: "Acme Inc.", settings: { ...defaultSettings, rejectConflicts: true } }
      yield* accounts.update(changed)
      expect(yield* accounts.get(account.id)).toEqual(changed)
      expect(yield* accounts.list).toEqual([changed])
    }).pipe(Effect.provide(services))
  )

  it.effect("principal returns a caller with all permissions of the account", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const account = yield* accounts.create(acme)
      const principal = yield* accounts.principal(account.id)
      expect(principal).toEqual({ account, apiKeyId: null, permissions: new Set(Permission.all) })
    }).pipe(Effect.provide(services))
  )

  it.effect("get, funds, deposit and principal fail with AccountNotFound for an account that does not exist", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      for (const refused of [
        Effect.asVoid(accounts.get(unknownId)),
        Effect.asVoid(accounts.funds(unknownId)),
        Effect.asVoid(accounts.deposit(unknownId, Money.make(1))),
        Effect.asVoid(accounts.principal(unknownId))
      ]) {
        expect(yield* Effect.flip(refused)).toMatchObject({ _tag: "AccountNotFound", accountId: unknownId })
      }
    }).pipe(Effect.provide(services))
  )
})

import { describe, expect, it } from "@effect/vitest"
import { AccessChanges } from "@frontdesk/core/access/AccessChanges"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { OwnAccount } from "@frontdesk/core/account/OwnAccount"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { Money } from "@frontdesk/core/values/Money"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const services = Layer.mergeAll(Accounts.layer, OwnAccount.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(MemoryStorage.layer, AccessChanges.layer))
)

const acme = Effect.gen(function* () {
  const team = yield* (yield* TeamStore).insert("Sales")
  const account = yield* (yield* Accounts).create({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [team.id],
    settings: defaultSettings
  })
  return { account, team }
})

describe("OwnAccount", () => {
  it.effect("get returns the caller's account with its teams and its money", () =>
    Effect.gen(function* () {
      const { account, team } = yield* acme
      yield* (yield* Accounts).deposit(account.id, Money.make(5))
      const detail = yield* Effect.provideService((yield* OwnAccount).get, Principal, ofAccount(account))
      expect(detail).toEqual({
        ...account,
        teams: [team],
        funds: { deposits: 5, charges: 0, reservations: 0, balance: 5 }
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("patch changes the stored account and not the one that the caller was read with", () =>
    Effect.gen(function* () {
      const { account } = yield* acme
      const accounts = yield* Accounts
      const own = yield* OwnAccount
      // The operator changes the account after the caller was read.
      const raised = { ...account, settings: { ...account.settings, maxRunningCalls: 99, rejectConflicts: true } }
      yield* accounts.update(raised)
      const patch = own.patch({ name: "Acme Inc.", timeZone: TimeZone.make("Asia/Tokyo") })
      const detail = yield* Effect.provideService(patch, Principal, ofAccount(account))
      expect(yield* accounts.get(account.id)).toEqual({
        ...raised,
        name: "Acme Inc.",
        settings: { ...raised.settings, timeZone: "Asia/Tokyo" }
      })
      expect(detail).toMatchObject({ name: "Acme Inc.", settings: { maxRunningCalls: 99, timeZone: "Asia/Tokyo" } })
    }).pipe(Effect.provide(services))
  )

  it.effect("patch reports a change of an account, so that cached callers are read again (D-KEY-13)", () =>
    Effect.gen(function* () {
      const { account } = yield* acme
      const { generation } = yield* AccessChanges
      const before = generation()
      const patch = (yield* OwnAccount).patch({ name: "Acme Inc." })
      yield* Effect.provideService(patch, Principal, ofAccount(account))
      expect(generation()).toBeGreaterThan(before)
    }).pipe(Effect.provide(services))
  )

  it.effect("patch refuses a field of the operator and changes nothing (D-ACC-5)", () =>
    Effect.gen(function* () {
      const { account } = yield* acme
      const own = yield* OwnAccount
      // @ts-expect-error -- A program without types may give any field.
      const patch = own.patch({ name: "Acme Inc.", pricePerMinute: 0 })
      expect(yield* Effect.flip(Effect.provideService(patch, Principal, ofAccount(account)))).toMatchObject({
        _tag: "ValidationError",
        problems: [{ field: "pricePerMinute" }]
      })
      expect(yield* (yield* Accounts).get(account.id)).toEqual(account)
    }).pipe(Effect.provide(services))
  )
})

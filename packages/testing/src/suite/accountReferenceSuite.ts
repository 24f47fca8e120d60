import { AccountId } from "@frontdesk/core/access/Account"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { TeamId } from "@frontdesk/core/access/Team"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies, on a storage, how services treat the id of an account or a team that does not exist. */
export const accountReferenceSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  const services = Layer.mergeAll(Accounts.layer, ApiKeys.layer, CalendarConnections.layer).pipe(
    Layer.provide(Crypto.layerWebCrypto),
    Layer.provideMerge(storage)
  )

  layer(services, options)(`${name}: references to accounts and teams`, (it) => {
    it.effect(
      "creating or updating an account fails with AccountNotFound when its partner does not exist, and stores nothing",
      () =>
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const account = yield* Samples.makeAccount()
          for (const id of unknownIds) {
            const write = { ...account, partnerId: AccountId.make(id), name: "Client" }
            expect(yield* Effect.flip(accounts.create(write))).toMatchObject(noAccount(id))
            expect(yield* Effect.flip(accounts.update(write))).toMatchObject(noAccount(id))
          }
          expect(yield* accounts.get(account.id)).toEqual(account)
        })
    )

    it.effect(
      "creating or updating an account fails with TeamNotFound when one of its teams does not exist, and stores nothing",
      () =>
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const account = yield* Samples.makeAccount()
          const team = yield* Samples.makeTeam()
          for (const id of unknownIds) {
            const write = { ...account, teamIds: [team.id, TeamId.make(id)] }
            const noTeam = { _tag: "TeamNotFound", teamId: id }
            expect(yield* Effect.flip(accounts.create(write))).toMatchObject(noTeam)
            expect(yield* Effect.flip(accounts.update(write))).toMatchObject(noTeam)
          }
          expect(yield* accounts.get(account.id)).toEqual(account)
        })
    )

    it.effect("updating an account that does not exist fails with AccountNotFound", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const team = yield* Samples.makeTeam()
        const account = yield* Samples.makeAccount()
        for (const id of unknownIds) {
          const change = { ...account, id: AccountId.make(id), teamIds: [team.id] }
          expect(yield* Effect.flip(accounts.update(change))).toMatchObject(noAccount(id))
        }
      })
    )

    it.effect(
      "creating an API key or a calendar connection fails with AccountNotFound for an account that does not exist",
      () =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          const connections = yield* CalendarConnections
          for (const id of unknownIds) {
            const accountId = AccountId.make(id)
            const key = keys.create({ accountId, name: "Test", permissions: [] })
            expect(yield* Effect.flip(key)).toMatchObject(noAccount(id))
            expect(yield* keys.list(accountId)).toEqual([])
            const connect = connections.connect({ accountId, provider: "google" }, "primary", Redacted.make("token"))
            expect(yield* Effect.flip(connect)).toMatchObject(noAccount(id))
            expect(yield* connections.list(accountId)).toEqual([])
          }
        })
    )
  })
}

const unknownIds: ReadonlyArray<number> = [999_999_999_999, Number.MAX_SAFE_INTEGER]

const noAccount = (accountId: number) => ({ _tag: "AccountNotFound", accountId })

import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import * as Money from "@frontdesk/core/values/Money"
import * as SqlMigrations from "@frontdesk/storage-sql/SqlMigrations"
import { addUp, foldAll, movementsOf } from "@frontdesk/testing/suite/Movements"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyDatabases } from "../databases.ts"
import * as OldSchema from "./OldSchema.ts"

const [first, second, third] = [AccountId.make(1), AccountId.make(2), AccountId.make(3)]

const listed = (id: AccountId) =>
  Effect.map(movementsOf(id), (all) => all.map(({ amount, balanceAfter, kind }) => [kind, amount, balanceAfter]))

const deposit = (id: AccountId, amount: number) =>
  Effect.flatMap(AccountStore, (accounts) =>
    accounts.changeFunds(id, { deposits: Money.Money.make(amount) }, { ...Samples.cause, at: Samples.later(1) })
  )

describe.each(emptyDatabases)("the migration to movements of balances, on %s (D-BILL-15)", (_, emptyDatabase) => {
  it.live("an account with money begins with an opening, and one without money with no movement", () =>
    Effect.gen(function* () {
      const { client, storage } = yield* emptyDatabase
      yield* Effect.gen(function* () {
        yield* Effect.andThen(OldSchema.migrateTo(30), OldSchema.insertAccounts)
        const sql = yield* SqlClient
        yield* sql`UPDATE account SET deposits = 100, charges = 30, holds = 10 WHERE id = 1`
        yield* sql`UPDATE account SET deposits = 5, charges = 5 WHERE id = 2`
        yield* SqlMigrations.migrate
      }).pipe(Effect.provide(client))
      yield* Effect.gen(function* () {
        expect(yield* listed(first)).toEqual([["opening", 60, 60]])
        expect(yield* listed(second)).toEqual([])
        expect(yield* listed(third)).toEqual([])
        for (const id of [first, second, third]) {
          yield* addUp(id)
          yield* deposit(id, 1)
          yield* addUp(id)
        }
        expect(yield* listed(first)).toEqual([
          ["opening", 60, 60],
          ["deposit", 1, 61]
        ])
      }).pipe(Effect.provide(storage))
    }).pipe(Effect.scoped)
  )

  it.live(
    "the next change after changes without a movement, as older servers make them, records their sum as an opening",
    () =>
      Effect.gen(function* () {
        const { client, storage } = yield* emptyDatabase
        yield* Effect.andThen(SqlMigrations.migrate, OldSchema.insertAccounts).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`UPDATE account SET deposits = 7 WHERE id = 1`
          yield* deposit(first, 1)
          yield* sql`UPDATE account SET charges = charges + 3 WHERE id = 1`
          yield* deposit(first, 2)
          const all = [
            ["opening", 7, 7],
            ["deposit", 1, 8],
            ["opening", -3, 5],
            ["deposit", 2, 7]
          ]
          expect(yield* listed(first)).toEqual(all)
          yield* addUp(first)
          const { count } = yield* (yield* FundMovementStore).list(first, { kind: "opening" }, { page: 1, limit: 1 })
          expect(count).toBe(2)
          yield* foldAll(Samples.later(2))
          expect(yield* listed(first)).toEqual([["opening", 7, 7]])
          yield* addUp(first)
        }).pipe(Effect.provide(storage))
      }).pipe(Effect.scoped)
  )
})

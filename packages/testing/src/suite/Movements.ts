import { type AccountId, balance } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { FundMovement } from "@frontdesk/core/access/FundMovement"
import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { expect } from "./Expect.ts"
import type { OnStorage } from "./participation/Participation.ts"
import * as Samples from "./Samples.ts"

/** Returns all movements of an account, oldest first. */
export const movementsOf = (id: AccountId) =>
  Effect.gen(function* () {
    const store = yield* FundMovementStore
    const found: Array<FundMovement> = []
    for (let page = 1; ; page++) {
      const { count, items } = yield* store.list(id, {}, { page, limit: 100 })
      found.push(...items)
      if (items.length === 0 || found.length >= count) return found.toReversed()
    }
  })

/** Folds what earlier tests have left from before a time. */
export const foldAll = (before: DateTime.Utc) =>
  Effect.gen(function* () {
    const store = yield* FundMovementStore
    while ((yield* store.fold(before, Samples.rowLimit(100))) > 0) continue
  })

/**
 * Verifies that the movements of an account add up to its balance, and that each has the balance after it (D-BILL-15). The
 * account is locked, so that other transactions may change its funds at the same time.
 */
export const addUp = (id: AccountId): OnStorage<void> =>
  Effect.gen(function* () {
    const { run } = yield* Transaction
    const accounts = yield* AccountStore
    const { found, funds } = yield* run(
      Effect.gen(function* () {
        const funds = yield* accounts.lockFunds(id)
        return { funds, found: yield* movementsOf(id) }
      })
    )
    let sum = 0
    for (const { amount, balanceAfter } of found) {
      sum += amount
      expect(balanceAfter).toBe(sum)
    }
    expect(sum).toBe(balance(funds))
  })

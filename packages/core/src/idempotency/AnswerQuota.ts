import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import { RecentMap } from "../values/RecentMap.ts"

/**
 * The quota of an account for large answers together: 8,388,608 characters, which is 8 MiB of ASCII. A used quota
 * refills evenly over 24 hours (D-IDEM-14).
 */
export const maxLargeAnswerLength = 8_388_608

/** The maximum length of an answer that does not count for the quota: 2,048 characters. */
export const maxSmallLength = 2_048

const dayMillis = Duration.toMillis(Duration.hours(24))

/** The maximum number of accounts to remember: those with the most recent large answers. */
const maxAccounts = 20_000

/**
 * Makes the quota for the large answers that each account stores under idempotency keys (D-IDEM-14). An account can store
 * twice the quota within 24 hours: the full quota, and as much again while it refills. An answer is stored for 24 hours.
 * Each process counts only what it stores itself.
 */
export const make = () => {
  const accounts = new RecentMap<AccountId, { readonly used: number; readonly at: number }>(maxAccounts)

  /**
   * Takes an answer of `length` characters from the account's quota. Returns false, and takes nothing, when too little is
   * left.
   */
  return (accountId: AccountId, length: number): Effect.Effect<boolean> =>
    length <= maxSmallLength
      ? Effect.succeed(true)
      : Effect.map(DateTime.now, (now) => {
          const at = now.epochMilliseconds
          const before = accounts.get(accountId) ?? { used: 0, at }
          const freed = (Math.max(0, at - before.at) / dayMillis) * maxLargeAnswerLength
          const used = Math.max(0, before.used - freed) + length
          if (used > maxLargeAnswerLength) return false
          accounts.set(accountId, { used, at })
          return true
        })
}

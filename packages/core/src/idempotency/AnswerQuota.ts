import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AccountId } from "../access/Account.ts"
import * as RecentMap from "../values/RecentMap.ts"

/** How many bytes of large answers an account may store at once: 8 MiB. As much again becomes free over 24 hours. */
export const maxLargeAnswerBytes = 8_388_608

/** An answer with at most so many characters is stored whatever the account has stored: 2,048. */
export const smallLength = 2_048

const dayMillis = Duration.toMillis(Duration.hours(24))

/** How many accounts are remembered. Whoever stored nothing for the longest time is forgotten first. */
const maxAccounts = 10_000

/**
 * Bounds the large answers that an account stores under idempotency keys: 16 MiB in any 24 hours, which is how long they
 * are stored. Each process counts what it stores itself.
 */
export const make = () => {
  const accounts = new Map<AccountId, { readonly used: number; readonly at: number }>()

  /** Takes room for an answer of so many characters. False, and nothing is taken, when the account has no room left. */
  return (accountId: AccountId, length: number): Effect.Effect<boolean> =>
    length <= smallLength
      ? Effect.succeed(true)
      : Effect.map(DateTime.now, (now) => {
          const at = now.epochMilliseconds
          const before = accounts.get(accountId) ?? { used: 0, at }
          const freed = (Math.max(0, at - before.at) / dayMillis) * maxLargeAnswerBytes
          const used = Math.max(0, before.used - freed) + length
          if (used > maxLargeAnswerBytes) return false
          RecentMap.set(accounts, accountId, { used, at }, maxAccounts)
          return true
        })
}

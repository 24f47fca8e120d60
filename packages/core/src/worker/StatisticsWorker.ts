import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import { AccountStore } from "../access/AccountStore.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import * as StatisticRule from "../statistics/StatisticRule.ts"
import { StatisticStore } from "../statistics/StatisticStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Tracing from "../values/Tracing.ts"

/** The rest between two runs. A waiting part makes a read slower, but the read counts it. */
const foldEvery = Duration.seconds(5)

/** How many parts of one account a step folds at most. */
export const maxInStep = 500

/**
 * Folds the waiting parts of the statistics: replaces them by their sums by day and agent (D-STAT-4). A day is a day in the
 * time zone that the account has when its parts are folded, and stays as it is when the zone changes (D-STAT-8).
 */
export class StatisticsWorker extends Context.Service<
  StatisticsWorker,
  {
    /**
     * Folds in bounded steps with rests between them, one step for each account in turn, until a turn finds no account with
     * `maxInStep` parts. Returns how many parts were folded.
     */
    readonly fold: Effect.Effect<number, StorageError>
    /** Folds at once and then every 5 seconds. A failure is logged, and the next run follows after the same time. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/StatisticsWorker") {
  /** The worker on the stores of accounts and statistics. */
  static readonly layer: Layer.Layer<StatisticsWorker, never, StatisticStore | AccountStore | Transaction> =
    Layer.effect(
      StatisticsWorker,
      Effect.gen(function* () {
        const store = yield* StatisticStore
        const accounts = yield* AccountStore
        const transaction = yield* Transaction

        /** Folds the oldest parts of an account, and returns how many. The parts of a deleted account are dropped. */
        const step = (accountId: AccountId) =>
          transaction.run(
            Effect.gen(function* () {
              const parts = yield* store.take(accountId, maxInStep)
              if (parts.length === 0) return 0
              const account = yield* accounts.find(accountId)
              if (Option.isSome(account)) {
                const days = StatisticRule.fold(parts, account.value.settings.timeZone)
                if (days.length > 0) yield* store.add(accountId, days)
              }
              return parts.length
            })
          )

        const fold = Effect.gen(function* () {
          let [count, isAnyFull] = [0, false]
          let last: AccountId | null = null
          yield* Steps.untilDone(
            Effect.gen(function* () {
              const next: Option.Option<AccountId> = yield* store.nextAccount(last)
              if (Option.isNone(next)) {
                const isMore = isAnyFull
                isAnyFull = false
                last = null
                return isMore
              }
              const folded = yield* step(next.value)
              count += folded
              isAnyFull ||= folded === maxInStep
              last = next.value
              return true
            })
          )
          return count
        }).pipe(Tracing.span("StatisticsWorker.fold"))

        const run = Loop.forever(fold, {
          pause: foldEvery,
          level: "Warn",
          failure: "Statistics could not be folded"
        })

        return StatisticsWorker.of({ fold, run })
      })
    )
}

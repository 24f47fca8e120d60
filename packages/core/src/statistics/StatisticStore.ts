import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { AgentId } from "../agent/Agent.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { CalendarDate } from "../values/CalendarDate.ts"
import type { DayStatistic, Figures, StatisticPart } from "./Statistic.ts"

/** The maximum number of parts that a read adds up (D-STAT-6). */
export const maxWaiting = 10_000

/** The statistics that a read returns. */
export interface StatisticRange {
  readonly startDate: CalendarDate
  /** The last day. It is included. */
  readonly endDate: CalendarDate
  /** The start of the first day. A waiting part counts at this instant or later. */
  readonly from: DateTime.Utc
  /** The end of the last day. A waiting part counts before this instant. */
  readonly until: DateTime.Utc
  /** Only what this agent did. */
  readonly agentId?: AgentId | undefined
}

/** Stored statistics of a range, as they were at one moment. */
export interface StoredStatistics {
  /** The sums of folded days over all agents, in any order. A day may be absent when its sums are 0. */
  readonly days: ReadonlyArray<{ readonly day: CalendarDate; readonly figures: Figures }>
  /** The sums of the same figures by agent, in any order. */
  readonly agents: ReadonlyArray<{ readonly agentId: AgentId | null; readonly figures: Figures }>
  /** The parts that are not folded yet, in any order. Parts of the same second and agent may be added up. */
  readonly waiting: ReadonlyArray<StatisticPart>
  /** False when the account has more than `maxWaiting` parts that are not folded. Then the newest ones are left out. */
  readonly isComplete: boolean
}

/**
 * Port: stores and folds the statistics of accounts (D-STAT-4).
 *
 * The stores of calls, calendar events and deliveries append a part to the statistics in the transaction of each change, as
 * `StatisticRule.partsOf` says. Parts wait until they are folded: replaced by their sums by day and agent. A record that
 * retention deletes, or that is deleted with its webhook, leaves the statistics as they are (D-STAT-5).
 */
export class StatisticStore extends Context.Service<
  StatisticStore,
  {
    /** Returns the statistics of an account in a range of days, folded or not. They are read in one statement. */
    readonly read: (accountId: AccountId, range: StatisticRange) => Effect.Effect<StoredStatistics, StorageError>
    /** Returns the account with the lowest id above `after` that has waiting parts. Null begins with the first account. */
    readonly nextAccount: (after: AccountId | null) => Effect.Effect<Option.Option<AccountId>, StorageError>
    /**
     * Deletes the oldest waiting parts of an account and returns them, at most `limit`. Two transactions never receive the
     * same part. Parts that another transaction has taken are skipped. Used inside `Transaction.run`, followed by `add`.
     */
    readonly take: (accountId: AccountId, limit: number) => Effect.Effect<ReadonlyArray<StatisticPart>, StorageError>
    /**
     * Adds to the sums of days. The days must be in the order of `StatisticRule.fold`, and none may occur twice with the same
     * agent.
     */
    readonly add: (accountId: AccountId, days: ReadonlyArray<DayStatistic>) => Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/statistics/StatisticStore") {}

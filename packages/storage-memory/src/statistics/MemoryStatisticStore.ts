import type { AccountId } from "@frontdesk/core/access/Account"
import { add, type DayStatistic, none } from "@frontdesk/core/statistics/Statistic"
import * as StatisticRule from "@frontdesk/core/statistics/StatisticRule"
import { maxWaiting, StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const waitingOf = (state: State, accountId: AccountId) =>
  Table.where(state.statisticParts, (part) => part.accountId === accountId)

const keyOf = (accountId: AccountId, { agentId, day }: DayStatistic): string =>
  JSON.stringify([accountId, day, agentId])

/** The `StatisticStore` in memory. */
export const layer: Layer.Layer<StatisticStore, never, Database> = Layer.effect(
  StatisticStore,
  Effect.map(Database, (database) =>
    StatisticStore.of({
      read: (accountId, { agentId, endDate, from, startDate, until }) =>
        database.read((state) => {
          const isOf = (one: { readonly agentId: DayStatistic["agentId"] }) =>
            agentId === undefined || one.agentId === agentId
          const [first, end] = [StatisticRule.secondOf(from), StatisticRule.secondOf(until)]
          const folded = HashMap.toValues(state.statistics).filter(
            (one) => one.accountId === accountId && one.day >= startDate && one.day <= endDate && isOf(one)
          )
          const all = waitingOf(state, accountId)
          return {
            days: folded.map(({ day, figures }) => ({ day, figures })),
            agents: folded.map(({ agentId, figures }) => ({ agentId, figures })),
            waiting: all
              .slice(0, maxWaiting)
              .filter((part) => part.second >= first && part.second < end && isOf(part))
              .map(({ agentId, figures, second }) => ({ agentId, figures, second })),
            isComplete: all.length <= maxWaiting
          }
        }),
      nextAccount: (after) =>
        database.read((state) => {
          const ids = HashMap.toValues(state.statisticParts.rows).map((part) => part.accountId)
          const later = ids.filter((id) => after === null || id > after).toSorted((a, b) => a - b)
          return Option.fromUndefinedOr(later[0])
        }),
      take: (accountId, limit) =>
        database.modify((state) => {
          const taken = HashMap.toEntries(state.statisticParts.rows)
            .filter(([, part]) => part.accountId === accountId)
            .toSorted(([a], [b]) => a - b)
            .slice(0, limit)
          const ids = taken.map(([id]) => id)
          return changed(
            taken.map(([, { agentId, figures, second }]) => ({ agentId, figures, second })),
            { ...state, statisticParts: Table.removeAll(state.statisticParts, ids) }
          )
        }),
      add: (accountId, days) =>
        database.modify((state) =>
          changed(undefined, {
            ...state,
            statistics: days.reduce((all, one) => {
              const key = keyOf(accountId, one)
              const before = Option.match(HashMap.get(all, key), {
                onNone: () => none,
                onSome: ({ figures }) => figures
              })
              return HashMap.set(all, key, { ...one, accountId, figures: add(before, one.figures) })
            }, state.statistics)
          })
        )
    })
  )
)

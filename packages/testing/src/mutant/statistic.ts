import { type Figures, type StatisticPart, subtract } from "@frontdesk/core/statistics/Statistic"
import { StatisticStore, type StoredStatistics } from "@frontdesk/core/statistics/StatisticStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { figures } from "../suite/StatisticCounts.ts"
import { mutantsOf } from "./Mutant.ts"

type Store = StatisticStore["Service"]

/** Returns a mutant that reads other statistics. */
const reading =
  (change: (found: StoredStatistics) => Partial<StoredStatistics>) =>
  (store: Store): Partial<Store> => ({
    read: (accountId, range) => Effect.map(store.read(accountId, range), (found) => ({ ...found, ...change(found) }))
  })

/** Returns a mutant that takes parts and returns others. */
const taking =
  (change: (parts: ReadonlyArray<StatisticPart>) => ReadonlyArray<StatisticPart>) =>
  (store: Store): Partial<Store> => ({
    take: (accountId, limit) => Effect.map(store.take(accountId, limit), change)
  })

const onlyFirst = (name: keyof Figures, given: Figures): Figures => figures({ [name]: given[name] })

/** Mutants of `StatisticStore`. */
export const statisticStore = mutantsOf(StatisticStore, {
  "read leaves out the waiting parts": reading(() => ({ waiting: [] })),
  "read leaves out the folded days": reading(() => ({ days: [] })),
  "read leaves out the sums by agent": reading(() => ({ agents: [] })),
  "read returns no figure besides calls": reading(({ agents, days, waiting }) => ({
    agents: agents.map((one) => ({ ...one, figures: onlyFirst("calls", one.figures) })),
    days: days.map((one) => ({ ...one, figures: onlyFirst("calls", one.figures) })),
    waiting: waiting.map((one) => ({ ...one, figures: onlyFirst("calls", one.figures) }))
  })),
  "read returns sums without an agent as those of an agent": reading(({ agents }) => ({
    agents: agents.filter(({ agentId }) => agentId !== null)
  })),
  "read ignores the agent": (store) => ({
    read: (accountId, range) => store.read(accountId, { ...range, agentId: undefined })
  }),
  "read ignores the first day": (store) => ({
    read: (accountId, range) => store.read(accountId, { ...range, startDate: range.endDate })
  }),
  "read ignores the last day": (store) => ({
    read: (accountId, range) => store.read(accountId, { ...range, endDate: range.startDate })
  }),
  "read leaves out parts of the first second": (store) => ({
    read: (accountId, range) => store.read(accountId, { ...range, from: DateTime.add(range.from, { seconds: 1 }) })
  }),
  "read includes parts of the second before": (store) => ({
    read: (accountId, range) => store.read(accountId, { ...range, from: DateTime.subtract(range.from, { seconds: 1 }) })
  }),
  "read includes parts of the second after": (store) => ({
    read: (accountId, range) => store.read(accountId, { ...range, until: DateTime.add(range.until, { seconds: 1 }) })
  }),
  "read leaves out parts of the last second": (store) => ({
    read: (accountId, range) =>
      store.read(accountId, { ...range, until: DateTime.subtract(range.until, { seconds: 1 }) })
  }),
  "read always sets isComplete": reading(() => ({ isComplete: true })),
  "read never sets isComplete": reading(() => ({ isComplete: false })),
  "nextAccount returns no account": () => ({ nextAccount: () => Effect.succeed(Option.none()) }),
  "nextAccount ignores where to begin": (store) => ({ nextAccount: () => store.nextAccount(null) }),
  "nextAccount returns the account that it was given": (store) => ({
    nextAccount: (after) => (after === null ? store.nextAccount(null) : Effect.succeed(Option.some(after)))
  }),
  "take has no effect": () => ({ take: () => Effect.succeed([]) }),
  "take ignores the limit": (store) => ({ take: (accountId) => store.take(accountId, 1_000) }),
  "take takes one part less than the limit": (store) => ({
    take: (accountId, limit) => store.take(accountId, limit - 1)
  }),
  "take loses a part": taking((parts) => parts.slice(1)),
  "take returns a part twice": taking((parts) => [...parts, ...parts.slice(0, 1)]),
  "take returns no agents": taking((parts) => parts.map((part) => ({ ...part, agentId: null }))),
  "take takes the newest parts": (store) => ({
    take: (accountId, limit) => Effect.map(store.take(accountId, 1_000), (parts) => parts.toReversed().slice(0, limit))
  }),
  "add has no effect": () => ({ add: () => Effect.void }),
  "add ignores the agent": (store) => ({
    add: (accountId, days) =>
      Effect.forEach(days, (one) => store.add(accountId, [{ ...one, agentId: null }]), { discard: true })
  }),
  "add adds corrections as positive figures": (store) => ({
    add: (accountId, days) =>
      store.add(
        accountId,
        days.map((one) => (one.figures.calls < 0 ? { ...one, figures: subtract(figures({}), one.figures) } : one))
      )
  }),
  "add adds to the first day alone": (store) => ({ add: (accountId, days) => store.add(accountId, days.slice(0, 1)) })
})

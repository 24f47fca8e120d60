import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Principal } from "../access/Principal.ts"
import type { Agent, AgentId } from "../agent/Agent.ts"
import { Agents } from "../agent/Agents.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { type CalendarDate, fromDayNumber, fromParts, toDayNumber } from "../values/CalendarDate.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Input from "../values/Input.ts"
import * as TimeZone from "../values/TimeZone.ts"
import * as Tracing from "../values/Tracing.ts"
import { InvalidParameter, type ValidationError } from "../values/ValidationError.ts"
import type { Figures } from "./Statistic.ts"
import { defaultDays, maxDays, StatisticQuery } from "./StatisticInput.ts"
import * as StatisticRule from "./StatisticRule.ts"
import { StatisticStore } from "./StatisticStore.ts"

/** The figures of one day. */
export interface DayFigures extends Figures {
  readonly date: CalendarDate
}

/** An agent as statistics name it. */
export interface CountedAgent {
  readonly id: AgentId
  /** The agent's present name. Null for an agent that was deleted, or that the caller no longer sees. */
  readonly name: string | null
  /** Whether the agent is archived. False when its name is null. */
  readonly isArchived: boolean
}

/** The figures of one agent. */
export interface AgentFigures extends Figures {
  /** Null for what no agent did. */
  readonly agent: CountedAgent | null
}

/** The statistics of an account in a range of days. */
export interface AccountStatistics {
  readonly startDate: CalendarDate
  readonly endDate: CalendarDate
  /** The account's time zone, in which the days are. */
  readonly timeZone: TimeZone.TimeZone
  /** False while so many changes wait to be folded that the newest are not counted yet (D-STAT-6). */
  readonly isComplete: boolean
  readonly totals: Figures
  /** Every day of the range in order, also without anything. */
  readonly days: ReadonlyArray<DayFigures>
  /** The agents with a figure, in the order of their ids, and last what no agent did. */
  readonly agents: ReadonlyArray<AgentFigures>
}

const inputs: Input.Inputs<Statistics["Service"]> = {
  get: [{ query: Schema.UndefinedOr(StatisticQuery) }]
}

/** The day number of 0000-01-01, the earliest `CalendarDate`. */
const firstDay = fromParts(0, 1, 1)

/** Returns the days of a query, with its defaults. Fails with `InvalidParameter` for a reversed range and one of too many days. */
const daysOf = Effect.fnUntraced(function* (query: StatisticQuery, zone: TimeZone.TimeZone) {
  const endDate = query.endDate ?? TimeZone.dateAt((yield* DateTime.now).epochMilliseconds, zone)
  const end = toDayNumber(endDate)
  const startDate = query.startDate ?? fromDayNumber(Math.max(firstDay, end - defaultDays + 1))
  yield* DateRange.requireOrder({ startDate, endDate })
  if (end - toDayNumber(startDate) >= maxDays) {
    return yield* new InvalidParameter({ parameter: "start_date", message: `a query has at most ${maxDays} days` })
  }
  return { startDate, endDate }
})

/** Shows a caller the statistics of its own account, by day and by agent (D-STAT-1). */
export class Statistics extends Context.Service<
  Statistics,
  {
    /**
     * Returns the statistics of the caller's account. They count the records that the account owns, and not those that it
     * sees through its teams (D-STAT-7). Fails with `InvalidParameter` when the end date is before the start date, or the
     * range has more than `StatisticInput.maxDays` days.
     */
    readonly get: (
      query?: StatisticQuery
    ) => Effect.Effect<AccountStatistics, InvalidParameter | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/statistics/Statistics") {
  /** The service over the store of statistics. */
  static readonly layer: Layer.Layer<Statistics, never, StatisticStore | Agents> = Layer.effect(
    Statistics,
    Effect.gen(function* () {
      const store = yield* StatisticStore
      const agents = yield* Agents

      const namedAgents = Effect.gen(function* () {
        const all = [...(yield* agents.list()), ...(yield* agents.list({ archived: true }))]
        return new Map(all.map((agent): readonly [AgentId, Agent] => [agent.id, agent]))
      })

      return Input.service(Statistics, inputs, {
        get: Tracing.operation("Statistics.get")(function* (query = {}) {
          const { account } = yield* Principal
          const { timeZone } = account.settings
          const { endDate, startDate } = yield* daysOf(query, timeZone)
          const instantOf = (day: number) => DateTime.makeUnsafe(TimeZone.startOfDay(day, timeZone))
          const stored = yield* store.read(account.id, {
            startDate,
            endDate,
            from: instantOf(toDayNumber(startDate)),
            until: instantOf(toDayNumber(endDate) + 1),
            agentId: query.agentId
          })
          const waiting = StatisticRule.fold(stored.waiting, timeZone)
          const days = StatisticRule.byDay([...stored.days, ...waiting], startDate, endDate)
          const counted = StatisticRule.byAgents([...stored.agents, ...waiting])
          const named = counted.length === 0 ? new Map<AgentId, Agent>() : yield* namedAgents
          return {
            startDate,
            endDate,
            timeZone,
            isComplete: stored.isComplete,
            totals: StatisticRule.total(days),
            days: days.map(({ date, figures }) => ({ date, ...figures })),
            agents: counted.map(({ agentId, figures }) => ({ agent: shown(agentId, named), ...figures }))
          }
        })
      })
    })
  )
}

const shown = (id: AgentId | null, named: ReadonlyMap<AgentId, Agent>): CountedAgent | null => {
  if (id === null) return null
  const agent = named.get(id)
  return { id, name: agent?.name ?? null, isArchived: agent !== undefined && agent.archivedAt !== null }
}

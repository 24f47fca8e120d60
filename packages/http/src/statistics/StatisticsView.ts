import type { AccountStatistics, AgentFigures, DayFigures } from "@frontdesk/core/statistics/Statistics"
import { AgentId } from "@frontdesk/core/agent/Agent"
import * as Statistic from "@frontdesk/core/statistics/Statistic"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { ShownMoney } from "@frontdesk/core/values/Money"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const figures = { ...Statistic.Figures.fields, spend: ShownMoney }

/** The JSON of figures. */
export const FiguresView = Schema.Struct(figures).annotate({ identifier: "Figures" })

/** The JSON of the figures of a day. */
export const DayFiguresView = Schema.Struct({ date: CalendarDate, ...figures }).annotate({ identifier: "DayFigures" })

/** The JSON of an agent in statistics. */
export const CountedAgentView = Wire.snakeCase(
  Schema.Struct({ id: AgentId, name: Schema.NullOr(Schema.String), isArchived: Schema.Boolean })
).annotate({ identifier: "CountedAgent" })

/** The JSON of the figures of an agent. */
export const AgentFiguresView = Schema.Struct({ agent: Schema.NullOr(CountedAgentView), ...figures }).annotate({
  identifier: "AgentFigures"
})

/** The JSON of statistics. */
export const StatisticsView = Wire.snakeCase(
  Schema.Struct({
    startDate: CalendarDate,
    endDate: CalendarDate,
    timeZone: Schema.String,
    isComplete: Schema.Boolean,
    totals: FiguresView,
    days: Schema.Array(DayFiguresView),
    agents: Schema.Array(AgentFiguresView)
  })
).annotate({ identifier: "Statistics" })

const figuresView = (given: Statistic.Figures): typeof FiguresView.Type => ({
  calls: given.calls,
  answered: given.answered,
  minutes: given.minutes,
  spend: given.spend,
  bookings: given.bookings,
  deliveries: given.deliveries,
  failures: given.failures
})

const dayView = (day: DayFigures): typeof DayFiguresView.Type => ({ date: day.date, ...figuresView(day) })

const agentView = (one: AgentFigures): typeof AgentFiguresView.Type => ({
  agent: one.agent === null ? null : { id: one.agent.id, name: one.agent.name, isArchived: one.agent.isArchived },
  ...figuresView(one)
})

/** Returns the view of statistics. */
export const statisticsView = (statistics: AccountStatistics): typeof StatisticsView.Type => ({
  startDate: statistics.startDate,
  endDate: statistics.endDate,
  timeZone: statistics.timeZone,
  isComplete: statistics.isComplete,
  totals: figuresView(statistics.totals),
  days: statistics.days.map(dayView),
  agents: statistics.agents.map(agentView)
})

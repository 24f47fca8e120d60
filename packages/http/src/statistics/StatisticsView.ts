import { AgentId } from "@frontdesk/core/agent/Agent"
import * as Statistic from "@frontdesk/core/statistics/Statistic"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { ShownMoney } from "@frontdesk/core/values/Money"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const figures = { ...Statistic.Figures.fields, spend: ShownMoney }

/** The JSON of figures. */
const FiguresView = Schema.Struct(figures).annotate({ identifier: "Figures" })

/** The JSON of the figures of a day. */
const DayFiguresView = Schema.Struct({ date: CalendarDate, ...figures }).annotate({ identifier: "DayFigures" })

/** The JSON of an agent in statistics. */
const CountedAgentView = Wire.snakeCase(
  Schema.Struct({ id: AgentId, name: Schema.NullOr(Schema.String), isArchived: Schema.Boolean })
).annotate({ identifier: "CountedAgent" })

/** The JSON of the figures of an agent. */
const AgentFiguresView = Schema.Struct({ agent: Schema.NullOr(CountedAgentView), ...figures }).annotate({
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

import { AgentId } from "@frontdesk/core/agent/Agent"
import { defaultDays, maxDays, StatisticQuery } from "@frontdesk/core/statistics/StatisticInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OperationName } from "../ApiAnnotations.ts"
import { errors } from "../ApiError.ts"
import { dateQuery, idText } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { StatisticsView } from "./StatisticsView.ts"

const query = Wire.snakeCase(Schema.Struct({ agentId: Schema.optionalKey(idText(AgentId)), ...dateQuery })).pipe(
  Input.decodes(StatisticQuery)
)

/** The endpoint of the statistics of an account (D-STAT-1). */
export const StatisticsApi = HttpApiGroup.make("statistics")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/statistics", {
      query,
      success: StatisticsView,
      error: errors()
    })
      .annotate(OperationName, "statistics.get")
      .annotate(CostOf, RequestCost.ofStatistics)
      .annotate(OpenApi.Summary, "Get the statistics of the account")
      .annotate(
        OpenApi.Description,
        `Returns what the account did: in total, on each day, and by agent. \`start_date\` and \`end_date\` are days in the account's time zone, both included, at most ${maxDays}. The default is the last ${defaultDays} days. With \`agent_id\` only this agent's calls and events are counted.

- \`calls\`, \`answered\`, \`minutes\` and \`spend\` count on the day on which a call was made. \`minutes\` are the started minutes of ended calls. \`spend\` is what ended calls were charged, in units of the account's currency.
- \`bookings\` are the calendar events made on a day, except for cancelled ones and those of the type \`busy\`.
- \`deliveries\` and \`failures\` are the webhook deliveries that are delivered or have failed, on the day of their webhook event. They belong to no agent.

A correction, such as a cancelled event or a redelivery, changes the day that it corrects. Records that were deleted stay counted. \`agents\` has an entry for each agent with a figure. Its name is null when the agent was deleted. An entry with the agent null has what no agent did. \`is_complete\` is false for a moment after very many changes, when the newest are not counted yet.`
      )
  )
  .annotate(OpenApi.Title, "Statistics")
  .annotate(OpenApi.Description, "What the account did, by day and by agent.")

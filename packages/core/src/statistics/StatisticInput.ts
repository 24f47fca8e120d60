import * as Schema from "effect/Schema"
import { AgentId } from "../agent/Agent.ts"
import * as DateRange from "../values/DateRange.ts"

/** The maximum number of days of one query. */
export const maxDays = 366

/** How many days a query has that names no first day. */
export const defaultDays = 30

/**
 * The range of statistics. Dates are days in the account's time zone; both are included. The default of `endDate` is today,
 * and `startDate` is by default 29 days before the end.
 */
export const StatisticQuery = Schema.Struct({
  ...DateRange.fields,
  /** Only what this agent did. */
  agentId: Schema.optional(AgentId)
})

/** The range of statistics. */
export type StatisticQuery = typeof StatisticQuery.Type

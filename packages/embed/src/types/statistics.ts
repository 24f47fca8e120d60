import type { CallOptions, LocalDate } from "./common.ts"

/** The range of statistics. Dates are days in the account's time zone; both are included. */
export interface StatisticQuery {
  /** The first day. Default: 29 days before the end. */
  readonly startDate?: LocalDate | undefined
  /** The last day. Default: today. A range has at most 366 days. */
  readonly endDate?: LocalDate | undefined
  /** Only what this agent did. */
  readonly agentId?: number | undefined
}

/** What an account did. */
export interface Figures {
  /** Calls that were made or received. */
  readonly calls: number
  /** Calls that were answered. */
  readonly answered: number
  /** The started minutes of ended calls. */
  readonly minutes: number
  /** What ended calls were charged, in millionths of the account's currency. */
  readonly spend: number
  /** Calendar events that were made, except for cancelled ones and those of the type `busy`. */
  readonly bookings: number
  /** Webhook deliveries that are delivered. */
  readonly deliveries: number
  /** Webhook deliveries that have failed. */
  readonly failures: number
}

/** The figures of one day. */
export interface DayFigures extends Figures {
  readonly date: string
}

/** An agent as statistics name it. */
export interface CountedAgent {
  readonly id: number
  /** Null for an agent that was deleted, or that the account no longer sees. */
  readonly name: string | null
  readonly isArchived: boolean
}

/** The figures of one agent. */
export interface AgentFigures extends Figures {
  /** Null for what no agent did. */
  readonly agent: CountedAgent | null
}

/** The statistics of an account in a range of days. */
export interface AccountStatistics {
  readonly startDate: string
  readonly endDate: string
  readonly timeZone: string
  /** False for a moment after very many changes, when the newest are not counted yet. */
  readonly isComplete: boolean
  readonly totals: Figures
  /** Every day of the range, also without anything. */
  readonly days: ReadonlyArray<DayFigures>
  /** The agents with a figure, in the order of their ids, and last what no agent did. */
  readonly agents: ReadonlyArray<AgentFigures>
}

/** The statistics of the account, by day and by agent. */
export interface Statistics {
  /** Returns the statistics of a range of days. */
  readonly get: (query?: StatisticQuery, options?: CallOptions) => Promise<AccountStatistics>
}

import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import type { AgentId } from "../agent/Agent.ts"
import type { CalendarDate } from "../values/CalendarDate.ts"
import * as Money from "../values/Money.ts"

/** What is counted of an account (D-STAT-1). Each figure is exact. `StatisticRule` decides what counts. */
export const Figures = Schema.Struct({
  /** Calls that were made or received, whatever became of them. */
  calls: Schema.Int,
  /** Calls that were answered. */
  answered: Schema.Int,
  /** The started minutes of talk of ended calls, as `Billing.billedMinutes` counts them. */
  minutes: Schema.Int,
  /** The charges of ended calls. */
  spend: Money.Money,
  /** Calendar events that were made, except for cancelled ones and those of the type `busy`. */
  bookings: Schema.Int,
  /** Webhook deliveries that are delivered. */
  deliveries: Schema.Int,
  /** Webhook deliveries that have failed. */
  failures: Schema.Int
})

/** What is counted of an account. */
export type Figures = typeof Figures.Type

/** The name of a figure. */
export type FigureName = keyof Figures

/** The names of all figures, in the order in which answers have them. */
export const figureNames: ReadonlyArray<FigureName> = [
  "calls",
  "answered",
  "minutes",
  "spend",
  "bookings",
  "deliveries",
  "failures"
]

/** Figures that are all 0. */
export const none: Figures = {
  calls: 0,
  answered: 0,
  minutes: 0,
  spend: Money.zero,
  bookings: 0,
  deliveries: 0,
  failures: 0
}

/** Returns figures that a function makes from the name of each. */
export const make = (valueOf: (name: FigureName) => number): Figures => ({
  calls: valueOf("calls"),
  answered: valueOf("answered"),
  minutes: valueOf("minutes"),
  spend: Money.Money.make(valueOf("spend")),
  bookings: valueOf("bookings"),
  deliveries: valueOf("deliveries"),
  failures: valueOf("failures")
})

/** Returns the sums of figures. */
export const add = (one: Figures, other: Figures): Figures => make((name) => one[name] + other[name])

/** Returns the differences of figures. */
export const subtract = (one: Figures, other: Figures): Figures => make((name) => one[name] - other[name])

/** Returns whether all figures are 0. */
export const isNone = (figures: Figures): boolean => figureNames.every((name) => figures[name] === 0)

/** Figures of one second and one agent, to be added to the statistics. A correction has negative figures. */
export interface StatisticPart {
  /** The epoch second of the time that the figures belong to, rounded down. Every time zone changes dates at a whole second. */
  readonly second: number
  /** Null for what no agent did. */
  readonly agentId: AgentId | null
  readonly figures: Figures
}

/** A part with its account. */
export interface AccountPart extends StatisticPart {
  readonly accountId: AccountId
}

/** The figures of one day and one agent. */
export interface DayStatistic {
  readonly day: CalendarDate
  readonly agentId: AgentId | null
  readonly figures: Figures
}

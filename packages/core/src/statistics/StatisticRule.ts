import type * as DateTime from "effect/DateTime"
import type { AccountId } from "../access/Account.ts"
import type { AgentId } from "../agent/Agent.ts"
import * as Billing from "../call/Billing.ts"
import { type Call, talkSeconds } from "../call/Call.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import type { DeliveryState } from "../delivery/Delivery.ts"
import { type CalendarDate, fromDayNumber, toDayNumber } from "../values/CalendarDate.ts"
import * as Money from "../values/Money.ts"
import * as TimeZone from "../values/TimeZone.ts"
import {
  type AccountPart,
  add,
  type DayStatistic,
  type Figures,
  isNone,
  none,
  type StatisticPart,
  subtract
} from "./Statistic.ts"

/** Returns the epoch second of an instant, rounded down. */
export const secondOf = (instant: DateTime.Utc): number => Math.floor(instant.epochMilliseconds / 1_000)

/**
 * Returns what a call counts for, at the time at which it was made (D-STAT-1).
 *
 * It counts as answered when it has the time of its answer. Its minutes are 0 until it has ended. Its spend is 0 until its
 * charge is settled, because a reservation is not spent.
 */
export const ofCall = (
  call: Pick<Call, "accountId" | "agent" | "billing" | "createdAt" | "startedAt" | "endedAt">
): AccountPart => ({
  accountId: call.accountId,
  second: secondOf(call.createdAt),
  agentId: call.agent.id,
  figures: {
    ...none,
    calls: 1,
    answered: call.startedAt === null ? 0 : 1,
    minutes: Billing.billedMinutes(talkSeconds(call)),
    spend: call.billing.status === "pending" ? Money.zero : Billing.totalCharge(call.billing)
  }
})

/**
 * Returns what a calendar event counts for, at the time at which it was made, which is not the time of the appointment
 * (D-STAT-2). It is a booking unless it is cancelled or only blocks time.
 */
export const ofCalendarEvent = (
  event: Pick<CalendarEvent, "accountId" | "aiAgent" | "createdAt" | "eventType" | "status">
): AccountPart => ({
  accountId: event.accountId,
  second: secondOf(event.createdAt),
  agentId: event.aiAgent === null ? null : event.aiAgent.id,
  figures: { ...none, bookings: event.eventType === "busy" || event.status === "cancelled" ? 0 : 1 }
})

/**
 * Returns what a delivery counts for, at the time of its webhook event, without an agent (D-STAT-3). A redelivery makes
 * it pending, and then it is not counted until its next result.
 */
export const ofDelivery = (delivery: {
  readonly accountId: AccountId
  /** The time of the webhook event. */
  readonly createdAt: DateTime.Utc
  readonly state: DeliveryState
}): AccountPart => ({
  accountId: delivery.accountId,
  second: secondOf(delivery.createdAt),
  agentId: null,
  figures: {
    ...none,
    deliveries: delivery.state === "delivered" ? 1 : 0,
    failures: delivery.state === "failed" ? 1 : 0
  }
})

/**
 * Returns the parts that a change adds to the statistics: what a record counted for before is taken away, and what it counts
 * for after is added (D-STAT-4). Without a difference it returns none. `before` is null for a new record.
 */
export const partsOf = (before: AccountPart | null, after: AccountPart): ReadonlyArray<AccountPart> => {
  if (before === null) return counting([after])
  if (before.second === after.second && before.agentId === after.agentId) {
    return counting([{ ...after, figures: subtract(after.figures, before.figures) }])
  }
  return counting([{ ...before, figures: subtract(none, before.figures) }, after])
}

const counting = (parts: ReadonlyArray<AccountPart>): ReadonlyArray<AccountPart> =>
  parts.filter(({ figures }) => !isNone(figures))

/** Returns the date at an epoch second in a time zone. */
export const dayOf = (second: number, zone: TimeZone.TimeZone): CalendarDate => TimeZone.dateAt(second * 1_000, zone)

/** Compares agents by id. What no agent did comes last. */
export const byAgent = (one: AgentId | null, other: AgentId | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one - other

/** Returns the sums of figures by a key. Keys without a figure are left out. */
const sumBy = <A extends { readonly figures: Figures }, K>(
  all: ReadonlyArray<A>,
  keyOf: (one: A) => K
): ReadonlyMap<K, Figures> => {
  const sums = new Map<K, Figures>()
  for (const one of all) {
    const key = keyOf(one)
    sums.set(key, add(sums.get(key) ?? none, one.figures))
  }
  return new Map([...sums].filter(([, figures]) => !isNone(figures)))
}

/**
 * Returns the sums of parts by day in a time zone and by agent. They are in the order of their days and agents, so that
 * transactions that add several of them lock them in one order. Sums that are 0 are left out.
 */
export const fold = (parts: ReadonlyArray<StatisticPart>, zone: TimeZone.TimeZone): ReadonlyArray<DayStatistic> =>
  [...Map.groupBy(parts, ({ agentId }) => agentId)]
    .flatMap(([agentId, own]) =>
      Array.from(
        sumBy(own, ({ second }) => dayOf(second, zone)),
        ([day, figures]) => ({ day, agentId, figures })
      )
    )
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : byAgent(a.agentId, b.agentId)))

/** Returns the days of a range, including the first and the last, with their sums. A day without anything has zeros. */
export const byDay = (
  all: ReadonlyArray<{ readonly day: CalendarDate; readonly figures: Figures }>,
  first: CalendarDate,
  last: CalendarDate
): ReadonlyArray<{ readonly date: CalendarDate; readonly figures: Figures }> => {
  const sums = sumBy(all, ({ day }) => day)
  const firstNumber = toDayNumber(first)
  return Array.from({ length: Math.max(0, toDayNumber(last) - firstNumber + 1) }, (_, index) => {
    const date = fromDayNumber(firstNumber + index)
    return { date, figures: sums.get(date) ?? none }
  })
}

/** Returns the sums by agent, in the order of their ids. Agents without a figure are left out. */
export const byAgents = (
  all: ReadonlyArray<{ readonly agentId: AgentId | null; readonly figures: Figures }>
): ReadonlyArray<{ readonly agentId: AgentId | null; readonly figures: Figures }> =>
  Array.from(
    sumBy(all, ({ agentId }) => agentId),
    ([agentId, figures]) => ({ agentId, figures })
  ).toSorted((a, b) => byAgent(a.agentId, b.agentId))

/** Returns the sum of all figures. */
export const total = (all: ReadonlyArray<{ readonly figures: Figures }>): Figures =>
  all.reduce((sum, { figures }) => add(sum, figures), none)

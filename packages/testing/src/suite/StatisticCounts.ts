import type { Account } from "@frontdesk/core/access/Account"
import type { Call } from "@frontdesk/core/call/Call"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { type Figures, none, type StatisticPart } from "@frontdesk/core/statistics/Statistic"
import * as StatisticRule from "@frontdesk/core/statistics/StatisticRule"
import { type StatisticRange, StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as Money from "@frontdesk/core/values/Money"
import type { PageRequest } from "@frontdesk/core/values/Page"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"

/** The days of the tests. */
export const range: StatisticRange = {
  startDate: CalendarDate.make("2026-02-01"),
  endDate: CalendarDate.make("2026-04-30"),
  from: Samples.at("2026-01-30T00:00:00.000Z"),
  until: Samples.at("2026-05-02T00:00:00.000Z")
}

/** Sums by a day or by an agent. */
export type Sums = Readonly<Record<string, Partial<Figures>>>

/** Statistics in a form that is easy to compare: sums by day and sums by agent, without zeros. */
export interface Counts {
  readonly days: Sums
  readonly agents: Sums
}

const names = ["calls", "answered", "minutes", "spend", "bookings", "deliveries", "failures"] as const

/** Something that counts, with its day and its agent. */
interface Fact {
  readonly day: string | null
  /** "none" for what no agent did. */
  readonly agent: string | null
  readonly figures: Partial<Figures>
}

const sumBy = (facts: ReadonlyArray<Fact>, key: "day" | "agent"): Sums => {
  const sums: Record<string, Record<string, number>> = {}
  for (const fact of facts) {
    const name = fact[key]
    if (name === null) continue
    const own = (sums[name] ??= {})
    for (const figure of names) own[figure] = (own[figure] ?? 0) + (fact.figures[figure] ?? 0)
  }
  const withoutZeros = (own: Record<string, number>) =>
    Object.fromEntries(Object.entries(own).filter(([, value]) => value !== 0))
  return Object.fromEntries(
    Object.entries(sums)
      .map(([name, own]) => [name, withoutZeros(own)] as const)
      .filter(([, own]) => Object.keys(own).length > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  )
}

const countsOf = (facts: ReadonlyArray<Fact>): Counts => ({
  days: sumBy(facts, "day"),
  agents: sumBy(facts, "agent")
})

const dayIn = (zone: string, at: DateTime.Utc): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    at.epochMilliseconds
  )

/** Returns what the port shows of an account, folded or not. Fails when it is not complete. */
export const stored = Effect.fnUntraced(function* (
  account: Pick<Account, "id" | "settings">,
  given: StatisticRange = range
) {
  const found = yield* (yield* StatisticStore).read(account.id, given)
  if (!found.isComplete) return yield* Effect.die(new Error("the statistics are not complete"))
  const zone = account.settings.timeZone
  const agent = (id: number | null) => (id === null ? "none" : String(id))
  return countsOf([
    ...found.days.map(({ day, figures }): Fact => ({ day, agent: null, figures })),
    ...found.agents.map(({ agentId, figures }): Fact => ({ day: null, agent: agent(agentId), figures })),
    ...found.waiting.map(({ agentId, figures, second }): Fact => ({
      day: dayIn(zone, DateTime.makeUnsafe(second * 1_000)),
      agent: agent(agentId),
      figures
    }))
  ])
})

const minutesOf = ({ endedAt, startedAt }: Call): number => {
  if (startedAt === null || endedAt === null) return 0
  const seconds = Math.floor((endedAt.epochMilliseconds - startedAt.epochMilliseconds) / 1_000)
  return Math.max(1, Math.ceil(seconds / 60))
}

/** Counts the stored records of an account one by one, as slowly as a scan. */
export const counted = Effect.fnUntraced(function* (
  account: Pick<Account, "id" | "settings">,
  webhookIds: ReadonlyArray<WebhookId>
) {
  const zone = account.settings.timeZone
  const scope = Samples.scopeOf(account)
  const calls = yield* CallStore
  const events = yield* CalendarEventStore
  const deliveries = yield* DeliveryStore
  const facts: Array<Fact> = []
  for (const call of yield* readAll((page) => calls.list(scope, {}, page), 100)) {
    const { finalCharge, initialCharge, status } = call.billing
    facts.push({
      day: dayIn(zone, call.createdAt),
      agent: String(call.agent.id),
      figures: {
        calls: 1,
        answered: call.startedAt === null ? 0 : 1,
        minutes: minutesOf(call),
        spend: status === "pending" ? Money.zero : Money.sum(initialCharge, finalCharge)
      }
    })
  }
  for (const event of yield* readAll((page) => events.list(scope, {}, page), 100)) {
    const isBooking = event.eventType !== "busy" && event.status !== "cancelled"
    facts.push({
      day: dayIn(zone, event.createdAt),
      agent: event.aiAgent === null ? "none" : String(event.aiAgent.id),
      figures: { bookings: isBooking ? 1 : 0 }
    })
  }
  for (const webhookId of webhookIds) {
    const list = (page: PageRequest) => deliveries.list(account.id, webhookId, Option.none(), page)
    for (const delivery of yield* readAll(list, 100)) {
      const { createdAt, status } = delivery
      const figures = { deliveries: status === "delivered" ? 1 : 0, failures: status === "failed" ? 1 : 0 }
      facts.push({ day: dayIn(zone, createdAt), agent: "none", figures })
    }
  }
  return countsOf(facts)
})

/** Folds waiting parts of an account in one transaction, at most `limit` of them. Returns how many. */
export const fold = Effect.fnUntraced(function* (account: Pick<Account, "id" | "settings">, limit: number) {
  const { run } = yield* Transaction
  const store = yield* StatisticStore
  return yield* run(
    Effect.gen(function* () {
      const parts: ReadonlyArray<StatisticPart> = yield* store.take(account.id, limit)
      yield* store.add(account.id, StatisticRule.fold(parts, account.settings.timeZone))
      return parts.length
    })
  )
})

/** Figures of which only the given ones are not 0. */
export const figures = (given: Partial<Figures>): Figures => ({ ...none, ...given })

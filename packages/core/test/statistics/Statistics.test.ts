import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { Agents } from "@frontdesk/core/agent/Agents"
import type { StatisticQuery } from "@frontdesk/core/statistics/StatisticInput"
import { Statistics } from "@frontdesk/core/statistics/Statistics"
import { StatisticStore } from "@frontdesk/core/statistics/StatisticStore"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { figures, fold } from "@frontdesk/testing/suite/StatisticCounts"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const services = Statistics.layer.pipe(
  Layer.provideMerge(Agents.layer),
  Layer.provideMerge(Layer.fresh(MemoryStorage.layer))
)

const date = (text: string) => CalendarDate.make(text)

const settings = (timeZone: string) => ({ ...defaultSettings, timeZone: TimeZone.make(timeZone) })

/** Makes an account, and returns it with an agent and what it sees. */
const makeCaller = (timeZone = "America/New_York") =>
  Effect.gen(function* () {
    const account = yield* Samples.makeAccount({ settings: settings(timeZone) })
    const agent = yield* Samples.makeAgent(account.id)
    const { get } = yield* Statistics
    const see = (query?: StatisticQuery) => Effect.provideService(get(query), Principal, ofAccount(account))
    return { account, agent, see }
  })

const at = (text: string) => TestClock.setTime(Date.parse(text))

describe("Statistics", () => {
  it.effect("get returns the last 30 days by default, today in the account's time zone, with zeros (D-STAT-1)", () =>
    Effect.gen(function* () {
      const { account, agent, see } = yield* makeCaller()
      // Still 9 March in New York.
      yield* at("2026-03-10T03:59:59Z")
      yield* Samples.makeCall(account.id, agent, { createdAt: Samples.at("2026-03-10T03:59:59.999Z") })
      yield* Samples.makeCall(account.id, agent, { createdAt: Samples.at("2026-03-10T04:00:00.000Z") })
      yield* Samples.makeCall(account.id, agent, { createdAt: Samples.at("2026-02-07T12:00:00.000Z") })
      const found = yield* see()
      expect(found).toMatchObject({
        startDate: "2026-02-08",
        endDate: "2026-03-09",
        timeZone: "America/New_York",
        isComplete: true,
        totals: figures({ calls: 1 }),
        agents: [{ agent: { id: agent.id, name: "Ada", isArchived: false }, ...figures({ calls: 1 }) }]
      })
      expect(found.days.length).toBe(30)
      expect(found.days.at(-1)).toEqual({ date: "2026-03-09", ...figures({ calls: 1 }) })
      expect(found.days.slice(0, -1).every(({ calls }) => calls === 0)).toBe(true)
      expect((yield* see({ endDate: date("2026-02-10") })).startDate).toBe("2026-01-12")
      expect((yield* see({ startDate: date("2026-03-09") })).days.map((day) => day.date)).toEqual(["2026-03-09"])
      expect((yield* see({ endDate: date("0000-01-03") })).days.length).toBe(3)
    }).pipe(Effect.provide(services))
  )

  it.effect("get adds up folded days and waiting parts, by day and by agent, and filters by agent (D-STAT-4)", () =>
    Effect.gen(function* () {
      const { account, agent, see } = yield* makeCaller("UTC")
      const second = yield* Samples.makeAgent(account.id, { name: "Bob" })
      const make = (one: typeof agent, day: string) =>
        Samples.makeCall(account.id, one, { createdAt: Samples.at(`${day}T12:00:00.000Z`) })
      yield* make(second, "2026-03-01")
      yield* make(agent, "2026-03-01")
      yield* make(agent, "2026-03-02")
      yield* fold(account, 2)
      yield* make(second, "2026-03-02")
      yield* Samples.makeCalendarEvent(account.id, { createdAt: Samples.at("2026-03-02T12:00:00.000Z") })
      const range = { startDate: date("2026-03-01"), endDate: date("2026-03-03") }
      const found = yield* see(range)
      expect(found.days).toEqual([
        { date: "2026-03-01", ...figures({ calls: 2 }) },
        { date: "2026-03-02", ...figures({ calls: 2, bookings: 1 }) },
        { date: "2026-03-03", ...figures({}) }
      ])
      expect(found.totals).toEqual(figures({ calls: 4, bookings: 1 }))
      const named = (id: AgentId, name: string) => ({ id, name, isArchived: false })
      expect(found.agents).toEqual([
        { agent: named(agent.id, "Ada"), ...figures({ calls: 2 }) },
        { agent: named(second.id, "Bob"), ...figures({ calls: 2 }) },
        { agent: null, ...figures({ bookings: 1 }) }
      ])
      const ofOne = yield* see({ ...range, agentId: second.id })
      expect(ofOne.days.map(({ calls }) => calls)).toEqual([1, 1, 0])
      expect(ofOne.totals).toEqual(figures({ calls: 2 }))
      expect(ofOne.agents).toEqual([{ agent: named(second.id, "Bob"), ...figures({ calls: 2 }) }])
      expect((yield* see({ ...range, agentId: AgentId.make(999) })).agents).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("get names archived agents, and has no name for an agent that is gone (D-STAT-7)", () =>
    Effect.gen(function* () {
      const { account, agent, see } = yield* makeCaller("UTC")
      const agents = yield* AgentStore
      yield* agents.update({ ...agent, archivedAt: Samples.now })
      const gone = { agentId: AgentId.make(999), day: date("2026-03-02"), figures: figures({ calls: 3 }) }
      yield* (yield* StatisticStore).add(account.id, [
        { agentId: agent.id, day: date("2026-03-02"), figures: figures({ calls: 1 }) },
        gone
      ])
      const { agents: found } = yield* see({ startDate: date("2026-03-02"), endDate: date("2026-03-02") })
      expect(found.map((one) => one.agent)).toEqual([
        { id: agent.id, name: "Ada", isArchived: true },
        { id: gone.agentId, name: null, isArchived: false }
      ])
    }).pipe(Effect.provide(services))
  )

  it.effect("get counts what the account owns, and not what it sees through a team (D-STAT-7)", () =>
    Effect.gen(function* () {
      const team = yield* Samples.makeTeam()
      const [one, other] = [yield* makeCaller("UTC"), yield* makeCaller("UTC")]
      const accounts = yield* AccountStore
      for (const { account } of [one, other]) yield* accounts.update({ ...account, teamIds: [team.id] })
      yield* Samples.makeCall(one.account.id, other.agent, { team })
      yield* Samples.makeCalendarEvent(one.account.id, { team })
      const range = { startDate: date("2026-03-02"), endDate: date("2026-03-02") }
      expect((yield* one.see(range)).totals).toEqual(figures({ calls: 1, bookings: 1 }))
      expect((yield* other.see(range)).totals).toEqual(figures({}))
    }).pipe(Effect.provide(services))
  )

  it.effect("a change of the time zone moves waiting parts, and leaves folded days as they are (D-STAT-8)", () =>
    Effect.gen(function* () {
      const { account, agent } = yield* makeCaller("UTC")
      const { get } = yield* Statistics
      const createdAt = Samples.at("2026-03-02T23:30:00.000Z")
      yield* Samples.makeCall(account.id, agent, { createdAt })
      yield* fold(account, 10)
      yield* Samples.makeCall(account.id, agent, { createdAt })
      const moved = { ...account, settings: settings("Asia/Tokyo") }
      const found = yield* Effect.provideService(
        get({ startDate: date("2026-03-02"), endDate: date("2026-03-03") }),
        Principal,
        ofAccount(moved)
      )
      expect(found.days.map(({ calls }) => calls)).toEqual([1, 1])
    }).pipe(Effect.provide(services))
  )

  it.effect("get refuses a reversed range and one of more than 366 days", () =>
    Effect.gen(function* () {
      const { see } = yield* makeCaller("UTC")
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      const refused = (query: StatisticQuery) => Effect.flip(see(query))
      expect(yield* refused({ startDate: date("2026-03-03"), endDate: date("2026-03-02") })).toMatchObject({
        _tag: "InvalidParameter",
        parameter: "end_date"
      })
      expect(yield* refused({ startDate: date("2024-01-01"), endDate: date("2025-01-01") })).toMatchObject({
        _tag: "InvalidParameter",
        parameter: "start_date",
        message: "a query has at most 366 days"
      })
      expect((yield* see({ startDate: date("2024-01-01"), endDate: date("2024-12-31") })).days.length).toBe(366)
    }).pipe(Effect.provide(services))
  )
})

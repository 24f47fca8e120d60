import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { add, type AccountPart, isNone, none, subtract } from "@frontdesk/core/statistics/Statistic"
import * as StatisticRule from "@frontdesk/core/statistics/StatisticRule"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { Money } from "@frontdesk/core/values/Money"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { figures } from "@frontdesk/testing/suite/StatisticCounts"
import * as DateTime from "effect/DateTime"
import * as fc from "fast-check"

const accountId = AccountId.make(1)

const [ada, bob] = [AgentId.make(7), AgentId.make(8)]

const call = Samples.newCall(accountId, { id: ada, name: "Ada", assistantId: "a" })

const ended = (seconds: number) => ({
  ...call,
  startedAt: Samples.now,
  endedAt: DateTime.add(Samples.now, { milliseconds: seconds * 1_000 })
})

const part = (second: number, agentId: AgentId | null, calls: number): AccountPart => ({
  accountId,
  second,
  agentId,
  figures: figures({ calls })
})

const parts = fc.array(
  fc.record({
    accountId: fc.constant(accountId),
    second: fc.integer({ min: 1_700_000_000, max: 1_700_300_000 }),
    agentId: fc.constantFrom(ada, bob, null),
    figures: fc.integer({ min: -3, max: 3 }).map((calls) => figures({ calls, answered: -calls }))
  }),
  { maxLength: 20 }
)

describe("StatisticRule", () => {
  it.each([
    ["a queued call", call, {}],
    ["an answered call that runs", { ...call, startedAt: Samples.now }, { answered: 1 }],
    ["a call that ended without an answer", { ...call, endedAt: Samples.now }, {}],
    ["a call that ended at once", ended(0), { answered: 1, minutes: 1 }],
    ["a call of 60.999 seconds", ended(60.999), { answered: 1, minutes: 1 }],
    ["a call of 61 seconds", ended(61), { answered: 1, minutes: 2 }],
    ["a call that ended before its answer", ended(-70), { answered: 1, minutes: 1 }]
  ])("%s counts for its call, its answer and its started minutes (D-STAT-1)", (_, given, expected) => {
    expect(StatisticRule.ofCall(given)).toEqual({
      accountId,
      second: Math.floor(Samples.now.epochMilliseconds / 1_000),
      agentId: ada,
      figures: figures({ calls: 1, ...expected })
    })
  })

  it("the spend of a call is its total charge once it is settled (D-STAT-1)", () => {
    const spendOf = (status: "pending" | "charged" | "refunded" | "waived") =>
      StatisticRule.ofCall({
        ...call,
        billing: { ...call.billing, status, initialCharge: Money.make(10), finalCharge: Money.make(-4) }
      }).figures.spend
    expect([spendOf("pending"), spendOf("charged"), spendOf("refunded"), spendOf("waived")]).toEqual([0, 6, 6, 6])
  })

  it.each([
    ["scheduled", "meeting", 1],
    ["confirmed", "appointment", 1],
    ["completed", "voice_call", 1],
    ["no_show", "video_call", 1],
    ["cancelled", "meeting", 0],
    ["scheduled", "busy", 0]
  ] as const)("a %s calendar event of the type %s counts for %d bookings (D-STAT-2)", (status, eventType, bookings) => {
    const event = Samples.newCalendarEvent(accountId, { status, eventType, startTime: Samples.later(60) })
    const counted = StatisticRule.ofCalendarEvent(event)
    expect(counted).toMatchObject({ second: StatisticRule.secondOf(Samples.now), agentId: null })
    expect(counted.figures).toEqual(figures({ bookings }))
  })

  it.each([
    ["pending", {}],
    ["leased", {}],
    ["delivered", { deliveries: 1 }],
    ["failed", { failures: 1 }],
    ["cancelled", {}]
  ] as const)("a %s delivery counts by its state (D-STAT-3)", (state, expected) => {
    expect(StatisticRule.ofDelivery({ accountId, createdAt: Samples.now, state }).figures).toEqual(figures(expected))
  })

  it("law: the parts of a change add up to the difference, and have no zeros (D-STAT-4)", () => {
    fc.assert(
      fc.property(parts, (all) => {
        const [before = null, after = null] = all
        if (after === null) return
        const changes = StatisticRule.partsOf(before, after)
        expect(changes.filter((one) => isNone(one.figures))).toEqual([])
        expect(StatisticRule.total(changes)).toEqual(subtract(after.figures, before === null ? none : before.figures))
        expect(StatisticRule.partsOf(after, after)).toEqual([])
        const keys = changes.map((one) => `${one.second} ${one.agentId}`)
        expect(new Set(keys).size).toBe(keys.length)
      })
    )
  })

  it("fold adds up parts by day in the time zone and by agent, in order", () => {
    const midnight = Date.parse("2026-03-09T04:00:00Z") / 1_000
    const all = [
      part(midnight, null, 1),
      part(midnight, bob, 2),
      part(midnight - 1, ada, 4),
      part(midnight + 60, bob, 8)
    ]
    expect(
      StatisticRule.fold([...all, part(midnight, ada, 1), part(midnight, ada, -1)], TimeZone.make("America/New_York"))
    ).toEqual([
      { day: "2026-03-08", agentId: ada, figures: figures({ calls: 4 }) },
      { day: "2026-03-09", agentId: bob, figures: figures({ calls: 10 }) },
      { day: "2026-03-09", agentId: null, figures: figures({ calls: 1 }) }
    ])
  })

  it("law: fold, in any steps, keeps the sums of every day and of every agent", () => {
    const zone = fc.constantFrom("UTC", "Asia/Kathmandu", "Pacific/Apia").map((name) => TimeZone.make(name))
    fc.assert(
      fc.property(parts, fc.nat({ max: 20 }), zone, (all, place, timeZone) => {
        const steps = [all.slice(0, place), all.slice(place)].flatMap((some) => StatisticRule.fold(some, timeZone))
        const whole = StatisticRule.fold(all, timeZone)
        expect(StatisticRule.byAgents(steps)).toEqual(StatisticRule.byAgents(whole))
        const [first, last] = [CalendarDate.make("2023-11-01"), CalendarDate.make("2023-11-30")]
        expect(StatisticRule.byDay(steps, first, last)).toEqual(StatisticRule.byDay(whole, first, last))
        expect(StatisticRule.total(StatisticRule.byDay(whole, first, last))).toEqual(StatisticRule.total(all))
        expect(StatisticRule.total(StatisticRule.byAgents(whole))).toEqual(StatisticRule.total(all))
      })
    )
  })

  it("byDay returns every day of the range, with zeros for a day without anything", () => {
    const day = (text: string) => CalendarDate.make(text)
    const one = { day: day("2024-02-29"), figures: figures({ calls: 2 }) }
    expect(StatisticRule.byDay([one, one], day("2024-02-28"), day("2024-03-01"))).toEqual([
      { date: "2024-02-28", figures: none },
      { date: "2024-02-29", figures: add(one.figures, one.figures) },
      { date: "2024-03-01", figures: none }
    ])
  })
})

import { describe, expect, it } from "@effect/vitest"
import { TeamId } from "@frontdesk/core/access/Team"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as Page from "@frontdesk/core/values/Page"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { account, as, hour, inAccount, services } from "./services.ts"

const all = Page.request({})

describe("CalendarEvents.list", () => {
  it.effect("list returns the events that match every filter (C-4.6-1)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const [team, otherTeam] = [yield* makeTeam(), yield* makeTeam()]
      const owner = yield* account({}, [team.id, otherTeam.id])
      yield* Effect.gen(function* () {
        const [agent, otherAgent] = [yield* makeAgent(owner.id), yield* makeAgent(owner.id)]
        const wanted = {
          eventType: "voice_call",
          aiAgentId: agent.id,
          teamId: team.id,
          customerEmail: "jo@example.com"
        } as const
        const made = yield* events.create({ ...hour(), ...wanted })
        const others = [
          { eventType: "meeting" },
          { aiAgentId: otherAgent.id },
          { teamId: otherTeam.id },
          { customerEmail: "mo@example.com" }
        ] as const
        for (const other of others) yield* events.create({ ...hour(), ...wanted, ...other })
        /** Returns which events a query finds: 0 for `made`, and 1 to 4 for the others in their order. */
        const ids = (query: Parameters<typeof events.list>[0]) =>
          Effect.map(events.list(query, all), ({ items }) => items.map(({ id }) => id - made.id))
        expect(yield* ids({ eventType: "voice_call" })).toEqual([0, 2, 3, 4])
        expect(yield* ids({ aiAgentId: agent.id })).toEqual([0, 1, 3, 4])
        expect(yield* ids({ teamId: team.id })).toEqual([0, 1, 2, 4])
        expect(yield* ids({ customerEmail: "Jo@Example.com" })).toEqual([0, 1, 2, 3])
        expect(yield* ids({ customerEmail: "example.com" })).toEqual([])
        expect(yield* ids(wanted)).toEqual([0])
        expect(yield* ids({ ...wanted, teamId: TeamId.make(99) })).toEqual([])
      }).pipe(as(owner))
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "list returns the events that start between start_date and end_date in the account's time zone (D-CAL-8)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const at = (start: string) =>
          events.create({ title: start, startTime: start, endTime: "2026-06-09T00:00", status: "confirmed" })
        const starts = ["2026-05-31T23:59:59", "2026-06-01T00:00", "2026-06-02T23:59:59", "2026-06-03T00:00"]
        yield* Effect.forEach(starts.toReversed(), at)
        const [startDate, endDate] = [CalendarDate.make("2026-06-01"), CalendarDate.make("2026-06-02")]
        const titles = (query: Parameters<typeof events.list>[0]) =>
          Effect.map(events.list(query, all), ({ items }) => items.map(({ title }) => title))
        expect(yield* titles({})).toEqual(starts)
        expect(yield* titles({ startDate, endDate })).toEqual(starts.slice(1, 3))
        expect(yield* titles({ startDate })).toEqual(starts.slice(1))
        expect(yield* titles({ endDate })).toEqual(starts.slice(0, 3))
        expect(yield* titles({ status: "cancelled" })).toEqual([])
        expect(yield* Effect.flip(events.list({ startDate: endDate, endDate: startDate }, all))).toMatchObject({
          _tag: "InvalidParameter",
          parameter: "end_date"
        })
        expect(yield* events.list({ startDate }, { page: 2, limit: 2 })).toMatchObject({ count: 3, items: [{}] })
        yield* events.create({ title: "the last day", startTime: "9999-12-31T10:00", endTime: "9999-12-31T11:00" })
        expect(yield* titles({ endDate: CalendarDate.make("9999-12-31") })).toEqual([...starts, "the last day"])
      }).pipe(inAccount({ timeZone: TimeZone.make("America/New_York") }))
  )
})

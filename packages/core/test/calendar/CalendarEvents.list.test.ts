import { describe, expect, it } from "@effect/vitest"
import { TeamId } from "@frontdesk/core/access/Team"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as Page from "@frontdesk/core/values/Page"
import { makeAgent, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import { account, as, hour, services } from "./services.ts"

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
})

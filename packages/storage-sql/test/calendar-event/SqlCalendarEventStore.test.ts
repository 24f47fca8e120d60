import { describe, expect, it } from "@effect/vitest"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { databases } from "../databases.ts"

describe.each(databases)("a calendar event of ten years, in %s", (_, storage) => {
  it.effect("is busy until its last millisecond, and not after its end", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const account = yield* Samples.makeAccount()
      const long = { startTime: Samples.at("2016-03-01T00:00:00Z"), endTime: Samples.at("2026-03-02T10:00:00Z") }
      yield* Samples.makeCalendarEvent(account.id, long)
      const busy = (from: string, until: string) =>
        events.busy(account.id, Samples.at(from), Samples.at(until), Option.none())
      expect(yield* busy("2026-03-02T09:59:59.999Z", "2026-03-03T00:00:00Z")).toHaveLength(1)
      expect(yield* busy("2026-03-02T10:00:00Z", "2026-03-03T00:00:00Z")).toHaveLength(0)
    }).pipe(Effect.provide(storage))
  )
})

describe.each(databases)("a scope with more teams than a list has branches, in %s", (_, storage) => {
  it.effect("has the count of all calendar events, and a first page in order", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
      const teams = yield* Effect.forEach(Array.from({ length: 150 }), () => Samples.makeTeam())
      const made = yield* Effect.forEach(teams, (team, index) =>
        Samples.makeCalendarEvent(index % 2 === 0 ? mine.id : other.id, {
          team,
          // Each start differs, and the starts are not in the order of the ids.
          startTime: Samples.later((index * 7) % 150),
          endTime: Samples.later(500)
        })
      )
      const scope = { accountId: mine.id, teamIds: teams.map((team) => team.id) }
      const page = yield* events.list(scope, { status: "scheduled" }, Page.request({ limit: 100 }))
      expect(page.count).toBe(150)
      expect(page.items).toEqual(
        made.toSorted((a, b) => a.startTime.epochMilliseconds - b.startTime.epochMilliseconds).slice(0, 100)
      )
    }).pipe(Effect.provide(storage))
  )
})

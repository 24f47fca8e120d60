import * as Slots from "@frontdesk/core/availability/Slots"
import { openTime } from "@frontdesk/core/availability/OpenTime"
import { CalendarDate, toDayNumber } from "@frontdesk/core/values/CalendarDate"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { clockChangeDates, difficultZones, question } from "@frontdesk/testing/arbitrary/availability"
import { show } from "@frontdesk/testing/arbitrary/showQuestion"
import * as Property from "@frontdesk/testing/Property"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const slotsOf = (query: Slots.SlotQuery) => Result.getOrThrow(Slots.find(query))

const sample = (options: Parameters<typeof question>[0] = {}) =>
  fc.sample(question(options), { numRuns: 1_000, seed: 348_871_703 })

describe("question", () => {
  it("at least 80 % of the questions have a slot, and in at least 60 % the busy times change the slots", () => {
    const questions = sample()
    const withSlots = questions.filter((query) => slotsOf(query).length > 0)
    const changed = questions.filter(
      (query) => JSON.stringify(slotsOf(query)) !== JSON.stringify(slotsOf({ ...query, busy: [] }))
    )
    expect(withSlots.length).toBeGreaterThanOrEqual(800)
    expect(changed.length).toBeGreaterThanOrEqual(600)
    // Questions without a slot stay among them.
    expect(withSlots.length).toBeLessThan(990)
  })

  it("ensure, busy and around hold for every question", () => {
    const zones = difficultZones.filter((zone) => clockChangeDates(zone).length > 0)
    for (const query of sample({ ensure: "someSlots", busy: "overlapsOpenTime", around: "clockChange", zones })) {
      expect(slotsOf(query).length).toBeGreaterThan(0)
      const open = Result.getOrThrow(openTime(query, query.startDate, query.endDate))
      const isMet = (query.busy ?? []).some((one) => open.some(({ end, start }) => one.start < end && start < one.end))
      expect(isMet).toBe(true)
      const days = clockChangeDates(query.timeZone).map((date) =>
        Math.abs(toDayNumber(date) - toDayNumber(query.startDate))
      )
      expect(Math.min(...days)).toBeLessThanOrEqual(1)
    }
  })
})

describe("show", () => {
  const query: Slots.SlotQuery = {
    timeZone: TimeZone.make("America/New_York"),
    startDate: CalendarDate.make("2026-03-08"),
    endDate: CalendarDate.make("2026-03-08"),
    workingHours: { sun: [["01:00", "04:00"]] },
    busy: [{ start: Date.parse("2026-03-08T07:30:00Z"), end: Date.parse("2026-03-08T08:15:00Z") }],
    duration: 60
  }

  it("prints a question in words", () => {
    expect(show(query)).toBe("2026-03-08 New York, Sun 01:00-04:00, busy 03:30-04:15 EDT, 60 min")
    const across = [{ start: Date.parse("2026-03-08T06:30:00Z"), end: Date.parse("2026-03-08T07:15:00Z") }]
    expect(show({ ...query, busy: across })).toContain("busy 01:30 EST-03:15 EDT")
  })

  it("fast-check and Property.forAll print counterexamples in words", async () => {
    const failing = Property.forAll(question(), () => Effect.fail("refuted"), { numRuns: 1 })
    await expect(Effect.runPromise(failing)).rejects.toThrow(/Counterexample: \[\d{4}-\d\d-\d\d [^\n]* min/)
    expect(() => fc.assert(fc.property(question(), () => false))).toThrow(
      /Counterexample: \[\d{4}-\d\d-\d\d [^\n]* min/
    )
  })
})

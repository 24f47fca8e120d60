import { Speech, StatedTime } from "@frontdesk/agent-tools"
import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { checkMoment, checkPresent, oracleOf, yearEnd, yearStart, zones } from "./oracle.ts"

const minute = 60_000
const zone = fc.constantFrom(...zones)
const instant = fc.integer({ min: yearStart / minute, max: yearEnd / minute }).map((each) => each * minute)
const oracles = new Map(zones.map((zone) => [zone, oracleOf(zone)]))
const oracleFor = (name: (typeof zones)[number]) => oracles.get(name) ?? oracleOf(name)

describe("laws of Speech", () => {
  it("the runtime knows at least 400 zones", () => {
    expect(zones.length).toBeGreaterThan(400)
  })

  it("weekday, day, month and time in the words of an instant are those of Intl", () => {
    fc.assert(
      fc.property(zone, instant, fc.integer({ min: -40 * 1_440, max: 400 * 1_440 }), (zone, now, minutes) => {
        checkMoment(zone, oracleFor(zone), now, now + minutes * minute)
      }),
      { numRuns: 3_000 }
    )
  })

  it("get_context names the weekday, the day of the month and the time of Intl", () => {
    fc.assert(
      fc.property(zone, instant, (zone, now) => checkPresent(zone, oracleFor(zone), now)),
      { numRuns: 3_000 }
    )
  })

  it("the days of get_context are the local dates that follow each other, with the weekdays of Intl", () => {
    fc.assert(
      fc.property(zone, instant, (zone, now) => {
        const days = Speech.nextDays({ zone, now })
        const local = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(now)
        expect(days[0]?.date).toBe(local)
        for (const [index, { date, weekday }] of days.entries()) {
          const noon = Date.parse(`${date}T12:00:00Z`)
          expect(noon - Date.parse(`${local}T12:00:00Z`)).toBe(index * 86_400_000)
          expect(weekday).toBe(new Intl.DateTimeFormat("en-US", { timeZone: "UTC", weekday: "long" }).format(noon))
        }
      }),
      { numRuns: 300 }
    )
  })

  it("a stated time is accepted with the right weekday alone, and names the instant that shows it", () => {
    const weekday = fc.constantFrom("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    fc.assert(
      fc.property(zone, instant, weekday, (zone, at, weekday) => {
        const [date, time] = new Intl.DateTimeFormat("sv-SE", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "short"
        })
          .format(at)
          .split(" ")
        const checked = StatedTime.check({ zone, now: yearStart }, { date: date ?? "", weekday, time: time ?? "" })
        const right = oracleFor(zone)(at).weekday
        if (weekday !== right) {
          expect(checked).toMatchObject({ failure: { code: "weekday_mismatch" } })
          expect(Result.isFailure(checked) ? checked.failure.say : "").toContain(` is a ${right}.`)
          return
        }
        // A wall time that occurs twice names its first instant.
        const found = Result.getOrElse(checked, () => Number.NaN)
        expect(found).toBeLessThanOrEqual(at)
        expect(oracleFor(zone)(found)).toEqual(oracleFor(zone)(at))
      }),
      { numRuns: 2_000 }
    )
  })
})

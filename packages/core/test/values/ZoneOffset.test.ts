import * as arbitrary from "@frontdesk/testing/arbitrary/availability"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type TimeZone, toWall } from "@frontdesk/core/values/TimeZone"
import { spanAt } from "@frontdesk/core/values/ZoneOffset"

const at = (text: string): number => Date.parse(text)

describe("ZoneOffset.spanAt", () => {
  it("spellings of a name in upper and lower case share one cache", () => {
    const instant = at("2026-06-01T00:00:00Z")
    const span = spanAt(instant, "Europe/Vienna")
    for (const name of ["europe/vienna", "EUROPE/VIENNA", "euRope/Vienna"]) expect(spanAt(instant, name)).toBe(span)
  })

  it("a span contains its instant and has the offset that Intl shows", () => {
    const instants = arbitrary
      .timeZone()
      .chain((zone) => fc.tuple(fc.constant(zone), fc.integer({ min: -2_200_000_000, max: 4_100_000_000 })))
    fc.assert(
      fc.property(instants, ([zone, seconds]) => {
        const instant = seconds * 1_000
        const span = spanAt(instant, zone)
        expect(span.start <= instant && instant < span.end).toBe(true)
        expect(toWall(instant, zone)).toBe(shown(instant, zone))
        expect(shown(span.start, zone) - span.start).toBe(span.offset)
        expect(shown(span.end - 1_000, zone) - (span.end - 1_000)).toBe(span.offset)
      }),
      { numRuns: 200 }
    )
  })
})

/** Returns the wall time that Intl shows at an instant. */
const shown = (instant: number, timeZone: TimeZone): number => {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(instant)
  return Date.parse(`${text.replace(" ", "T")}Z`)
}

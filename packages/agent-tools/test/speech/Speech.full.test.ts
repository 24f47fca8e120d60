import { describe, it } from "vitest"
import { checkMoment, checkPresent, oracleOf, yearEnd, yearStart, zones } from "./oracle.ts"

const [quarter, hour] = [900_000, 3_600_000]

/** Returns instants of the year: every 7 hours, and every quarter of an hour around each change of the clocks. */
const instantsOf = (zone: string): ReadonlyArray<number> => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
  const offsetAt = (at: number) => format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value
  const instants: Array<number> = []
  for (let at = yearStart; at < yearEnd; at += 7 * hour) {
    instants.push(at)
    if (offsetAt(at) === offsetAt(at + 7 * hour)) continue
    for (let near = at - 3 * hour; near < at + 10 * hour; near += quarter) instants.push(near)
  }
  return instants
}

describe("Speech over a year", () => {
  it.each(zones)("the words of every moment in %s are right", (zone) => {
    const fieldsAt = oracleOf(zone)
    for (const instant of instantsOf(zone)) {
      checkMoment(zone, fieldsAt, instant - 50 * hour, instant)
      checkPresent(zone, fieldsAt, instant)
    }
  })
})

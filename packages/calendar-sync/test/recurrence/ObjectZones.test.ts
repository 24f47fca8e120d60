import * as TimeZone from "@frontdesk/core/values/TimeZone"
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import ICAL from "ical.js"
import { Budget } from "../../src/recurrence/StepBudget.ts"
import * as ObjectZones from "../../src/recurrence/ObjectZones.ts"
import { utc } from "../../src/recurrence/IcsZone.ts"
import { calendar } from "./icsSamples.ts"

const change = (
  kind: "STANDARD" | "DAYLIGHT",
  start: string,
  from: string,
  to: string,
  ...rules: ReadonlyArray<string>
) => [`BEGIN:${kind}`, `DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, ...rules, `END:${kind}`]

/** Definitions as other programs write them, each with the IANA zone that it defines. */
const definitions: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  [
    "Europe/Berlin",
    [
      ...change("STANDARD", "16010101T030000", "+0200", "+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"),
      ...change("DAYLIGHT", "16010101T020000", "+0100", "+0200", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3")
    ]
  ],
  [
    "America/New_York",
    [
      ...change("DAYLIGHT", "20070311T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
      ...change("STANDARD", "20071104T020000", "-0400", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU")
    ]
  ],
  [
    "America/Sao_Paulo",
    [
      ...change(
        "DAYLIGHT",
        "20081019T000000",
        "-0300",
        "-0200",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=3SU;UNTIL=20171015T030000Z"
      ),
      ...change("DAYLIGHT", "20181104T000000", "-0300", "-0200"),
      ...change(
        "STANDARD",
        "20090215T000000",
        "-0200",
        "-0300",
        "RDATE:20100221T000000,20110220T000000,20120226T000000",
        "RDATE:20130217T000000,20140216T000000,20150222T000000,20160221T000000",
        "RDATE:20170219T000000,20180218T000000,20190217T000000"
      )
    ]
  ],
  // Both rules have ended, and the last change is not that of the rule that began last.
  [
    "Australia/Perth",
    [
      ...change(
        "STANDARD",
        "20070325T030000",
        "+0900",
        "+0800",
        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20090328T180000Z"
      ),
      ...change(
        "DAYLIGHT",
        "20071028T020000",
        "+0800",
        "+0900",
        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20081025T180000Z"
      )
    ]
  ],
  ["Asia/Kolkata", change("STANDARD", "19700101T000000", "+0530", "+0530")]
]

const minute = fc
  .integer({ min: Date.parse("2009-06-01") / 60_000, max: Date.parse("2035-12-31") / 60_000 })
  .map((minutes) => minutes * 60_000)

describe.each(definitions)("a VTIMEZONE of %s", (name, lines) => {
  const object = ICAL.Component.fromString(calendar(["BEGIN:VTIMEZONE", "TZID:Our own", ...lines, "END:VTIMEZONE"]))
  const zone = ObjectZones.ofObject(object, utc, new Budget(10_000_000))("Our own")
  const iana = TimeZone.TimeZone.make(name)

  it("the zone converts wall times to the same instants as the IANA zone", () => {
    fc.assert(
      fc.property(minute, (wall) => zone.toInstant(wall) === TimeZone.toInstant(wall, iana)),
      {
        numRuns: 2_000
      }
    )
  })

  it("the zone converts instants to the same wall times as the IANA zone", () => {
    fc.assert(
      fc.property(minute, (instant) => zone.toWall(instant) === TimeZone.toWall(instant, iana)),
      {
        numRuns: 2_000
      }
    )
  })

  it("the zone agrees with the IANA zone in every half hour of five years", () => {
    const hour = 3_600_000
    for (let instant = Date.parse("2016-01-01"); instant < Date.parse("2021-01-01"); instant += hour / 2) {
      if (zone.toWall(instant) !== TimeZone.toWall(instant, iana)) throw new Error(`instant ${instant}`)
      if (zone.toInstant(instant) !== TimeZone.toInstant(instant, iana)) throw new Error(`wall time ${instant}`)
    }
  })
})

describe("a TZID", () => {
  const zones = ObjectZones.ofObject(ICAL.Component.fromString(calendar()), utc, new Budget())
  const wall = Date.parse("2026-07-01T12:00:00Z")

  it.each([
    ["Europe/Paris", "2026-07-01T10:00:00.000Z"],
    ["/freeassociation.sourceforge.net/Europe/Paris", "2026-07-01T10:00:00.000Z"],
    ["/example.org/20260101_1/America/Argentina/Buenos_Aires", "2026-07-01T15:00:00.000Z"],
    ["america/new_york", "2026-07-01T16:00:00.000Z"]
  ])("the TZID %s is an IANA zone", (tzid, instant) => {
    expect(new Date(zones(tzid).toInstant(wall)).toISOString()).toBe(instant)
  })

  it("a TZID without a definition is an error that names it", () => {
    expect(() => zones("Mars/Olympus")).toThrow("the time zone is unknown: Mars/Olympus")
  })
})

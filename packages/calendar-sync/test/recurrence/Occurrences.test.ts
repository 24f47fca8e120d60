import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Budget } from "../../src/recurrence/StepBudget.ts"
import * as CalendarText from "../../src/recurrence/CalendarText.ts"
import * as Occurrences from "../../src/recurrence/Occurrences.ts"
import { utc } from "../../src/recurrence/IcsZone.ts"
import { anySeries, busyModel, minuteOf, textOf } from "./busyModel.ts"
import { busy, busyIn, calendar, event } from "./icsSamples.ts"

describe("a recurring event", () => {
  it("a series is busy at the times that the model finds", () => {
    const window = fc.tuple(
      fc.integer({ min: minuteOf("2025-01-01"), max: minuteOf("2026-12-01") }),
      fc.integer({ min: 1, max: 90 * 1_440 })
    )
    fc.assert(
      fc.property(anySeries, window, (of, [from, length]) => {
        const between = { start: from * 60_000, end: (from + length) * 60_000 }
        expect(busyIn(textOf(of), between)).toEqual(busyModel(of, between))
      }),
      { numRuns: 500 }
    )
  })

  it("a series keeps its local time when the clocks change", () => {
    const text = calendar(event("DTSTART;TZID=Europe/Paris:20260101T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"))
    expect(busy(text, "2026-03-26T00:00:00Z", "2026-04-03T00:00:00Z")).toEqual([
      "2026-03-26T08:00:00Z/2026-03-26T09:00:00Z",
      "2026-04-02T07:00:00Z/2026-04-02T08:00:00Z"
    ])
  })

  it("a series in another zone ends at its UNTIL in UTC (D-DAV-3)", () => {
    const text = (until: string) =>
      calendar(
        event("DTSTART;TZID=America/New_York:20260301T200000", "DURATION:PT1H", `RRULE:FREQ=DAILY;UNTIL=${until}`)
      )
    expect(busy(text("20260304T010000Z"), "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toHaveLength(3)
    expect(busy(text("20260304T005959Z"), "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toHaveLength(2)
  })

  it("a series whose UNTIL is a date ends with that day", () => {
    const text = calendar(event("DTSTART:20260301T200000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;UNTIL=20260304"))
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toHaveLength(4)
  })

  it.each([
    ["20260310T000000Z", "America/New_York"],
    ["20260309T110000Z", "Pacific/Auckland"]
  ])("a series of whole days ends with the later day that an UNTIL in UTC can mean: %s in %s", (until, zone) => {
    const text = calendar(event("DTSTART;VALUE=DATE:20260308", `RRULE:FREQ=DAILY;UNTIL=${until}`))
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", zone)).toHaveLength(3)
  })

  it("a series includes the times of RDATE, and its periods with their own lengths", () => {
    const text = calendar(
      event(
        "DTSTART:20260301T100000Z",
        "DTEND:20260301T110000Z",
        "RDATE:20260303T100000Z,20260304T100000Z",
        "RDATE;VALUE=PERIOD:20260305T100000Z/PT3H,20260306T100000Z/20260306T150000Z",
        "EXDATE:20260304T100000Z"
      )
    )
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([
      "2026-03-01T10:00:00Z/2026-03-01T11:00:00Z",
      "2026-03-03T10:00:00Z/2026-03-03T11:00:00Z",
      "2026-03-05T10:00:00Z/2026-03-05T13:00:00Z",
      "2026-03-06T10:00:00Z/2026-03-06T15:00:00Z"
    ])
  })

  it("a series excludes an EXDATE in another zone, and one that is a date", () => {
    const text = calendar(
      event(
        "DTSTART;TZID=Europe/Paris:20260310T090000",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=4",
        "EXDATE:20260311T080000Z",
        "EXDATE;VALUE=DATE:20260312"
      )
    )
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([
      "2026-03-10T08:00:00Z/2026-03-10T09:00:00Z",
      "2026-03-13T08:00:00Z/2026-03-13T09:00:00Z"
    ])
  })

  it("a change with THISANDFUTURE applies to all later occurrences", () => {
    const text = calendar(
      event("DTSTART:20260301T100000Z", "DTEND:20260301T110000Z", "RRULE:FREQ=DAILY;COUNT=4"),
      event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T100000Z", "DTSTART:20260303T150000Z", "DTEND:20260303T153000Z")
    )
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([
      "2026-03-01T10:00:00Z/2026-03-01T11:00:00Z",
      "2026-03-02T10:00:00Z/2026-03-02T11:00:00Z",
      "2026-03-03T15:00:00Z/2026-03-03T15:30:00Z",
      "2026-03-04T15:00:00Z/2026-03-04T15:30:00Z"
    ])
  })

  it.each([
    ["later", "DTSTART:20260305T120000Z", "2026-03-12T11:00:00Z", "2026-03-12T12:30:00Z"],
    ["earlier", "DTSTART:20260301T080000Z", "2026-03-08T08:30:00Z", "2026-03-08T09:30:00Z"]
  ])("an occurrence that THISANDFUTURE moves days %s is found at its new time", (_what, start, from, until) => {
    const text = calendar(
      event("DTSTART:20260224T100000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"),
      event("RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T100000Z", start, "DURATION:PT1H")
    )
    expect(busy(text, from, until)).toHaveLength(1)
  })

  it.each(["DURATION:P3D", "DTEND;VALUE=DATE:20260305"])(
    "an occurrence of several days is busy until its last day: %s",
    (length) => {
      const text = calendar(event("DTSTART;VALUE=DATE:20260302", length, "RRULE:FREQ=WEEKLY"))
      expect(busy(text, "2026-03-18T22:00:00Z", "2026-03-18T23:00:00Z")).toEqual([
        "2026-03-16T00:00:00Z/2026-03-19T00:00:00Z"
      ])
    }
  )

  it("an object with one changed occurrence and without the series is busy at that occurrence", () => {
    const text = calendar(event("RECURRENCE-ID:20260303T100000Z", "DTSTART:20260303T150000Z", "DTEND:20260303T153000Z"))
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([
      "2026-03-03T15:00:00Z/2026-03-03T15:30:00Z"
    ])
  })
})

describe("an event", () => {
  it.each(["STATUS:CANCELLED", "TRANSP:TRANSPARENT", "transp:transparent"])("an event with %s is free", (line) => {
    const text = calendar(event("DTSTART:20260301T100000Z", "DTEND:20260301T110000Z", "RRULE:FREQ=DAILY", line))
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([])
  })

  it.each(["STATUS:TENTATIVE", "TRANSP:OPAQUE"])("an event with %s is busy", (line) => {
    const text = calendar(event("DTSTART:20260301T100000Z", "DTEND:20260301T110000Z", line))
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toHaveLength(1)
  })

  it("an event of whole days is busy from midnight to midnight in the zone of the calendar", () => {
    const text = calendar(event("DTSTART;VALUE=DATE:20260328", "DTEND;VALUE=DATE:20260330"))
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", "Europe/Paris")).toEqual([
      "2026-03-27T23:00:00Z/2026-03-29T22:00:00Z"
    ])
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([
      "2026-03-28T00:00:00Z/2026-03-30T00:00:00Z"
    ])
  })

  it("a yearly event on 29 February without an end is busy for that day in each leap year", () => {
    const text = calendar(event("DTSTART;VALUE=DATE:19800229", "RRULE:FREQ=YEARLY"))
    expect(busy(text, "2028-01-01T00:00:00Z", "2029-01-01T00:00:00Z")).toEqual([
      "2028-02-29T00:00:00Z/2028-03-01T00:00:00Z"
    ])
    expect(busy(text, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")).toEqual([])
  })

  it("an event without a zone is in the zone of the calendar", () => {
    const text = calendar(event("DTSTART:20260310T090000", "DURATION:P1DT1H"))
    expect(busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", "America/New_York")).toEqual([
      "2026-03-10T13:00:00Z/2026-03-11T14:00:00Z"
    ])
  })

  it.each([
    ["that contains the window", "2026-03-10T10:15:00Z", "2026-03-10T10:30:00Z", 1],
    ["that ends when the window begins", "2026-03-10T11:00:00Z", "2026-03-10T12:00:00Z", 0],
    ["that begins when the window ends", "2026-03-10T09:00:00Z", "2026-03-10T10:00:00Z", 0],
    ["whose last second is in the window", "2026-03-10T10:59:59Z", "2026-03-10T12:00:00Z", 1]
  ])("an event %s: the window from %s to %s has it %i times", (_what, from, until, count) => {
    const text = calendar(event("DTSTART:20260310T100000Z", "DTEND:20260310T110000Z"))
    expect(busy(text, from, until)).toHaveLength(count)
  })

  it.each([["DTSTART:20260310T100000Z"], ["DTSTART:20260310T100000Z", "DTEND:20260310T090000Z"]])(
    "an event without a duration, or with an end before its start, is not busy: %s %s",
    (...lines) => {
      expect(busy(calendar(event(...lines)), "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toEqual([])
    }
  )
})

describe("an object in a form that some programs write", () => {
  const between = ["2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"] as const

  it("a whole day whose DTEND equals its DTSTART is busy for that day (D-DAV-3)", () => {
    const text = calendar(event("DTSTART;VALUE=DATE:20260310", "DTEND;VALUE=DATE:20260310"))
    expect(busy(text, ...between)).toEqual(["2026-03-10T00:00:00Z/2026-03-11T00:00:00Z"])
  })

  it("a rule in lower case is read, also in a folded line", () => {
    const rules = ["rrule:freq=daily;count=3", "RRULE:freq=weekly;byday=tu,\r\n we,th;until=20260313t000000z"]
    for (const rule of rules) {
      const text = calendar(event("DTSTART:20260310T100000Z", "DTEND:20260310T110000Z", rule))
      expect(busy(text, ...between)).toHaveLength(3)
    }
  })

  it("a TZID that is a Windows name and has no VTIMEZONE is that Windows zone (D-DAV-4)", () => {
    const name = "TZID=W. Europe Standard Time"
    const text = calendar(event(`DTSTART;${name}:20260310T100000`, `DTEND;${name}:20260310T110000`))
    expect(busy(text, ...between)).toEqual(["2026-03-10T09:00:00Z/2026-03-10T10:00:00Z"])
  })
})

it("the budget is enough for 3,000 objects that each define the same zone", () => {
  const change = (kind: string, month: number, before: string, after: string) => [
    `BEGIN:${kind}`,
    "DTSTART:16010101T020000",
    `TZOFFSETFROM:${before}`,
    `TZOFFSETTO:${after}`,
    `RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=${month}`,
    `END:${kind}`
  ]
  const zone = [
    "BEGIN:VTIMEZONE",
    "TZID:Romance Standard Time",
    ...change("STANDARD", 10, "+0200", "+0100"),
    ...change("DAYLIGHT", 3, "+0100", "+0200"),
    "END:VTIMEZONE"
  ]
  const text = calendar(
    zone,
    event("DTSTART;TZID=Romance Standard Time:20190107T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=100")
  )
  const window = { start: Date.parse("2019-06-01"), end: Date.parse("2019-07-01") }
  const budget = new Budget()
  for (let objects = 0; objects < 3_000; objects++) {
    expect(Occurrences.busy(CalendarText.parse(text), window, utc, budget)).toHaveLength(4)
  }
})

describe("an object that cannot be read", () => {
  const lines = ["DTSTART:20260310T100000Z", "DTEND:20260310T110000Z"]
  it.each([
    ["an event without DTSTART", calendar(event("DTEND:20260310T110000Z"))],
    ["a DTSTART that is empty", calendar(event("DTSTART:", "DTEND:20260310T110000Z"))],
    ["a DTSTART that is text", calendar(event("DTSTART;VALUE=TEXT:20260310T100000Z", "DURATION:PT1H"))],
    ["a DTSTART that is a period", calendar(event("DTSTART;VALUE=PERIOD:20260310T100000Z/PT1H"))],
    ["a DTSTART that is nonsense", calendar(event("DTSTART:tomorrow", "DURATION:PT1H"))],
    ["a DTEND that is nonsense", calendar(event("DTSTART:20260310T100000Z", "DTEND:later"))],
    ["a RECURRENCE-ID that is text", calendar(event("RECURRENCE-ID;VALUE=TEXT:x", ...lines))],
    ["a rule that is nonsense", calendar(event(...lines, "RRULE:FREQ=FORTNIGHTLY"))],
    [
      "a changed occurrence without DTSTART",
      calendar(event(...lines, "RRULE:FREQ=DAILY"), event("RECURRENCE-ID:20260311T100000Z", "SUMMARY:x"))
    ],
    ["an event on its own", `${event(...lines).join("\r\n")}\r\n`],
    ["two calendars", calendar(event(...lines)).repeat(2)],
    ["an empty text", ""]
  ])("%s is an error, and does not count as free", (_, text) => {
    expect(() => busy(text, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z")).toThrow(/./)
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { mayBeBusy } from "../../src/recurrence/BusyEstimate.ts"
import { busyIn, calendar, event } from "./reading.ts"

const window = { start: Date.parse("2026-03-10T00:00:00Z"), end: Date.parse("2026-03-17T00:00:00Z") }

const zone = [
  "BEGIN:VTIMEZONE",
  "TZID:Here",
  "BEGIN:STANDARD",
  "DTSTART:20260312T000000",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0100",
  "RRULE:FREQ=YEARLY",
  "END:STANDARD",
  "END:VTIMEZONE"
]

const times = ["DTSTART;TZID=Here:20250310T100000", "DTEND;TZID=Here:20250310T110000"]

describe("an object at a glance", () => {
  it.each([
    ["whose dates are all before the window", calendar(zone, event(...times))],
    ["whose dates are all after it", calendar(zone, event("DTSTART;VALUE=DATE:20270310"))],
    ["whose lines are folded", calendar(zone, event("DTSTART;TZI\r\n D=Here:2025\r\n\t0310T100000"))],
    ["with a zone whose name has a colon", calendar(event('DTSTART;TZID="a:20260310T100000":20250310T100000'))]
  ])("is not busy, %s", (_what, text) => {
    expect(mayBeBusy(text, window)).toBe(false)
  })

  it.each([
    ["that lies in the window", event("DTSTART:20260310T100000Z", "DTEND:20260310T110000Z")],
    ["that lasts across the window", event("DTSTART;VALUE=DATE:20250101", "DTEND;VALUE=DATE:20270101")],
    ["whose zone may be any", event("DTSTART;VALUE=DATE:20260308")],
    ["that recurs", event(...times, "RRULE:FREQ=DAILY")],
    ["that recurs, in small letters", event(...times, "rrule:freq=daily")],
    ["that recurs in a folded line", event(...times, "RR\r\n ULE:FREQ=DAILY")],
    ["that has other dates", event(...times, "RDATE:20260310T100000Z")],
    ["that has a length", event("DTSTART:20250310T100000Z", "DURATION:P3650D")],
    ["that is a change of another", event("RECURRENCE-ID;RANGE=THISANDFUTURE:20250310T100000Z", ...times)],
    ["without a beginning", event("DTEND:20250310T110000Z")],
    ["with a beginning that is no date", event("DTSTART:2025-03-10T10:00:00Z")],
    ["with a date that there is not", event("DTSTART:20251310T100000Z")]
  ])("may be busy with an event %s", (_what, lines) => {
    expect(mayBeBusy(calendar(zone, lines), window)).toBe(true)
  })

  it("may be busy on the day that a date stands for which its month has not", () => {
    const day = { start: Date.parse("2026-03-04T00:00:00Z"), end: Date.parse("2026-03-05T00:00:00Z") }
    const text = calendar(event("DTSTART;VALUE=DATE:20260231"))
    expect(busyIn(text, day, "Etc/GMT+12")).toHaveLength(1)
    expect(mayBeBusy(text, day)).toBe(true)
  })

  it("may be busy when it is something else, or ends too soon", () => {
    expect(mayBeBusy("BEGIN:VCALENDAR\r\nnonsense", window)).toBe(true)
    expect(mayBeBusy(calendar(zone.slice(0, -1), event(...times)), window)).toBe(true)
  })

  it("is never passed over when it is busy", () => {
    const hours = fc.integer({ min: -240, max: 400 })
    const kinds = fc.constantFrom("", "Z", ";VALUE=DATE", ";TZID=Pacific/Kiritimati", ";TZID=Etc/GMT+12")
    fc.assert(
      fc.property(hours, fc.integer({ min: 1, max: 300 }), kinds, kinds, (start, length, kind, floating) => {
        const at = (hour: number) => {
          const text = new Date(window.start + hour * 3_600_000).toISOString().replace(/[-:]|\.000Z/g, "")
          return kind === ";VALUE=DATE" ? `${kind}:${text.slice(0, 8)}` : kind === "Z" ? `:${text}Z` : `${kind}:${text}`
        }
        const text = calendar(event(`DTSTART${at(start)}`, `DTEND${at(start + length)}`))
        const zone = floating.startsWith(";TZID=") ? floating.slice(6) : undefined
        expect(mayBeBusy(text, window) || busyIn(text, window, zone).length === 0).toBe(true)
      })
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { mayBeBusy } from "../../src/recurrence/BusyEstimate.ts"
import { busyIn, calendar, event } from "./icsSamples.ts"

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

describe("mayBeBusy", () => {
  it.each([
    ["all dates before the window", calendar(zone, event(...times))],
    ["all dates after the window", calendar(zone, event("DTSTART;VALUE=DATE:20270310"))],
    ["folded lines", calendar(zone, event("DTSTART;TZI\r\n D=Here:2025\r\n\t0310T100000"))],
    ["a zone whose name has a colon", calendar(event('DTSTART;TZID="a:20260310T100000":20250310T100000'))]
  ])("an object with %s is not busy", (_what, text) => {
    expect(mayBeBusy(text, window)).toBe(false)
  })

  it.each([
    ["that is in the window", event("DTSTART:20260310T100000Z", "DTEND:20260310T110000Z")],
    ["that contains the window", event("DTSTART;VALUE=DATE:20250101", "DTEND;VALUE=DATE:20270101")],
    ["on a date close to the window, in any zone", event("DTSTART;VALUE=DATE:20260308")],
    ["that recurs", event(...times, "RRULE:FREQ=DAILY")],
    ["that recurs by a rule in lower case", event(...times, "rrule:freq=daily")],
    ["that recurs by a rule in a folded line", event(...times, "RR\r\n ULE:FREQ=DAILY")],
    ["with RDATE", event(...times, "RDATE:20260310T100000Z")],
    ["with DURATION", event("DTSTART:20250310T100000Z", "DURATION:P3650D")],
    ["with RECURRENCE-ID", event("RECURRENCE-ID;RANGE=THISANDFUTURE:20250310T100000Z", ...times)],
    ["without DTSTART", event("DTEND:20250310T110000Z")],
    ["whose DTSTART is not a date", event("DTSTART:2025-03-10T10:00:00Z")],
    ["whose date does not exist", event("DTSTART:20251310T100000Z")]
  ])("an object with an event %s may be busy", (_what, lines) => {
    expect(mayBeBusy(calendar(zone, lines), window)).toBe(true)
  })

  it("an object on 31 February may be busy on the day in March that the date means", () => {
    const day = { start: Date.parse("2026-03-04T00:00:00Z"), end: Date.parse("2026-03-05T00:00:00Z") }
    const text = calendar(event("DTSTART;VALUE=DATE:20260231"))
    expect(busyIn(text, day, "Etc/GMT+12")).toHaveLength(1)
    expect(mayBeBusy(text, day)).toBe(true)
  })

  it("a text that is not a complete object may be busy", () => {
    expect(mayBeBusy("BEGIN:VCALENDAR\r\nnonsense", window)).toBe(true)
    expect(mayBeBusy(calendar(zone.slice(0, -1), event(...times)), window)).toBe(true)
  })

  it("an object that is busy is never skipped", () => {
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

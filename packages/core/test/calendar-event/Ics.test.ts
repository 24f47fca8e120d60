import { readFileSync } from "node:fs"
import { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as Ics from "@frontdesk/core/calendar-event/Ics"
import * as arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import ICAL from "ical.js"
import { describe, expect, it } from "vitest"
import { sampleEvent } from "../calendar/samples.ts"

const organizer = { name: "Frontdesk", email: "desk@example.com" }

describe("Ics", () => {
  it("a calendar event without a purpose is one published VEVENT of RFC 5545 (D-ICS-2)", () => {
    const event = sampleEvent({
      title: "Demo, with Jo; part 1",
      description: "First line\nsecond line",
      location: "Room 1",
      status: "confirmed",
      sequence: 2,
      customer: { name: "Jo", email: "jo@example.com", phone: "", notes: "difficult" }
    })
    expect(contentLines(Ics.calendar(event))).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Frontdesk//Frontdesk//EN",
      "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH",
      "BEGIN:VEVENT",
      "UID:0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a",
      "DTSTAMP:20260501T000000Z",
      "DTSTART:20260601T100000Z",
      "DTEND:20260601T110000Z",
      "SEQUENCE:2",
      "STATUS:CONFIRMED",
      "TRANSP:OPAQUE",
      "SUMMARY:Demo\\, with Jo\\; part 1",
      "DESCRIPTION:First line\\nsecond line",
      "LOCATION:Room 1",
      "ORGANIZER:invalid:nomail",
      "CREATED:20260501T000000Z",
      "LAST-MODIFIED:20260501T000000Z",
      "END:VEVENT",
      "END:VCALENDAR"
    ])
  })

  it.each([
    ["scheduled", "STATUS:TENTATIVE", "TRANSP:OPAQUE"],
    ["confirmed", "STATUS:CONFIRMED", "TRANSP:OPAQUE"],
    ["cancelled", "STATUS:CANCELLED", "TRANSP:TRANSPARENT"],
    ["completed", "STATUS:CONFIRMED", "TRANSP:OPAQUE"],
    ["no_show", "STATUS:CONFIRMED", "TRANSP:TRANSPARENT"]
  ] as const)("a calendar event with the status %s has %s and %s", (status, line, transparency) => {
    expect(contentLines(Ics.calendar(sampleEvent({ status })))).toEqual(expect.arrayContaining([line, transparency]))
  })

  it("an invitation names organizer and attendee, and a CANCEL of a cancelled event has its STATUS (RFC 5546)", () => {
    const event = sampleEvent({ customer: { name: 'Jo "J" Li; CEO', email: "jo@example.com", phone: "", notes: "" } })
    const invitation = contentLines(Ics.calendar(event, { method: "REQUEST", organizer, asksForAnswer: true }))
    expect(invitation).toEqual(
      expect.arrayContaining([
        "METHOD:REQUEST",
        'ORGANIZER;CN="Frontdesk":mailto:desk@example.com',
        `ATTENDEE;CN="Jo ^'J^' Li; CEO";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:jo@example.com`
      ])
    )
    expect(contentLines(Ics.calendar(event, { method: "CANCEL", organizer, isEventCancelled: true }))).toContain(
      "STATUS:CANCELLED"
    )
  })

  it("a file whose purpose has no method has no METHOD line", () => {
    const lines = contentLines(Ics.calendar(sampleEvent(), { method: null }))
    expect(lines.filter((line) => line.startsWith("METHOD"))).toEqual([])
  })

  it("only an invitation with asksForAnswer requests a reply (D-MAIL-13)", () => {
    const event = sampleEvent({ customer: { name: "", email: "jo@example.com", phone: "", notes: "" } })
    const rsvp = (purpose: Ics.IcsPurpose) =>
      contentLines(Ics.calendar(event, purpose)).flatMap((line) => /RSVP=\w+/.exec(line)?.[0] ?? [])
    expect(rsvp({ method: "REQUEST", organizer, asksForAnswer: true })).toEqual(["RSVP=TRUE"])
    expect(rsvp({ method: "REQUEST", organizer, asksForAnswer: false })).toEqual(["RSVP=FALSE"])
    expect(rsvp({ method: "CANCEL", organizer, isEventCancelled: true })).toEqual(["RSVP=FALSE"])
  })

  it("a CANCEL of an event that takes place has no STATUS (RFC 5546 3.2.5, D-MAIL-12)", () => {
    const event = sampleEvent({ customer: { name: "", email: "jo@example.com", phone: "", notes: "" } })
    const lines = contentLines(Ics.calendar(event, { method: "CANCEL", organizer, isEventCancelled: false }))
    expect(lines).toContain("METHOD:CANCEL")
    expect(lines.filter((line) => /^(STATUS|ATTENDEE|ORGANIZER)/.test(line)).map((line) => line.slice(0, 8))).toEqual([
      "ORGANIZE",
      "ATTENDEE"
    ])
  })

  it("a published file names its organizer and no attendee; a file without a method names neither (RFC 5546 3.2.1, D-ICS-5)", () => {
    const event = sampleEvent({ customer: { name: "Jo", email: "jo@example.com", phone: "", notes: "" } })
    const people = (purpose: Ics.IcsPurpose) =>
      contentLines(Ics.calendar(event, purpose)).filter((line) => /^(ATTENDEE|ORGANIZER)/.test(line))
    expect(people({ method: "PUBLISH", organizer })).toEqual(['ORGANIZER;CN="Frontdesk":mailto:desk@example.com'])
    expect(people({ method: "PUBLISH", organizer: { name: "Frontdesk", email: null } })).toEqual([
      'ORGANIZER;CN="Frontdesk":invalid:nomail'
    ])
    expect(people({ method: null })).toEqual([])
  })

  it("characters with a meaning in a mailto URI are escaped in an address (RFC 6068)", () => {
    const customer = { name: "", email: "50%off?cc=eve#x@example.com", phone: "", notes: "" }
    const attendee = contentLines(
      Ics.calendar(sampleEvent({ customer }), { method: "REQUEST", organizer, asksForAnswer: true })
    ).find((line) => line.startsWith("ATTENDEE"))
    expect(attendee).toMatch(/:mailto:50%25off%3Fcc=eve%23x@example\.com$/)
  })

  it("the link to a video conference is in URL and CONFERENCE, and a text that is not a URL is left out", () => {
    const event = sampleEvent({ videoConferenceUrl: "https://meet.example.com/a", videoConferenceProvider: "Any^Meet" })
    expect(contentLines(Ics.calendar(event))).toEqual(
      expect.arrayContaining([
        "URL:https://meet.example.com/a",
        'CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL="Any^^Meet":https://meet.example.com/a'
      ])
    )
    for (const videoConferenceUrl of ["", "room 7", "https://a\r\nBEGIN:VEVENT"]) {
      expect(Ics.calendar(sampleEvent({ videoConferenceUrl }))).not.toContain("URL:")
    }
  })

  it("an event that ends in the second of its start has no DTEND, which must not equal DTSTART", () => {
    const event = sampleEvent()
    const endTime = DateTime.add(event.startTime, { milliseconds: 5 })
    expect(Ics.calendar({ ...event, endTime })).not.toContain("DTEND")
  })

  it.each(vectors())("the file of the vector '$name' has the stored lines", ({ event, purpose, lines }) => {
    expect(Ics.calendar(event, purpose)).toBe(lines.map((line) => `${line}\r\n`).join(""))
  })
})

describe("laws of Ics", () => {
  const purpose = fc.constantFrom<Ics.IcsPurpose>(
    { method: "PUBLISH", organizer },
    { method: "PUBLISH", organizer: { name: "", email: null } },
    { method: null },
    { method: "REQUEST", organizer, asksForAnswer: false },
    { method: "CANCEL", organizer, isEventCancelled: true },
    { method: "CANCEL", organizer, isEventCancelled: false }
  )
  const law = (check: (event: CalendarEvent, purpose: Ics.IcsPurpose) => void) =>
    fc.assert(fc.property(arbitrary.calendarEvent(), purpose, check), { numRuns: 300 })

  it("every line ends with CRLF, and the file has no other line break", () =>
    law((event, purpose) => {
      const text = Ics.calendar(event, purpose)
      expect(text.endsWith("\r\n")).toBe(true)
      expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n\u0085\u2028\u2029]/)
    }))

  it("every line has at most 75 octets, and no character is cut (D-ICS-2)", () =>
    law((event, purpose) => {
      for (const line of Ics.calendar(event, purpose).split("\r\n")) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toContain("\ufffd")
      }
    }))

  it("no value begins a line, so the names of the lines are always the same (D-ICS-2)", () =>
    law((event, purpose) => {
      const names = contentLines(Ics.calendar(event, purpose)).map((line) => /^[A-Z-]+/.exec(line)?.[0])
      const optional = new Set([
        "DTEND",
        "DESCRIPTION",
        "LOCATION",
        "URL",
        "CONFERENCE",
        "METHOD",
        "ORGANIZER",
        "ATTENDEE",
        "STATUS"
      ])
      expect(names.filter((name) => name === undefined || !optional.has(name))).toEqual([
        "BEGIN",
        "VERSION",
        "PRODID",
        "CALSCALE",
        "BEGIN",
        "UID",
        "DTSTAMP",
        "DTSTART",
        "SEQUENCE",
        "TRANSP",
        "SUMMARY",
        "CREATED",
        "LAST-MODIFIED",
        "END",
        "END"
      ])
      expect(new Set(names.filter((name) => name !== "BEGIN" && name !== "END")).size).toBe(names.length - 4)
    }))

  it("the library ical.js reads the values of the calendar event", () =>
    law((event, purpose) => {
      const read = ICAL.Component.fromString(Ics.calendar(event, purpose)).getFirstSubcomponent("vevent")
      const value = (name: string) => read?.getFirstPropertyValue(name)?.toString() ?? ""
      expect(value("uid")).toBe(event.uuid)
      expect(value("summary")).toBe(carried(event.title))
      expect(value("description")).toBe(carried(event.description))
      expect(value("location")).toBe(carried(event.location ?? ""))
      expect(value("url")).toBe(event.videoConferenceUrl)
      expect(value("sequence")).toBe(String(event.sequence))
      expect(value("dtstart")).toBe(DateTime.formatIso(event.startTime).replace(".000", ""))
      expect(value("dtend")).toBe(DateTime.formatIso(event.endTime).replace(".000", ""))
      const attendee = read?.getFirstProperty("attendee")
      const organized = "organizer" in purpose ? (purpose.organizer.email ?? null) : undefined
      expect(read?.getFirstPropertyValue("organizer") ?? undefined).toBe(
        organized === undefined ? undefined : organized === null ? "invalid:nomail" : `mailto:${organized}`
      )
      if ((purpose.method === "REQUEST" || purpose.method === "CANCEL") && event.customer.email !== "") {
        expect(attendee?.getFirstValue()).toBe(`mailto:${event.customer.email}`)
        // ical.js takes a backslash in a parameter for an escape, although RFC 5545 has none there.
        if (!event.customer.name.includes("\\")) {
          expect(attendee?.getFirstParameter("cn") ?? "").toBe(carried(event.customer.name))
        }
      } else expect(attendee ?? null).toBeNull()
    }))
})

/** The content lines of a file, unfolded. */
function contentLines(text: string): ReadonlyArray<string> {
  return text.replaceAll("\r\n ", "").split("\r\n").slice(0, -1)
}

/** Returns a text as iCalendar carries it: with one kind of line break, and without control characters. */
function carried(text: string): string {
  let result = ""
  for (const character of text.replaceAll("\r\n", "\n").toWellFormed()) {
    const code = character.codePointAt(0) ?? 0
    if ("\r\n\u0085\u2028\u2029".includes(character)) result += "\n"
    else if (character === "\t" || (code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa0)))
      result += character
  }
  return result
}

function vectors() {
  const file = readFileSync(new URL(import.meta.resolve("@frontdesk/testing/vectors/ics.json")), "utf8")
  const Organizer = Schema.Struct({ name: Schema.String, email: Schema.NullOr(Schema.String) })
  const Purpose = Schema.Union([
    Schema.Struct({ method: Schema.Null }),
    Schema.Struct({ method: Schema.Literal("PUBLISH"), organizer: Organizer }),
    Schema.Struct({ method: Schema.Literal("REQUEST"), organizer: Organizer, asksForAnswer: Schema.Boolean }),
    Schema.Struct({ method: Schema.Literal("CANCEL"), organizer: Organizer, isEventCancelled: Schema.Boolean })
  ])
  const Vector = Schema.Struct({
    name: Schema.String,
    event: Schema.toCodecJson(CalendarEvent),
    purpose: Purpose,
    lines: Schema.Array(Schema.String)
  })
  return Schema.decodeUnknownSync(Schema.Array(Vector))(JSON.parse(file))
}

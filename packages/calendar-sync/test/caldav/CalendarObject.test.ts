import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { calendarEvent } from "@frontdesk/testing/arbitrary/calendar"
import { newCalendarEvent } from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import ICAL from "ical.js"
import * as CalendarObject from "../../src/caldav/CalendarObject.ts"

const twice = fc
  .tuple(calendarEvent(), calendarEvent())
  .map(([one, other]) => [one, { ...other, uuid: one.uuid }] as const)

describe("a copy", () => {
  it("a merged copy has the content of the new event, in lines of at most 75 octets", () => {
    fc.assert(
      fc.property(twice, ([before, after]) => {
        const text = CalendarObject.merged(CalendarObject.objectOf(before, "1"), after, "2")
        const copy = CalendarObject.copyOf(text, after.uuid, null)
        expect(copy).toEqual(CalendarObject.copyOf(CalendarObject.objectOf(after, "2"), after.uuid, null))
        for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(text).toMatch(/END:VCALENDAR\r\n$/)
      })
    )
  })

  it("a merged copy with a long description has lines of at most 75 octets", () => {
    const event = {
      ...newCalendarEvent(AccountId.make(1)),
      id: CalendarEventId.make(1),
      description: "Zoë ".repeat(100)
    }
    const text = CalendarObject.merged(CalendarObject.objectOf(event, "1"), event, "2")
    expect(Math.max(...text.split("\r\n").map((line) => Buffer.byteLength(line)))).toBe(75)
  })

  it("SEQUENCE never decreases, stays with a change of the title, and increases with a change of the status", () => {
    const sequenceOf = (text: string) =>
      Number(ICAL.Component.fromString(text).getFirstSubcomponent("vevent")?.getFirstPropertyValue("sequence"))
    fc.assert(
      fc.property(twice, fc.nat(9), ([before, after], raised) => {
        const theirs = CalendarObject.objectOf({ ...before, sequence: raised }, "1")
        const next = sequenceOf(CalendarObject.merged(theirs, after, "2"))
        expect(next).toBeGreaterThanOrEqual(Math.max(raised, after.sequence))
        const same = CalendarObject.merged(theirs, { ...before, title: "Another", sequence: raised }, "2")
        expect(sequenceOf(same)).toBe(raised)
        const off = { ...before, status: before.status === "cancelled" ? "confirmed" : "cancelled" } as const
        expect(sequenceOf(CalendarObject.merged(theirs, { ...off, sequence: 0 }, "2"))).toBe(raised + 1)
      })
    )
  })

  it("the digest does not depend on the order of properties and the folding of lines", () => {
    fc.assert(
      fc.property(calendarEvent(), (event) => {
        const text = CalendarObject.objectOf(event, "1")
        // ical.js folds lines differently, and the properties are in reverse order.
        const object = ICAL.Component.fromString(text)
        const main = object.getFirstSubcomponent("vevent")
        for (const property of main?.getAllProperties().toReversed() ?? []) main?.addProperty(property)
        expect(CalendarObject.copyOf(object.toString(), event.uuid, null)).toEqual(
          CalendarObject.copyOf(text, event.uuid, null)
        )
      })
    )
  })

  it.each([
    ["another title", "SUMMARY:Demo", "SUMMARY:Demo 2"],
    ["another start", "DTSTART:20260302T090000Z", "DTSTART:20260302T080000Z"],
    ["another end", "DTEND:20260302T093000Z", "DTEND:20260302T100000Z"],
    ["whole days", "DTSTART:20260302T090000Z", "DTSTART;VALUE=DATE:20260302"],
    ["a zone without a definition", "DTSTART:20260302T090000Z", "DTSTART;TZID=Mars:20260302T090000"],
    ["a location", "SUMMARY:Demo", "SUMMARY:Demo\r\nLOCATION:Hall"],
    ["a description", "SUMMARY:Demo", "SUMMARY:Demo\r\nDESCRIPTION:x"],
    ["a URL", "SUMMARY:Demo", "SUMMARY:Demo\r\nURL:https://example.com/"],
    ["a repetition", "SUMMARY:Demo", "SUMMARY:Demo\r\nRRULE:FREQ=DAILY"],
    ["another status", "STATUS:CONFIRMED", "STATUS:CANCELLED"],
    ["free time", "TRANSP:OPAQUE", "TRANSP:TRANSPARENT"]
  ])("a copy with %s has another digest", (_what, from, to) => {
    expect(demo).toContain(from)
    expect(digestOf(demo.replace(from, to))).not.toBe(digestOf(demo))
  })

  it.each([
    ["the same time in a zone", "DTSTART:20260302T090000Z", "DTSTART;TZID=Europe/Paris:20260302T100000"],
    ["DURATION instead of DTEND", "DTEND:20260302T093000Z", "DURATION:PT30M"],
    [
      "an alarm",
      "END:VEVENT",
      "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nEND:VALARM\r\nEND:VEVENT"
    ],
    ["an attendee", "SUMMARY:Demo", "SUMMARY:Demo\r\nATTENDEE:mailto:bo@example.com"],
    ["a colour", "SUMMARY:Demo", "SUMMARY:Demo\r\nCOLOR:red"],
    ["a default value omitted", "TRANSP:OPAQUE\r\n", ""]
  ])("a copy with %s has the same digest", (_what, from, to) => {
    expect(demo).toContain(from)
    expect(digestOf(demo.replace(from, to))).toBe(digestOf(demo))
  })
})

const demo = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:-//Somebody//EN",
  "BEGIN:VEVENT",
  "UID:one",
  "DTSTAMP:20260101T000000Z",
  "DTSTART:20260302T090000Z",
  "DTEND:20260302T093000Z",
  "SUMMARY:Demo",
  "STATUS:CONFIRMED",
  "TRANSP:OPAQUE",
  "END:VEVENT",
  "END:VCALENDAR",
  ""
].join("\r\n")

const digestOf = (text: string) => CalendarObject.copyOf(text, "one", null).contentDigest

import * as arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { appendReason, cancel, isMailed } from "@frontdesk/core/calendar-event/Cancellation"
import { PatchCalendarEvent } from "@frontdesk/core/calendar-event/CalendarEventInput"
import { sampleEvent } from "../calendar/samples.ts"

const full = 10_000

const now = DateTime.makeUnsafe("2026-05-02T00:00:00Z")

describe("Cancellation.cancel", () => {
  it.each([
    ["", "gone fishing", "gone fishing"],
    ["vip", "gone fishing", "vip\ngone fishing"],
    ["vip", " \n", "vip"],
    ["", "", ""]
  ])(
    "a cancel of an event with the notes %j and the reason %j gives the notes %j (C-3.1-8)",
    (notes, reason, after) => {
      const event = sampleEvent({ customer: { name: "", email: "", phone: "", notes } })
      const cancelled = cancel(event, reason, now).event
      expect(cancelled).toMatchObject({ status: "cancelled", customer: { notes: after }, sequence: event.sequence + 1 })
      expect(cancel(event, reason, now).isReasonShortened).toBe(false)
      expect(cancel(cancelled, "", now).event).toBe(cancelled)
      expect(cancel(cancelled, "again", now).event.customer.notes).toBe(after === "" ? "again" : `${after}\nagain`)
    }
  )

  it("a cancel returns that the reason was shortened when it does not fit into the notes (D-CAL-16)", () => {
    const event = sampleEvent({ customer: { name: "", email: "", phone: "", notes: "x".repeat(10_000) } })
    expect(cancel(event, "gone fishing", now).isReasonShortened).toBe(true)
  })
})

describe("Cancellation.appendReason", () => {
  it.each<[string, number, string, string, boolean]>([
    ["that exactly fits is stored completely", full - 4, "ill", "\nill", false],
    ["that is one character too long ends in an ellipsis", full - 4, "sick", "\nsi…", true],
    ["of which one character fits is cut after that character", full - 3, "sick", "\ns…", true],
    ["of which only the ellipsis would fit is left out", full - 2, "sick", "", true],
    ["of which nothing fits is left out", full, "sick", "", true],
    ["that is blank changes nothing", full, "  ", "", false],
    ["is cut before a character of two code units", full - 4, "a😀b", "\na…", true],
    ["is cut before a character of several code points", full - 9, "a👩‍👩‍👧", "\na…", true],
    ["is cut before a letter with its accent", full - 4, "ae\u0301x", "\na…", true]
  ])("a reason %s", (_, length, reason, added, isShortened) => {
    const notes = "x".repeat(length)
    expect(appendReason(notes, reason)).toEqual({ notes: notes + added, isShortened })
  })

  it("stored notes that exceed the maximum are unchanged, and the reason is left out", () => {
    const notes = "x".repeat(full + 500)
    expect(appendReason(notes, "ill")).toEqual({ notes, isShortened: true })
  })
})

describe("laws of Cancellation.appendReason", () => {
  const isAccepted = Schema.is(PatchCalendarEvent)

  it("the result is valid as notes, begins with the notes before, and ends with the reason unless it was shortened", () =>
    fc.assert(
      fc.property(
        fc.nat({ max: full }),
        arbitrary.oddText({ maxLength: 40 }),
        fc.integer({ min: 0, max: 60 }),
        (length, reason, repeats) => {
          const before = "x".repeat(length)
          const text = reason.toWellFormed().replaceAll("\0", "").repeat(repeats)
          const { isShortened, notes } = appendReason(before, text)
          expect(isAccepted({ customerNotes: notes })).toBe(true)
          expect(notes.startsWith(before)).toBe(true)
          if (!isShortened) expect(notes.endsWith(text.trim())).toBe(true)
        }
      )
    ))
})

describe("Cancellation.isMailed", () => {
  const customer = { name: "Jo", email: "jo@example.com", phone: "", notes: "" }
  const invitation = { email: "jo@example.com", isSent: true, status: "scheduled" as const }

  it.each([
    ["with notifications at creation and without an invitation is true", true, null, true],
    ["with notifications at creation and an invitation is true", true, invitation, true],
    ["without notifications at creation and with an invitation is true", false, invitation, true],
    [
      "without notifications at creation and with an invitation that waits is false",
      false,
      { ...invitation, isSent: false },
      false
    ],
    [
      "without notifications at creation and with an invitation of another address is false",
      false,
      { ...invitation, email: "x@y.example" },
      false
    ],
    ["without notifications at creation and without an invitation is false", false, null, false]
  ])("isMailed of an event %s (C-3.1-7)", (_, notifyOnCancel, invitation, expected) => {
    expect(isMailed(sampleEvent({ customer, invitation, notifyOnCancel }))).toBe(expected)
  })
})

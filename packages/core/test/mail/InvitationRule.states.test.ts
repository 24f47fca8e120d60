import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Invitation } from "@frontdesk/core/calendar-event/Invitation"
import * as InvitationRule from "@frontdesk/core/mail/InvitationRule"
import type { Notification } from "@frontdesk/core/mail/Mailer"
import * as DateTime from "effect/DateTime"
import { describe, expect, it } from "vitest"
import { sampleEvent } from "../calendar/samples.ts"

const email = "jo@example.com"

/** Returns a calendar event of the customer Jo, without an invitation when that is null. */
const eventWith = (invitation: Partial<Invitation> | null, fields: Partial<CalendarEvent> = {}): CalendarEvent =>
  sampleEvent({
    customer: { name: "Jo", email, phone: "", notes: "" },
    invitation: invitation === null ? null : { email, isSent: true, status: "scheduled", ...invitation },
    ...fields
  })

const otherAddress = { customer: { name: "Ann", email: "ann@example.com", phone: "", notes: "" } }

const kinds = ["created", "updated", "cancelled", "withdrawn", "reminder"] as const

describe("InvitationRule.isInvitationValidAgain", () => {
  it.each<[string, CalendarEvent, boolean]>([
    ["an event that takes place and whose address was not invited", eventWith(null), true],
    ["a cancelled event with an invitation of its address", eventWith({}, { status: "cancelled" }), true],
    ["a cancelled event without an invitation", eventWith(null, { status: "cancelled" }), false],
    [
      "a cancelled event with an invitation of another address",
      eventWith({ email: "ann@example.com" }, { status: "cancelled" }),
      false
    ]
  ])("isInvitationValidAgain of %s", (_, event, expected) => {
    expect(InvitationRule.isInvitationValidAgain(event)).toBe(expected)
  })
})

describe("InvitationRule.begin", () => {
  it.each(["created", "updated"] as const)(
    "begin of %s stores a sent invitation for an address without one",
    (kind) => {
      const event = eventWith(null, { status: "confirmed" })
      expect(InvitationRule.begin(kind, event)).toEqual({
        ...event,
        invitation: { email, isSent: true, status: "confirmed", told: {}, isUnanswered: true }
      })
    }
  )

  it.each(["created", "updated"] as const)("begin of %s keeps the status of an invitation that waits", (kind) => {
    const event = eventWith({ isSent: false, status: "scheduled" }, { status: "confirmed" })
    expect(InvitationRule.begin(kind, event).invitation).toEqual({
      email,
      isSent: true,
      status: "scheduled",
      told: {},
      isUnanswered: true
    })
  })

  it.each(["created", "updated"] as const)("begin of %s marks a sent invitation as unanswered", (kind) => {
    const event = eventWith({ isAccepted: true, told: { title: "Old" } }, { status: "confirmed" })
    expect(InvitationRule.begin(kind, event)).toEqual({
      ...event,
      invitation: {
        email,
        isSent: true,
        status: "scheduled",
        isAccepted: true,
        told: { title: "Old" },
        isUnanswered: true
      }
    })
  })

  it("begin of updated returns the event itself when its invitation is unanswered already", () => {
    const event = eventWith({ isUnanswered: true })
    expect(InvitationRule.begin("updated", event)).toBe(event)
  })

  it("begin of cancelled stores the status cancelled and marks the invitation as unanswered", () => {
    const event = eventWith({ isAccepted: true }, { status: "cancelled" })
    const begun = { email, isSent: true, status: "cancelled", isAccepted: true, isUnanswered: true }
    expect(InvitationRule.begin("cancelled", event).invitation).toEqual(begun)
    expect(InvitationRule.begin("cancelled", eventWith({ isAccepted: true, isUnanswered: true })).invitation).toEqual(
      begun
    )
  })

  it("begin of cancelled returns the event itself without an invitation, and when it has begun already", () => {
    for (const event of [eventWith(null), eventWith({ status: "cancelled", isUnanswered: true })]) {
      expect(InvitationRule.begin("cancelled", event)).toBe(event)
    }
  })

  it.each(["withdrawn", "reminder"] as const)("begin of %s returns the event itself", (kind) => {
    for (const event of [eventWith(null), eventWith({})]) expect(InvitationRule.begin(kind, event)).toBe(event)
  })
})

describe("InvitationRule.end", () => {
  it.each(["created", "updated", "cancelled"] as const)(
    "end of %s stores what the mail showed and that the server accepted it",
    (kind) => {
      const shown = eventWith({}, { status: "confirmed", title: "Shown" })
      const event = eventWith({ isSent: false, isUnanswered: true, told: { location: "Room 1" } }, { title: "Newer" })
      expect(InvitationRule.end(kind, shown, event)).toEqual({
        ...event,
        invitation: { email, isSent: true, isAccepted: true, status: "confirmed", told: { title: "Shown" } }
      })
    }
  )

  it.each(["withdrawn", "reminder"] as const)("end of %s returns the event itself", (kind) => {
    const event = eventWith({ isUnanswered: true })
    expect(InvitationRule.end(kind, event, event)).toBe(event)
  })

  it.each(kinds)("end of %s returns the event itself when its address is another one or was not invited", (kind) => {
    const moved = eventWith({ email: "ann@example.com" }, otherAddress)
    expect(InvitationRule.end(kind, eventWith({}), moved)).toBe(moved)
    const uninvited = eventWith(null)
    expect(InvitationRule.end(kind, uninvited, uninvited)).toBe(uninvited)
  })

  it("end treats another spelling of the address as the same", () => {
    const shown = eventWith({}, { customer: { name: "Jo", email: "JO@example.com", phone: "", notes: "" } })
    expect(InvitationRule.end("created", shown, eventWith({})).invitation?.isAccepted).toBe(true)
  })
})

describe("InvitationRule.undo", () => {
  it.each<[string, Partial<Invitation> | null]>([
    ["no invitation", null],
    ["an invitation that waits", { isSent: false }]
  ])("undo restores %s", (_, invitation) => {
    const before = eventWith(invitation)
    const event = InvitationRule.begin("created", { ...before, title: "Newer" })
    expect(InvitationRule.undo(before, event)).toEqual({ ...event, invitation: before.invitation })
  })

  it("undo restores the status of a sent invitation, keeps its later values and removes isUnanswered", () => {
    const before = eventWith({ isAccepted: true, told: {} })
    const event = eventWith({ isAccepted: true, isUnanswered: true, status: "cancelled", told: { title: "Old" } })
    expect(InvitationRule.undo(before, event)).toEqual({
      ...event,
      invitation: { email, isSent: true, status: "scheduled", isAccepted: true, told: { title: "Old" } }
    })
  })

  it("undo keeps isUnanswered of an invitation that was unanswered before the mail", () => {
    const before = eventWith({ isUnanswered: true })
    const event = eventWith({ isUnanswered: true, status: "cancelled" })
    expect(InvitationRule.undo(before, event)).toEqual(before)
  })

  it("undo returns the event itself when its address is another one or has no invitation", () => {
    const moved = eventWith({ email: "ann@example.com" }, otherAddress)
    expect(InvitationRule.undo(eventWith({}), moved)).toBe(moved)
    const uninvited = eventWith(null)
    expect(InvitationRule.undo(eventWith({}), uninvited)).toBe(uninvited)
  })
})

describe("InvitationRule.drop", () => {
  const basics = ({ accountId, customer, id, startTime }: CalendarEvent) => ({
    id,
    accountId,
    startTime,
    customer: { email: customer.email }
  })
  const created = (event: CalendarEvent): Notification => ({ kind: "created", event: basics(event) })
  const withdrawn = (event: CalendarEvent): Notification => ({
    kind: "withdrawn",
    event: {
      ...basics(event),
      title: event.title,
      endTime: event.endTime,
      location: event.location,
      sequence: event.sequence,
      updatedAt: event.updatedAt
    }
  })

  it("drop of an invitation that waits removes it", () => {
    const event = eventWith({ isSent: false })
    expect(InvitationRule.drop(created(event), event)).toEqual({ ...event, invitation: null })
  })

  it("drop of an invitation returns the event itself when its address has none", () => {
    const event = eventWith(null)
    expect(InvitationRule.drop(created(event), event)).toBe(event)
  })

  it("drop of a mail returns the event itself when the invitation was sent or the address is another one", () => {
    const sent = eventWith({})
    const moved = eventWith(null, otherAddress)
    for (const notify of [created, withdrawn]) {
      expect(InvitationRule.drop(notify(sent), sent)).toBe(sent)
      expect(InvitationRule.drop(notify(sent), moved)).toBe(moved)
    }
  })

  it.each(["updated", "cancelled", "reminder"] as const)("drop of %s returns the event itself", (kind) => {
    for (const event of [eventWith(null), eventWith({ isSent: false })]) {
      expect(InvitationRule.drop({ kind, event: basics(event) }, event)).toBe(event)
    }
  })

  it.each([
    ["confirmed", "confirmed"],
    ["scheduled", "scheduled"],
    ["completed", "scheduled"],
    ["no_show", "scheduled"]
  ] as const)("drop of a withdrawal restores the invitation of an event with the status %s as %s", (status, mailed) => {
    const mailedEvent = eventWith({}, { title: "Old", location: "Room 1" })
    const event = eventWith(null, { status, title: "New", endTime: DateTime.add(mailedEvent.endTime, { hours: 1 }) })
    expect(InvitationRule.drop(withdrawn(mailedEvent), event)).toEqual({
      ...event,
      invitation: {
        email,
        status: mailed,
        isSent: true,
        told: { title: "Old", location: "Room 1", endTime: mailedEvent.endTime }
      }
    })
  })

  it("drop of a withdrawal keeps the status of an invitation that waits", () => {
    const event = eventWith({ isSent: false, status: "confirmed" })
    expect(InvitationRule.drop(withdrawn(event), event).invitation).toEqual({
      email,
      isSent: true,
      status: "confirmed",
      told: {}
    })
  })

  it("drop of a withdrawal returns a cancelled event itself when its address was not invited again", () => {
    const event = eventWith(null, { status: "cancelled" })
    expect(InvitationRule.drop(withdrawn(event), event)).toBe(event)
  })
})

import * as arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventMail from "@frontdesk/core/mail/CalendarEventMail"
import * as CalendarEventMerge from "@frontdesk/core/calendar-event/CalendarEventMerge"
import { sampleEvent } from "../calendar/samples.ts"

// The sample takes place on 2026-06-01 from 10:00 to 11:00.
const now = DateTime.makeUnsafe("2026-05-02T00:00:00Z")
const at = DateTime.makeUnsafe
const past = { startTime: at("2026-04-01T10:00:00Z"), endTime: at("2026-04-01T11:00:00Z") }
const jo = { name: "Jo", email: "jo@example.com", phone: "1", notes: "" }
const ann = { ...jo, email: "ann@example.com" }
const none = { ...jo, email: "" }

type Fields = Partial<CalendarEvent>

/** Returns a calendar event. When its customer has an address, the address has an invitation with the event's status. */
const event = (fields: Fields = {}) => {
  const made = sampleEvent({ customer: jo, ...fields })
  const invitation = { email: made.customer.email, isSent: true, status: made.status }
  return { ...made, invitation: made.customer.email === "" ? null : invitation, ...fields }
}

/** Returns the mails of a change, which are planned with the invitation that the event has after the change. */
const plan = (before: CalendarEvent | null, after: CalendarEvent) => {
  const state = before === null ? after : { ...after, invitation: before.invitation }
  const invitation = CalendarEventMail.invitationAfter(before, state, true, now)
  return CalendarEventMail.plan(before, { ...state, invitation }, now)
}

const mails = (before: CalendarEvent | null, after: CalendarEvent) =>
  plan(before, after).map(({ event, kind }) => `${kind} ${event.customer.email}`)

describe("CalendarEventMail", () => {
  it.each<[string, Fields]>([
    ["customer_notes", { customer: { ...jo, notes: "late" } }],
    ["customer_phone", { customer: { ...jo, phone: "2" } }],
    ["customer_name", { customer: { ...jo, name: "Joanna" } }],
    ["remind_before_minutes", { remindBeforeMinutes: 60 }],
    ["is_reminder_enabled", { isReminderEnabled: true }],
    ["event_type", { eventType: "appointment" }],
    ["has_video_conference", { hasVideoConference: true }],
    ["the status to completed", { status: "completed" }],
    ["the status to no_show", { status: "no_show" }],
    ["the title of a completed event", { status: "completed", title: "New" }],
    ["the location from none to an empty one", { location: "" }],
    ["the description from none to white space", { description: "  " }],
    ["white space around the title", { title: " Demo\t" }],
    ["the video provider without a link", { videoConferenceProvider: "Meet" }],
    ["the seconds of a time", { startTime: at("2026-06-01T10:00:30Z") }],
    ["the letters of the address to capitals", { customer: { ...jo, email: "JO@Example.com" } }]
  ])("plans no mail for a change of %s", (_, fields) => {
    expect(mails(event(), event(fields))).toEqual([])
  })

  it.each<[string, Fields, object]>([
    ["title", { title: "New" }, { title: "Demo" }],
    ["description", { description: "New" }, { description: "" }],
    ["start", { startTime: at("2026-06-01T10:15:00Z") }, { startTime: at("2026-06-01T10:00:00Z") }],
    ["end", { endTime: at("2026-06-01T12:00:00Z") }, { endTime: at("2026-06-01T11:00:00Z") }],
    ["location", { location: "Room 1" }, { location: null }],
    ["video link", { videoConferenceUrl: "https://a.example.com" }, { videoConferenceUrl: "" }],
    ["status", { status: "confirmed" }, { status: "scheduled" }]
  ])("plans a mail with the previous value for a change of the %s", (_, fields, previous) => {
    const [mail, ...others] = plan(event(), event(fields))
    expect(others).toEqual([])
    expect(mail).toMatchObject({ kind: "updated", previous })
  })

  it("a change of the video provider is mailed with the provider that the last mail showed, if any (D-NOTIFY-4)", () => {
    const meet = { videoConferenceProvider: "Meet", videoConferenceUrl: "https://a.example.com" }
    const previous = (before: Fields, after: Fields) =>
      plan(event(before), event(after)).map((mail) => (mail.kind === "updated" ? mail.previous : mail.kind))
    expect(previous(meet, { ...meet, videoConferenceProvider: "Zoom" })).toEqual([{ videoConferenceProvider: "Meet" }])
    expect(previous({ videoConferenceProvider: "Meet" }, meet)).toEqual([
      { videoConferenceUrl: "", videoConferenceProvider: "" }
    ])
    expect(previous(meet, { videoConferenceProvider: "Meet" })).toEqual([
      { videoConferenceUrl: "https://a.example.com", videoConferenceProvider: "Meet" }
    ])
  })

  it.each<[string, Fields, Fields, ReadonlyArray<string>]>([
    ["loses its address", {}, { customer: none }, []],
    ["gets another address", {}, { customer: ann }, ["created ann@example.com"]],
    ["gets another address and is completed", {}, { customer: ann, status: "completed" }, []],
    ["is changed", {}, { title: "New" }, ["created jo@example.com"]],
    ["gets a change that no mail shows", {}, { customer: { ...jo, notes: "late" } }, []],
    ["is moved out of the past", past, {}, ["created jo@example.com"]],
    ["is no longer completed", { status: "completed" }, {}, ["created jo@example.com"]],
    ["is cancelled, and was created with notifications", {}, { status: "cancelled" }, ["cancelled jo@example.com"]],
    [
      "is cancelled, and was created without notifications",
      { notifyOnCancel: false },
      { notifyOnCancel: false, status: "cancelled" },
      []
    ]
  ])(
    "plans the right mails for an event whose customer was never invited and that %s",
    (_, before, after, expected) => {
      expect(mails(event({ ...before, invitation: null }), event(after))).toEqual(expected)
    }
  )

  it("an address whose invitation was not sent yet gets no cancellation when the event loses it (D-MAIL-11)", () => {
    const waiting = { email: jo.email, isSent: false, status: "scheduled" as const }
    expect(mails(event({ invitation: waiting }), event({ customer: ann }))).toEqual(["created ann@example.com"])
  })

  it("a status is compared with the one that was last mailed (D-NOTIFY-5)", () => {
    const previousOf = (mailed: CalendarEvent["status"], was: CalendarEvent["status"], is: CalendarEvent["status"]) =>
      plan(
        event({ status: was, invitation: { email: jo.email, isSent: true, status: mailed } }),
        event({ status: is })
      ).map((mail) => (mail.kind === "updated" ? mail.previous?.status : mail.kind))
    expect(previousOf("confirmed", "no_show", "confirmed")).toEqual([])
    expect(previousOf("scheduled", "completed", "confirmed")).toEqual(["scheduled"])
    expect(previousOf("confirmed", "scheduled", "confirmed")).toEqual(["scheduled"])
    expect(previousOf("cancelled", "cancelled", "scheduled")).toEqual(["cancelled"])
    expect(previousOf("scheduled", "cancelled", "confirmed")).toEqual(["scheduled"])
    expect(previousOf("confirmed", "cancelled", "confirmed")).toEqual(["cancelled"])
  })

  it("a change to another status also names the other values that it replaces", () => {
    const invitation = { email: jo.email, isSent: true, status: "scheduled" as const }
    const [mail] = plan(event({ status: "cancelled", invitation }), event({ status: "confirmed", title: "New" }))
    expect(mail).toMatchObject({ kind: "updated", previous: { title: "Demo", status: "scheduled" } })
  })

  it("an event that is no longer completed is mailed with the values that were not mailed before (D-NOTIFY-5)", () => {
    for (const status of ["completed", "no_show"] as const) {
      const invitation = { email: jo.email, isSent: true, status: "scheduled" as const, told: { title: "Old" } }
      const [mail] = plan(event({ status, invitation, location: "Room 1" }), event({ status: "scheduled" }))
      expect(mail).toMatchObject({ kind: "updated", previous: { title: "Old", location: "Room 1" } })
    }
  })

  it("a change without a difference is mailed after an unknown result only when the event is ahead again", () => {
    const unanswered = { email: jo.email, isSent: true, status: "scheduled" as const, isUnanswered: true }
    const reopened = event({ status: "completed", invitation: unanswered })
    expect(mails(reopened, event())).toEqual(["updated jo@example.com"])
    expect(mails(event({ invitation: unanswered }), event({ customer: { ...jo, notes: "late" } }))).toEqual([])
    const waiting = event({ invitation: { email: jo.email, isSent: true, status: "confirmed" } })
    expect(mails(waiting, event({ customer: { ...jo, notes: "late" } }))).toEqual([])
  })

  it("an address gets no cancellation of an event that ends at this instant, and one of an event that ends later", () => {
    const ending = (endTime: DateTime.Utc) => ({ startTime: at("2026-05-01T00:00:00Z"), endTime })
    const lost = (times: Fields) => mails(event(times), event({ ...times, customer: none }))
    expect(lost(ending(now))).toEqual([])
    expect(lost(ending(DateTime.add(now, { milliseconds: 1 })))).toEqual(["withdrawn jo@example.com"])
  })

  it("an invitation stays while the event has its address, and is made only by a change that sends mail (D-NOTIFY-6)", () => {
    const invited = event()
    const after = (change: Fields, isMailed = true) =>
      CalendarEventMail.invitationAfter(invited, { ...invited, ...change }, isMailed, now)
    expect(after({ title: "New", status: "cancelled" })).toEqual(invited.invitation)
    expect(after({ customer: { ...jo, email: "JO@example.com" } })).toEqual(invited.invitation)
    expect(after({ customer: ann })).toEqual({ email: ann.email, isSent: false, status: "scheduled" })
    expect(after({ customer: ann }, false)).toBeNull()
    expect(after({ customer: none })).toBeNull()
    expect(CalendarEventMail.invitationAfter(null, event({ customer: ann }), false, now)).toBeNull()
  })

  it("a new event is mailed only when it is scheduled or confirmed and has not ended", () => {
    expect(mails(null, event())).toEqual(["created jo@example.com"])
    expect(mails(null, event({ status: "confirmed" }))).toEqual(["created jo@example.com"])
    expect(mails(null, event(past))).toEqual([])
    for (const status of ["completed", "no_show", "cancelled"] as const)
      expect(mails(null, event({ status }))).toEqual([])
    expect(mails(null, event({ customer: none }))).toEqual([])
  })

  it("a new event that ends at this instant is not mailed, and one that ends later is", () => {
    const begun = { startTime: at("2026-05-01T00:00:00Z") }
    expect(mails(null, event({ ...begun, endTime: DateTime.add(now, { milliseconds: 1 }) }))).toHaveLength(1)
    expect(mails(null, event({ ...begun, endTime: now }))).toEqual([])
  })

  it.each<[string, Fields, Fields]>([
    ["is moved into the past", {}, past],
    ["has ended and is changed", past, { ...past, title: "New" }],
    ["has ended and is reinstated", { ...past, status: "cancelled" }, { ...past, status: "scheduled" }],
    ["has ended and gets an address", { ...past, customer: none }, past],
    ["has ended and gets another address", past, { ...past, customer: ann }],
    ["is moved into the past and gets its first address", { customer: none }, { ...past, customer: jo }]
  ])("plans no mail for an event that %s", (_, before, after) => {
    expect(mails(event(before), event(after))).toEqual([])
  })

  it.each<[string, Fields, Fields, ReadonlyArray<string>]>([
    ["to another", {}, { customer: ann }, ["withdrawn jo@example.com", "created ann@example.com"]],
    ["to none", {}, { customer: none }, ["withdrawn jo@example.com"]],
    ["from none", { customer: none }, {}, ["created jo@example.com"]],
    ["of a cancelled event", { status: "cancelled" }, { status: "cancelled", customer: ann }, []],
    ["with its reinstatement", { status: "cancelled" }, { customer: ann }, ["created ann@example.com"]],
    ["with its cancel", {}, { status: "cancelled", customer: ann }, ["withdrawn jo@example.com"]],
    ["with its completion", {}, { status: "completed", customer: ann }, ["withdrawn jo@example.com"]],
    ["with a move into the past", {}, { ...past, customer: ann }, ["withdrawn jo@example.com"]],
    ["with a move out of the past", past, { customer: ann }, ["created ann@example.com"]]
  ])("plans a withdrawal or an invitation for a change of the address %s, as needed", (_, before, after, expected) => {
    expect(mails(event(before), event(after))).toEqual(expected)
  })

  it("the withdrawal from an address stores only what its mail shows (D-MAIL-6, D-MAIL-12)", () => {
    const before = event({ customer: { ...jo, notes: "difficult" }, description: "Private", location: "Room 1" })
    const after = { ...before, customer: ann, title: "Ann's", sequence: 7, updatedAt: now }
    expect(plan(before, after)[0]).toEqual({
      kind: "withdrawn",
      event: {
        id: before.id,
        accountId: before.accountId,
        title: "Demo",
        startTime: before.startTime,
        endTime: before.endTime,
        location: "Room 1",
        customer: { email: "jo@example.com" },
        sequence: 7,
        updatedAt: now
      }
    })
  })
})

describe("laws of CalendarEventMail", () => {
  const changed = (before: CalendarEvent, after: CalendarEvent, now: DateTime.Utc): CalendarEvent => ({
    ...after,
    invitation: CalendarEventMail.invitationAfter(before, after, true, now)
  })

  const law = (check: (before: CalendarEvent, after: CalendarEvent, now: DateTime.Utc) => void) =>
    fc.assert(
      fc.property(
        arbitrary.calendarEvent(),
        arbitrary.calendarEventChange(),
        fc.constantFrom(jo, ann, none),
        arbitrary.instant(),
        (before, change, customer, now) =>
          check(
            before,
            changed(before, Result.getOrThrow(CalendarEventMerge.patch(before, { ...change, customer }, now)), now),
            now
          )
      )
    )

  it("only a cancellation is mailed about an event that has ended", () =>
    law((before, after, now) => {
      for (const { event, kind } of CalendarEventMail.plan(before, after, now)) {
        const shown = kind === "withdrawn" ? event.endTime : after.endTime
        if (kind !== "cancelled") expect(DateTime.isGreaterThan(shown, now)).toBe(true)
      }
    }))

  it("an address that was never invited gets only an invitation, or a cancellation of an event created with notifications (D-NOTIFY-7, D-NOTIFY-8)", () =>
    law((before, after, now) => {
      for (const { event, kind } of CalendarEventMail.plan(before, after, now)) {
        const isInvited = before.invitation?.email.toLowerCase() === event.customer.email.toLowerCase()
        if (!isInvited) expect(kind === "created" || (kind === "cancelled" && after.notifyOnCancel)).toBe(true)
        if (kind === "withdrawn") expect(before.invitation?.isSent).toBe(true)
        if (kind === "created") expect(after.invitation?.isSent).toBe(false)
      }
    }))

  it("a change sends each address at most one mail, and one with a withdrawal or cancellation raises the sequence", () =>
    law((before, after, now) => {
      const planned = CalendarEventMail.plan(before, after, now)
      const addresses = planned.map(({ event }) => event.customer.email.toLowerCase())
      expect(new Set(addresses).size).toBe(addresses.length)
      expect(addresses).not.toContain("")
      if (planned.some(({ kind }) => kind === "withdrawn" || kind === "cancelled")) {
        expect(after.sequence).toBeGreaterThan(before.sequence)
      }
    }))
})

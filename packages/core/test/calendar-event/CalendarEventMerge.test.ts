import * as arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { type CalendarEvent, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventMerge from "@frontdesk/core/calendar-event/CalendarEventMerge"
import { ContactId } from "@frontdesk/core/contact/Contact"
import * as Cancellation from "@frontdesk/core/calendar-event/Cancellation"
import { CalendarEventStatus } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { sampleEvent } from "../calendar/samples.ts"

const now = DateTime.makeUnsafe("2026-05-02T00:00:00Z")
const at = (text: string) => DateTime.makeUnsafe(`2026-06-01T${text}:00Z`)

const patch = (event: CalendarEvent, change: CalendarEventMerge.CalendarEventChange) =>
  Result.getOrThrow(CalendarEventMerge.patch(event, change, now))
const put = (event: CalendarEvent, change: CalendarEventMerge.CalendarEventChange) =>
  Result.getOrThrow(CalendarEventMerge.put(event, change, now))

describe("CalendarEventMerge", () => {
  it("a create with only the required fields gets the defaults of D-CAL-4", () => {
    const required = {
      title: "Demo",
      startTime: at("10:00"),
      endTime: at("11:00"),
      uuid: CalendarEventUuid.make("0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6a"),
      accountId: AccountId.make(1),
      contactId: ContactId.make(7),
      createdByAiAgent: false,
      notifyOnCancel: true
    }
    expect(CalendarEventMerge.create(required, now)).toEqual(
      Result.succeed({
        ...required,
        description: "",
        eventType: "meeting",
        status: "scheduled",
        location: null,
        hasVideoConference: false,
        videoConferenceUrl: "",
        videoConferenceProvider: "",
        isReminderEnabled: false,
        remindBeforeMinutes: 30,
        customer: { name: "", email: "", phone: "", notes: "" },
        aiAgent: null,
        team: null,
        externalCalendars: {},
        externalCalendarsStatus: {},
        invitation: null,
        sequence: 0,
        createdAt: now,
        updatedAt: now
      })
    )
    expect(CalendarEventMerge.create({ ...required, endTime: at("10:00") }, now)).toMatchObject({
      failure: { _tag: "InvalidTimeRange" }
    })
  })

  it("every status may change to every other status (C-3.1-2, D-CAL-6)", () => {
    for (const from of CalendarEventStatus.literals) {
      for (const to of CalendarEventStatus.literals) {
        expect(patch(sampleEvent({ status: from }), { status: to })).toMatchObject({ status: to })
        expect(put(sampleEvent({ status: from }), { status: to })).toMatchObject({ status: to })
      }
    }
  })

  it("a PUT with only a title keeps times and status, and resets every other field (D-CAL-1)", () => {
    const event = sampleEvent({
      status: "cancelled",
      description: "d",
      eventType: "busy",
      location: "Room 1",
      hasVideoConference: true,
      videoConferenceUrl: "https://meet.example.com/a",
      videoConferenceProvider: "Meet",
      isReminderEnabled: true,
      remindBeforeMinutes: 5,
      customer: { name: "Jo", email: "jo@example.com", phone: "1", notes: "n" },
      aiAgent: { id: AgentId.make(1), name: "A", assistantId: "a" },
      team: { id: TeamId.make(1), name: "T" },
      createdByAiAgent: true,
      notifyOnCancel: false,
      externalCalendars: { google: { id: "g", revision: null } }
    })
    expect(put(event, { title: "New" })).toEqual({
      ...event,
      ...CalendarEventMerge.defaults,
      title: "New",
      status: "cancelled",
      sequence: event.sequence + 1,
      updatedAt: now
    })
  })

  it("a PATCH of one customer field keeps the other customer fields", () => {
    const event = sampleEvent({ customer: { name: "Jo", email: "jo@example.com", phone: "1", notes: "n" } })
    expect(patch(event, { customer: { phone: "2" } }).customer).toEqual({ ...event.customer, phone: "2" })
  })

  it("a change of one time fails with InvalidTimeRange when it does not fit the stored other time (C-2.5-3)", () => {
    const event = sampleEvent({ startTime: at("10:00"), endTime: at("11:00") })
    for (const rule of [CalendarEventMerge.patch, CalendarEventMerge.put]) {
      expect(rule(event, { startTime: at("11:00") }, now)).toMatchObject({ failure: { _tag: "InvalidTimeRange" } })
      expect(rule(event, { endTime: at("09:00") }, now)).toMatchObject({ failure: { _tag: "InvalidTimeRange" } })
      expect(Result.isSuccess(rule(event, { startTime: at("10:59") }, now))).toBe(true)
    }
  })

  it.each<[string, CalendarEventMerge.CalendarEventChange, number]>([
    ["the start", { startTime: at("10:30") }, 1],
    ["the end", { endTime: at("12:00") }, 1],
    ["the location", { location: "Room 2" }, 1],
    ["the video URL", { videoConferenceUrl: "https://meet.example.com/b" }, 1],
    ["the status", { status: "confirmed" }, 1],
    ["status, location and end together", { status: "confirmed", location: "Room 2", endTime: at("12:00") }, 1],
    ["the title", { title: "New" }, 0],
    ["the description", { description: "New" }, 0],
    ["the customer's name", { customer: { name: "New" } }, 0],
    ["the reminder", { isReminderEnabled: true }, 0],
    ["the customer's address", { customer: { email: "new@example.com" } }, 1]
  ])("a change of %s raises SEQUENCE only if it is of time, place, status or invited address", (_, change, raised) => {
    const event = sampleEvent({ startTime: at("10:00"), endTime: at("11:00"), sequence: 4 })
    expect(patch(event, change)).toMatchObject({ sequence: 4 + raised, updatedAt: now })
  })

  it("a PATCH raises updatedAt by 1 ms when the clock did not move or was set back (D-CAL-18)", () => {
    for (const millis of [0, -3_600_000]) {
      const before = sampleEvent({ updatedAt: DateTime.subtract(now, { milliseconds: millis }) })
      const { sequence, updatedAt } = patch(before, { title: "New" })
      expect(sequence).toBe(before.sequence)
      expect(updatedAt).toEqual(DateTime.add(before.updatedAt, { milliseconds: 1 }))
    }
  })
})

describe("laws of CalendarEventMerge", () => {
  const event = arbitrary.calendarEvent()
  const change = arbitrary.calendarEventChange()
  const law = (
    check: (
      event: CalendarEvent,
      one: CalendarEventMerge.CalendarEventChange,
      two: CalendarEventMerge.CalendarEventChange
    ) => void
  ) => fc.assert(fc.property(event, change, change, check))

  it("a PATCH without fields, or with the stored values, returns the event itself", () =>
    law((event) => {
      expect(patch(event, {})).toBe(event)
      expect(patch(event, { ...event, customer: { ...event.customer } })).toBe(event)
    }))

  it("a repeated PUT changes nothing", () =>
    law((event, change) => {
      const once = put(event, change)
      expect(put(once, change)).toBe(once)
    }))

  it("a repeated PATCH changes nothing", () =>
    law((event, change) => {
      const once = patch(event, change)
      expect(patch(once, change)).toBe(once)
    }))

  it("a PATCH changes its own fields, SEQUENCE and updatedAt, and no other field", () =>
    law((event, change) => {
      const { customer, ...data } = change
      const { sequence: _, updatedAt: __, ...patched } = patch(event, change)
      expect(patched).toEqual({
        ...event,
        ...data,
        customer: { ...event.customer, ...customer },
        sequence: undefined,
        updatedAt: undefined
      })
    }))

  it("a PUT with title, times and status does not depend on an earlier PATCH", () =>
    law((event, earlier, change) => {
      const { endTime, startTime, status, title } = event
      const whole = { title, startTime, endTime, status, ...change }
      const { sequence: _, updatedAt: __, ...direct } = put(event, whole)
      const { sequence: ___, updatedAt: ____, ...later } = put(patch(event, earlier), whole)
      expect(later).toEqual(direct)
    }))

  it("no write changes id, UUID, account, external calendars, or what only a creation sets; SEQUENCE rises by 1 at most", () =>
    law((event, change) => {
      for (const after of [put(event, change), patch(event, change), Cancellation.cancel(event, "why", now).event]) {
        expect(after).toMatchObject({
          id: event.id,
          uuid: event.uuid,
          accountId: event.accountId,
          contactId: event.contactId,
          createdByAiAgent: event.createdByAiAgent,
          notifyOnCancel: event.notifyOnCancel,
          externalCalendars: event.externalCalendars,
          externalCalendarsStatus: event.externalCalendarsStatus,
          createdAt: event.createdAt
        })
        expect(after.sequence - event.sequence).toBeOneOf([0, 1])
      }
    }))
})

import * as arbitrary from "@frontdesk/testing/arbitrary/calendar"
import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventEffects from "@frontdesk/core/calendar/CalendarEventEffects"
import * as CalendarEventMerge from "@frontdesk/core/calendar-event/CalendarEventMerge"
import { CalendarEventStatus } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as ReminderRule from "@frontdesk/core/reminder/ReminderRule"
import { sampleEvent } from "./samples.ts"

const now = DateTime.makeUnsafe("2026-05-02T00:00:00Z")
const at = (time: string) => DateTime.makeUnsafe(`2026-06-01T${time}:00Z`)
const customer = { name: "Jo", email: "jo@example.com", phone: "", notes: "" }

const plan = (
  before: CalendarEvent | null,
  after: CalendarEvent,
  options: Partial<CalendarEventEffects.CalendarEventTransition> = {}
) => CalendarEventEffects.plan({ before, after, providers: [], notify: true, now, ...options })

const published = (effects: ReadonlyArray<CalendarEventEffects.CalendarEventEffect>) =>
  effects.flatMap((effect) => (effect._tag === "Publish" ? [effect.name] : []))
const notified = (effects: ReadonlyArray<CalendarEventEffects.CalendarEventEffect>) =>
  effects.flatMap((effect) => (effect._tag === "Notify" ? [effect.notification.kind] : []))

describe("CalendarEventEffects", () => {
  const invitation = { email: customer.email, isSent: true, status: "scheduled" as const }

  it("a new calendar event causes a webhook event, a reminder, a write to each external calendar and a mail", () => {
    const event = sampleEvent({ customer, isReminderEnabled: true, invitation: { ...invitation, isSent: false } })
    expect(plan(null, event, { providers: ["google", "apple"] })).toEqual([
      { _tag: "Publish", name: "calendar.created" },
      { _tag: "PlanReminder" },
      { _tag: "Sync", provider: "google" },
      { _tag: "Sync", provider: "apple" },
      {
        _tag: "Notify",
        notification: {
          kind: "created",
          event: {
            id: event.id,
            accountId: event.accountId,
            startTime: event.startTime,
            customer: { email: "jo@example.com" }
          }
        }
      }
    ])
  })

  it("a create raises only calendar.created, whatever its status is (C-6.1-7, D-EVT-2)", () => {
    for (const status of CalendarEventStatus.literals) {
      expect(published(plan(null, sampleEvent({ status })))).toEqual(["calendar.created"])
    }
  })

  it("a change of status to cancelled or completed raises its own webhook event instead of calendar.updated (C-6.1-8, C-6.1-9, C-6.1-10, D-EVT-2)", () => {
    for (const before of CalendarEventStatus.literals) {
      for (const after of CalendarEventStatus.literals) {
        const suffix = after === "cancelled" || after === "completed" ? after : "updated"
        const expected = before === after ? "calendar.updated" : `calendar.${suffix}`
        const effects = plan(sampleEvent({ status: before }), sampleEvent({ status: after, title: "New" }))
        expect(published(effects)).toEqual([expected])
      }
    }
  })

  it("a new calendar event, each change and the first cancel cause a mail to an invited customer (D-NOTIFY-3)", () => {
    const event = (status: CalendarEventStatus, title = "Demo") =>
      sampleEvent({ status, title, customer, invitation: { ...invitation, status } })
    expect(notified(plan(null, event("confirmed")))).toEqual(["created"])
    expect(notified(plan(null, { ...event("confirmed"), invitation: null }))).toEqual([])
    expect(notified(plan(event("scheduled"), event("scheduled", "New")))).toEqual(["updated"])
    expect(notified(plan(event("confirmed"), event("cancelled")))).toEqual(["cancelled"])
    expect(notified(plan(event("cancelled"), event("cancelled", "New")))).toEqual([])
    expect(notified(plan(event("cancelled"), event("scheduled")))).toEqual(["updated"])
  })

  it("a write without notify, and a calendar event without an address, cause no mail", () => {
    const [before, after] = [sampleEvent({ customer }), sampleEvent({ customer, status: "cancelled" })]
    expect(notified(plan(before, after, { notify: false }))).toEqual([])
    expect(notified(plan(sampleEvent(), sampleEvent({ status: "cancelled" })))).toEqual([])
  })

  it.each<[string, Partial<CalendarEvent>, Partial<CalendarEvent>, ReadonlyArray<string>]>([
    ["is planned again when the event is moved", {}, { startTime: at("10:15") }, ["PlanReminder"]],
    ["stays when the event keeps its start", {}, { title: "New" }, []],
    ["is dropped when the event is cancelled", {}, { status: "cancelled" }, ["DropReminder"]],
    ["is dropped when the event is completed", {}, { status: "completed" }, ["DropReminder"]],
    [
      "is planned again when a cancelled event is scheduled",
      { status: "cancelled" },
      { status: "scheduled" },
      ["PlanReminder"]
    ],
    ["is dropped when it is turned off", {}, { isReminderEnabled: false }, ["DropReminder"]],
    ["is planned again when its minutes change", {}, { remindBeforeMinutes: 60 }, ["PlanReminder"]],
    ["stays off when it is turned off", { isReminderEnabled: false }, { isReminderEnabled: false, title: "New" }, []]
  ])("the reminder of a changed event %s", (_, was, is, expected) => {
    const before = sampleEvent({ isReminderEnabled: true, ...was })
    const tags = plan(before, { ...before, ...is }).map((effect) => effect._tag)
    expect(tags.filter((tag) => tag.endsWith("Reminder"))).toEqual(expected)
  })
})

describe("laws of CalendarEventEffects", () => {
  const law = (
    check: (
      before: CalendarEvent,
      after: CalendarEvent,
      options: Partial<CalendarEventEffects.CalendarEventTransition>
    ) => void
  ) =>
    fc.assert(
      fc.property(
        arbitrary.calendarEvent(),
        arbitrary.calendarEventChange(),
        fc.record({ providers: arbitrary.providers(), notify: fc.boolean(), now: arbitrary.instant() }),
        (before, change, options) => {
          check(before, Result.getOrThrow(CalendarEventMerge.patch(before, change, now)), options)
        }
      )
    )

  it("a PATCH without a difference has no effects", () =>
    law((before, _, options) => {
      expect(plan(before, Result.getOrThrow(CalendarEventMerge.patch(before, {}, now)), options)).toEqual([])
    }))

  it("every change raises exactly one webhook event", () =>
    law((before, after, options) => {
      expect(published(plan(before, after, options))).toHaveLength(before === after ? 0 : 1)
      expect(published(plan(null, after, options))).toEqual(["calendar.created"])
    }))

  it("a reminder is planned again when the start or the due time changes, and dropped when it has no due time", () =>
    law((before, after, options) => {
      const changedAt = options.now ?? now
      const state = (event: CalendarEvent) =>
        Option.map(ReminderRule.dueAt(event, changedAt), (due) =>
          [event.startTime, due].map(DateTime.toEpochMillis).join()
        )
      const [was, is] = [state(before), state(after)]
      const expected = Equal.equals(was, is) ? [] : [Option.isSome(is) ? "PlanReminder" : "DropReminder"]
      const tags = plan(before, after, options).map((effect) => effect._tag)
      expect(tags.filter((tag) => tag.endsWith("Reminder"))).toEqual(expected)
    }))

  it("a new calendar event is written once to each connected external calendar, and to no other", () =>
    law((_, after, options) => {
      const synced = plan(null, after, options).flatMap((effect) => (effect._tag === "Sync" ? [effect.provider] : []))
      expect(synced).toEqual(options.providers)
    }))
})

import { describe, expect, it } from "@effect/vitest"
import { TeamId } from "@frontdesk/core/access/Team"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { CalendarEventId, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CalendarEventEffectWriter } from "@frontdesk/core/calendar/CalendarEventEffectWriter"
import { ReminderStore } from "@frontdesk/core/reminder/ReminderStore"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Page from "@frontdesk/core/values/Page"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import { makeTeam } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { account, as, hour, inAccount, FakeAdapters, published, services, waiting } from "./services.ts"

const customer = { customerName: "Jo", customerEmail: "jo@example.com" }
const all = Page.request({})

const connect = Effect.map(FakeAdapters, (fakes) => {
  fakes.providers = ["google", "apple"]
})

describe("CalendarEvents", () => {
  it.effect(
    "create uses the defaults of D-CAL-4, raises calendar.created, and get finds the event by id and UUID",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const made = yield* events.create(hour())
        expect(made).toMatchObject({
          title: "Demo",
          status: "scheduled",
          notifyOnCancel: true,
          createdByAiAgent: false
        })
        expect(made.uuid).toMatch(/^[0-9a-f-]{36}$/)
        expect(yield* events.get({ id: made.id })).toEqual(made)
        expect(yield* events.get({ uuid: made.uuid })).toEqual(made)
        expect(yield* published).toEqual(["calendar.created"])
      }).pipe(inAccount())
  )

  it.effect("create reads times without an offset in the account's time zone", () =>
    Effect.gen(function* () {
      const made = yield* (yield* CalendarEvents).create(hour("10:00"))
      expect(DateTime.formatIso(made.startTime)).toBe("2026-06-01T14:00:00.000Z")
    }).pipe(inAccount({ timeZone: TimeZone.make("America/New_York") }))
  )

  it.effect("a PATCH keeps the fields that the body does not mention, and a PUT resets them (C-4.6-6, D-CAL-1)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const made = yield* events.create({ ...hour(), ...customer, location: "Room 1", createdByAiAgent: true })
      yield* TestClock.adjust("1 minute")
      const patched = yield* events.patch({ id: made.id }, { status: "confirmed", location: null })
      expect(patched).toMatchObject({ location: null, customer: { name: "Jo" }, status: "confirmed", sequence: 1 })
      expect(patched).toMatchObject({
        createdAt: made.createdAt,
        updatedAt: DateTime.add(made.updatedAt, { minutes: 1 })
      })
      const put = yield* events.put({ uuid: made.uuid }, { title: "New", description: null })
      expect(put).toMatchObject({ title: "New", status: "confirmed", customer: { name: "", email: "" } })
      expect(put).toMatchObject({ createdByAiAgent: true, startTime: made.startTime, createdAt: made.createdAt })
      expect(yield* events.get({ id: made.id })).toEqual(put)
      expect(yield* published).toEqual(["calendar.created", "calendar.updated", "calendar.updated"])
    }).pipe(inAccount())
  )

  it.effect("a PUT or PATCH without a difference raises no webhook event and keeps updatedAt (D-EVT-2)", () =>
    Effect.gen(function* () {
      yield* connect
      const events = yield* CalendarEvents
      const made = yield* events.create({ ...hour(), ...customer })
      yield* Effect.all([published, waiting])
      yield* TestClock.adjust("1 minute")
      expect(yield* events.patch({ id: made.id }, {})).toEqual(made)
      expect(yield* events.patch({ id: made.id }, { ...hour(), status: "scheduled" })).toEqual(made)
      expect(yield* events.put({ id: made.id }, { customerName: "Jo", customerEmail: "jo@example.com" })).toEqual(made)
      expect(yield* Effect.all([published, waiting])).toEqual([[], []])
    }).pipe(inAccount())
  )

  it.effect(
    "a write goes to external calendars and is mailed unless its body turns that off (C-3.1-3, C-3.1-4, C-4.6-8)",
    () =>
      Effect.gen(function* () {
        yield* connect
        const events = yield* CalendarEvents
        const bothOff = { syncExternalCalendars: false, sendNotifications: false }
        const { id } = yield* events.create({ ...hour(), ...customer })
        expect(yield* waiting).toEqual(["google", "apple", "mail created"])
        yield* events.patch({ id }, { status: "confirmed" })
        expect(yield* waiting).toEqual(["google", "apple", "mail updated"])
        yield* events.patch({ id }, { status: "cancelled", ...bothOff })
        expect(yield* waiting).toEqual([])
        yield* events.patch({ id }, { status: "confirmed", syncExternalCalendars: false })
        expect(yield* waiting).toEqual(["mail updated"])
        yield* events.put({ id }, { status: "cancelled", ...customer, sendNotifications: false })
        expect(yield* waiting).toEqual(["google", "apple"])
        expect(yield* published).toEqual([
          "calendar.created",
          "calendar.updated",
          "calendar.cancelled",
          "calendar.updated",
          "calendar.cancelled"
        ])
      }).pipe(inAccount())
  )

  it.effect(
    "a cancel goes to external calendars, and is mailed if send_notifications was on at creation (C-3.1-6, C-3.1-7, D-NOTIFY-1)",
    () =>
      Effect.gen(function* () {
        yield* connect
        const events = yield* CalendarEvents
        for (const sendNotifications of [true, false]) {
          const { id } = yield* events.create({ ...hour(), ...customer, customerNotes: "vip", sendNotifications })
          yield* events.patch({ id }, { title: "New", sendNotifications: !sendNotifications })
          yield* Effect.all([published, waiting])
          const { event: cancelled } = yield* events.cancel({ id }, { reason: "ill" })
          expect(cancelled).toMatchObject({ status: "cancelled", customer: { notes: "vip\nill" } })
          expect(yield* published).toEqual(["calendar.cancelled"])
          expect(yield* waiting).toEqual(["google", "apple", ...(sendNotifications ? ["mail cancelled"] : [])])
        }
      }).pipe(inAccount())
  )

  it.effect("a second cancel appends its reason and has no other effect (D-CAL-7)", () =>
    Effect.gen(function* () {
      yield* connect
      const events = yield* CalendarEvents
      const { id } = yield* events.create({ ...hour(), ...customer })
      const { event: cancelled } = yield* events.cancel({ id }, {})
      yield* Effect.all([published, waiting])
      expect((yield* events.cancel({ id }, { reason: null })).event).toEqual(cancelled)
      expect((yield* events.cancel({ id }, { reason: "ill" })).event).toMatchObject({
        customer: { notes: "ill" },
        sequence: 1
      })
      expect(yield* Effect.all([published, waiting])).toEqual([[], []])
    }).pipe(inAccount())
  )

  it.effect("a write that fails changes no calendar event and raises no webhook event", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const made = yield* events.create(hour())
      yield* published
      const errorOf = <A, E extends { readonly _tag: string }, R>(write: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(write), ({ _tag }) => _tag)
      expect(
        yield* Effect.all([
          errorOf(events.create({ ...hour(), endTime: "2026-06-01T10:00" })),
          errorOf(events.create({ ...hour(), startTime: "soon" })),
          errorOf(events.create({ ...hour(), aiAgentId: AgentId.make(99) })),
          errorOf(events.create({ ...hour(), teamId: TeamId.make(99) })),
          errorOf(events.patch({ id: made.id }, { startTime: "2026-06-01T11:00" })),
          errorOf(events.patch({ id: made.id }, { title: "New", aiAgentId: AgentId.make(99) }))
        ])
      ).toEqual([
        "InvalidTimeRange",
        "InvalidDatetimeFormat",
        "AgentNotFound",
        "TeamNotFound",
        "InvalidTimeRange",
        "AgentNotFound"
      ])
      expect((yield* events.list({}, all)).items).toEqual([made])
      expect(yield* published).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("when the effects of a change cannot be stored, the event is not stored either", () =>
    Effect.gen(function* () {
      const writer = yield* CalendarEventEffectWriter
      const failure = new StorageError({ reason: "unavailable", operation: "test", cause: "down" })
      const failing = CalendarEventEffectWriter.of({
        ...writer,
        write: (...change) => Effect.andThen(writer.write(...change), failure)
      })
      const created = Effect.flatMap(CalendarEvents, (events) => events.create({ ...hour(), ...customer })).pipe(
        Effect.provide(Layer.fresh(CalendarEvents.layer)),
        Effect.provideService(CalendarEventEffectWriter, failing)
      )
      expect(yield* Effect.flip(created)).toBe(failure)
      expect((yield* (yield* CalendarEvents).list({}, all)).count).toBe(0)
      expect(yield* waiting).toEqual([])
    }).pipe(inAccount())
  )

  it.effect(
    "patch checks fields, then the event, then its references; cancel and get fail for an unknown event (D-HTTP-1)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const unknown = { id: CalendarEventId.make(99) }
        const tag = (body: Parameters<typeof events.patch>[1]) =>
          Effect.map(Effect.flip(events.patch(unknown, body)), ({ _tag }) => _tag)
        expect(yield* tag({ startTime: "soon", teamId: TeamId.make(9) })).toBe("InvalidDatetimeFormat")
        expect(yield* tag({ ...hour(), endTime: "2026-06-01T01:00" })).toBe("InvalidTimeRange")
        expect(yield* tag({ teamId: TeamId.make(9), aiAgentId: AgentId.make(9) })).toBe("CalendarEventNotFound")
        expect(yield* Effect.flip(events.cancel(unknown, {}))).toMatchObject({
          _tag: "CalendarEventNotFound",
          event: 99
        })
        expect(yield* Effect.flip(events.get(unknown))).toMatchObject({ _tag: "CalendarEventNotFound" })
      }).pipe(inAccount())
  )

  it.effect("icsBySignature returns the present file of ics, and fails for another signature or event (D-ICS-1)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const made = yield* events.create(hour())
      const file = yield* events.ics({ id: made.id })
      expect(file).toContain(`UID:${made.uuid}\r\n`)
      const url = yield* (yield* CalendarLinks).icsUrl(made, made.accountId)
      const signature = url.slice(url.indexOf("=") + 1)
      expect(yield* events.icsBySignature(made.uuid, signature)).toBe(file)
      yield* events.cancel({ id: made.id }, {})
      const cancelled = yield* events.icsBySignature(made.uuid, signature)
      expect(cancelled).toMatch(/SEQUENCE:1\r\nSTATUS:CANCELLED\r\n/)
      const wrong = [
        events.icsBySignature(made.uuid, "x"),
        events.icsBySignature(CalendarEventUuid.make("0c9a3f0e-6b1d-4b8e-9c5a-1f2e3d4c5b6b"), signature)
      ]
      for (const request of wrong) expect(yield* Effect.flip(request)).toMatchObject({ _tag: "CalendarEventNotFound" })
    }).pipe(inAccount())
  )
})

describe("CalendarEvents with reject_conflicts", () => {
  const rejecting = inAccount({ rejectConflicts: true })

  it.effect("calendar events can overlap unless the account or the body rejects conflicts (D-CAL-9)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      yield* events.create(hour("10:00"))
      yield* events.create(hour("10:30"))
      const overlapping = events.create({ ...hour("10:15"), rejectConflicts: true })
      expect(yield* Effect.flip(overlapping)).toMatchObject({
        _tag: "SlotUnavailable",
        startTime: DateTime.makeUnsafe("2026-06-01T10:15:00Z"),
        endTime: DateTime.makeUnsafe("2026-06-01T11:15:00Z")
      })
      expect(yield* published).toHaveLength(2)
    }).pipe(inAccount())
  )

  it.effect(
    "a body cannot turn off the account's setting; touching, cancelled and no_show events are no conflict (D-CAL-10)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        yield* events.create(hour("10:00"))
        yield* events.create(hour("11:00"))
        yield* events.create({ ...hour("10:00"), status: "cancelled" })
        yield* events.create({ ...hour("10:00"), status: "no_show" })
        const overlapping = events.create({ ...hour("10:30"), rejectConflicts: false })
        expect(yield* Effect.flip(overlapping)).toMatchObject({ _tag: "SlotUnavailable" })
      }).pipe(rejecting)
  )

  it.effect("only one of several concurrent callers gets the time (D-CAL-9)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const create = Effect.map(Effect.exit(events.create(hour())), (exit) => exit._tag)
      const exits = yield* Effect.all([create, create, create, create], { concurrency: "unbounded" })
      expect(exits.toSorted()).toEqual(["Failure", "Failure", "Failure", "Success"])
    }).pipe(rejecting)
  )

  it.effect("a write locks the calendar, reads the busy times, and then stores the event", () =>
    Effect.gen(function* () {
      const store = yield* CalendarEventStore
      const steps: Array<string> = []
      const watched = CalendarEventStore.of({
        ...store,
        lockCalendar: (id) => Effect.andThen(note(steps, "lock"), store.lockCalendar(id)),
        busy: (...range) => Effect.andThen(note(steps, "busy"), store.busy(...range)),
        insert: (event) => Effect.andThen(note(steps, "insert"), store.insert(event)),
        update: (event) => Effect.andThen(note(steps, "update"), store.update(event))
      })
      yield* Effect.gen(function* () {
        const events = yield* CalendarEvents
        const { id } = yield* events.create(hour())
        yield* events.patch({ id }, hour("11:00"))
      }).pipe(Effect.provide(Layer.fresh(CalendarEvents.layer)), Effect.provideService(CalendarEventStore, watched))
      expect(steps).toEqual(["lock", "busy", "insert", "lock", "busy", "update"])
    }).pipe(rejecting)
  )

  it.effect("an event can overlap its own former time, and cannot be moved or confirmed over another event", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const first = yield* events.create(hour("10:00"))
      const second = yield* events.create(hour("12:00"))
      yield* events.patch({ id: first.id }, hour("10:30"))
      const onto = events.patch({ id: first.id }, hour("12:30"))
      expect(yield* Effect.flip(onto)).toMatchObject({ _tag: "SlotUnavailable" })
      const cancelled = yield* events.patch({ id: first.id }, { ...hour("12:30"), status: "cancelled" })
      expect(cancelled.status).toBe("cancelled")
      const revived = events.put({ id: first.id }, { status: "confirmed" })
      expect(yield* Effect.flip(revived)).toMatchObject({ _tag: "SlotUnavailable" })
      yield* events.cancel({ id: second.id }, {})
      expect(yield* revived).toMatchObject({ status: "confirmed" })
    }).pipe(rejecting)
  )

  it.effect("an event that overlaps already can be changed when it keeps its time", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      yield* events.create(hour())
      const { id } = yield* events.create(hour())
      expect(yield* events.patch({ id }, { title: "New", status: "completed", rejectConflicts: true })).toMatchObject({
        title: "New"
      })
    }).pipe(inAccount())
  )

  it.effect("a team mate's move of an event is checked against the owner's calendar and setting (D-CAL-10)", () =>
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const team = yield* makeTeam()
      const owner = yield* account({ rejectConflicts: true }, [team.id])
      const member = yield* account({}, [team.id])
      yield* events.create(hour("10:00")).pipe(as(owner))
      const { id } = yield* events.create({ ...hour("12:00"), teamId: team.id }).pipe(as(owner))
      const moved = events.patch({ id }, hour("10:30")).pipe(as(member))
      expect(yield* Effect.flip(moved)).toMatchObject({ _tag: "SlotUnavailable" })
      yield* events.create(hour("14:00")).pipe(as(member))
      yield* events.patch({ id }, hour("14:00")).pipe(as(member))
    }).pipe(Effect.provide(services))
  )
})

describe("Reminders of CalendarEvents", () => {
  it.effect(
    "a reminder is moved with its event, dropped when the event is cancelled or turns it off, and restored (D-REM-1)",
    () =>
      Effect.gen(function* () {
        const events = yield* CalendarEvents
        const reminders = yield* ReminderStore
        const due = Effect.map(reminders.due(DateTime.makeUnsafe("2027-01-01T00:00:00Z"), 10), (all) =>
          all.map(({ dueAt }) => DateTime.formatIso(dueAt).slice(11, 16))
        )
        const { id } = yield* events.create({ ...hour(), isReminderEnabled: true })
        expect(yield* due).toEqual(["09:30"])
        yield* events.patch({ id }, { ...hour("12:00"), remindBeforeMinutes: 15 })
        expect(yield* due).toEqual(["11:45"])
        yield* events.cancel({ id }, {})
        expect(yield* due).toEqual([])
        yield* events.patch({ id }, { status: "scheduled" })
        expect(yield* due).toEqual(["11:45"])
        yield* events.put({ id }, {})
        expect(yield* due).toEqual([])
      }).pipe(inAccount())
  )
})

const note = (steps: Array<string>, name: string) => Effect.sync(() => void steps.push(name))

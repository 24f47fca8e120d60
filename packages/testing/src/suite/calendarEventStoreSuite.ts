import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { type CalendarEvent, CalendarEventId, CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore, type CalendarEventFilter } from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/**
 * Verifies a `CalendarEventStore`. `eventCustomerSuite` verifies the contacts and customers of its events, `eventListSuite`
 * its lists by a contact and by the end of the events.
 */
export const calendarEventStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: CalendarEventStore`, (it) => {
    it.effect("a new calendar event is found by id and by UUID with every field as inserted", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const { id, name: agentName, assistantId } = yield* Samples.makeAgent(account.id)
        const team = yield* Samples.makeTeam()
        const contact = yield* Samples.makeContact(account.id)
        for (const given of [
          Samples.newCalendarEvent(account.id),
          Samples.newCalendarEvent(account.id, {
            title: "Zoë 日本",
            description: "line\r\nbreak",
            eventType: "video_call",
            status: "no_show",
            startTime: Samples.at("1999-12-31T23:59:59.999Z"),
            endTime: Samples.at("2100-01-01T00:00:00.001Z"),
            location: "",
            hasVideoConference: true,
            videoConferenceUrl: "https://video.example/x?y=1",
            videoConferenceProvider: "Zoom",
            createdByAiAgent: true,
            isReminderEnabled: true,
            remindBeforeMinutes: 0,
            customer: { name: "Jo", email: "Jo@Example.com", phone: "+1 (202) 555", notes: "a\nb" },
            contactId: contact.id,
            aiAgent: { id, name: agentName, assistantId },
            team,
            externalCalendars: {
              google: { id: "abc", revision: null },
              apple: { id: "ü/1", revision: "7 é", isKept: true }
            },
            externalCalendarsStatus: {
              google: { status: "conflict", at: Samples.later(1) },
              apple: { status: "kept", at: Samples.now }
            },
            notifyOnCancel: false,
            invitation: { email: "Jo@Example.com", isSent: true, status: "confirmed" },
            sequence: 7,
            updatedAt: Samples.later(9)
          })
        ]) {
          const event = yield* events.insert(given)
          expect(event).toEqual({ ...given, id: event.id })
          for (const key of [{ id: event.id }, { uuid: event.uuid }]) {
            expect(yield* events.find(Samples.scopeOf(account), key)).toEqual(Option.some(event))
            expect(yield* events.findAnywhere(key)).toEqual(Option.some(event))
            expect(yield* (yield* Transaction).run(events.findForUpdate(Samples.scopeOf(account), key))).toEqual(
              Option.some(event)
            )
          }
        }
      })
    )

    it.effect("insert fails with duplicate when the UUID exists, and find returns none for unknown ids and UUIDs", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const { uuid } = yield* Samples.makeCalendarEvent(account.id)
        expect((yield* events.insert(Samples.newCalendarEvent(account.id, { uuid })).pipe(Effect.flip)).reason).toBe(
          "duplicate"
        )
        for (const key of [
          { id: CalendarEventId.make(999_999_999_999) },
          { uuid: CalendarEventUuid.make("00000000-0000-4000-8000-000000000000") }
        ]) {
          expect(yield* events.find(Samples.scopeOf(account), key)).toEqual(Option.none())
          expect(yield* events.findAnywhere(key)).toEqual(Option.none())
        }
      })
    )

    it.effect(
      "a scope contains the account's own calendar events and those of its teams; only findAnywhere returns others",
      () =>
        Effect.gen(function* () {
          const events = yield* CalendarEventStore
          const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const [team, elsewhere] = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
          const own = yield* Samples.makeCalendarEvent(mine.id)
          const shared = yield* Samples.makeCalendarEvent(other.id, { team })
          const foreign = [
            yield* Samples.makeCalendarEvent(other.id),
            yield* Samples.makeCalendarEvent(other.id, { team: elsewhere })
          ]
          const scope = { accountId: mine.id, teamIds: [team.id] }
          expect((yield* events.list(scope, {}, page(1))).items).toEqual([own, shared])
          for (const key of [{ id: shared.id }, { uuid: shared.uuid }]) {
            expect(yield* events.find(scope, key)).toEqual(Option.some(shared))
            expect(yield* (yield* Transaction).run(events.findForUpdate(scope, key))).toEqual(Option.some(shared))
          }
          for (const event of foreign) {
            for (const key of [{ id: event.id }, { uuid: event.uuid }]) {
              expect(yield* events.find(scope, key)).toEqual(Option.none())
              expect(yield* (yield* Transaction).run(events.findForUpdate(scope, key))).toEqual(Option.none())
              expect(yield* events.findAnywhere(key)).toEqual(Option.some(event))
            }
          }
        })
    )

    it.effect("a calendar event shows its agent as it was when it was linked, and its team with the present name", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        const other = yield* Samples.makeAgent(account.id, { name: "Bob" })
        const team = yield* Samples.makeTeam("Before")
        const aiAgent = { id: agent.id, name: agent.name, assistantId: agent.assistantId }
        const event = yield* Samples.makeCalendarEvent(account.id, { aiAgent, team })
        yield* (yield* AgentStore).update({ ...agent, name: "Grace" })
        yield* (yield* TeamStore).rename(team.id, "After")
        const shown = { ...event, team: { id: team.id, name: "After" } }
        const read = events.find(Samples.scopeOf(account), { id: event.id })
        expect(yield* read).toEqual(Option.some(shown))
        expect((yield* events.list(Samples.scopeOf(account), {}, page(1))).items).toEqual([shown])

        const linked = { id: other.id, name: other.name, assistantId: other.assistantId }
        yield* events.update({ ...event, aiAgent: linked })
        expect(yield* read).toEqual(Option.some({ ...shown, aiAgent: linked }))
        yield* events.update({ ...event, aiAgent: null })
        expect(yield* read).toEqual(Option.some({ ...shown, aiAgent: null }))
      })
    )

    it.effect("update replaces every field of a calendar event except id, UUID, account and creation time", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const team = yield* Samples.makeTeam()
        const event = yield* Samples.makeCalendarEvent(account.id, {
          externalCalendars: { google: { id: "1", revision: null } },
          location: "here"
        })
        const next = {
          ...event,
          title: "Moved",
          status: "cancelled" as const,
          startTime: Samples.later(60),
          endTime: Samples.later(90),
          location: null,
          team,
          externalCalendars: { outlook: { id: "2", revision: "b" } },
          invitation: {
            email: "jo@example.com",
            isSent: true,
            isAccepted: true,
            isUnanswered: true,
            status: "scheduled" as const,
            told: { title: "Before", startTime: Samples.later(30), location: null }
          },
          sequence: 1,
          updatedAt: Samples.later(5)
        }
        const forged = {
          uuid: CalendarEventUuid.make("6f1f6d0e-3c0b-4e0e-9a55-2f1b8f2a7c11"),
          accountId: other.id,
          createdAt: Samples.later(99)
        }
        yield* events.update({ ...next, ...forged })
        expect(yield* events.find(Samples.scopeOf(account), { uuid: event.uuid })).toEqual(Option.some(next))
      })
    )

    it.effect("concurrent transactions that read with findForUpdate lose no update", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const transaction = yield* Transaction
        const account = yield* Samples.makeAccount()
        const { id } = yield* Samples.makeCalendarEvent(account.id)
        const raise = transaction.run(
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* events.findForUpdate(Samples.scopeOf(account), { id }))
            yield* Effect.yieldNow
            yield* events.update({ ...found, sequence: found.sequence + 1 })
          })
        )
        yield* Effect.all(
          Array.from({ length: 12 }, () => raise),
          { concurrency: "unbounded" }
        )
        const found = Option.getOrThrow(yield* events.find(Samples.scopeOf(account), { id }))
        expect(found.sequence).toBe(12)
      })
    )

    it.effect("each filter narrows the list, and the time range includes its first instant but not its last", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        const team = yield* Samples.makeTeam()
        const a = yield* Samples.makeCalendarEvent(account.id, {
          startTime: Samples.later(0),
          endTime: Samples.later(500)
        })
        const b = yield* Samples.makeCalendarEvent(account.id, {
          startTime: Samples.later(10),
          endTime: Samples.later(11),
          status: "confirmed",
          eventType: "busy",
          customer: { name: "", email: "Jo.Doe@Example.COM", phone: "", notes: "" }
        })
        const c = yield* Samples.makeCalendarEvent(account.id, {
          startTime: Samples.later(20),
          endTime: Samples.later(21),
          aiAgent: { id: agent.id, name: agent.name, assistantId: agent.assistantId },
          team
        })
        const ids = (filter: CalendarEventFilter) =>
          Effect.map(events.list(Samples.scopeOf(account), filter, page(1)), ({ items }) => items.map(({ id }) => id))

        expect(yield* ids({})).toEqual([a.id, b.id, c.id])
        expect(yield* ids({ from: Samples.later(10) })).toEqual([b.id, c.id])
        expect(yield* ids({ until: Samples.later(10) })).toEqual([a.id])
        expect(yield* ids({ from: Samples.later(10), until: Samples.later(20) })).toEqual([b.id])
        expect(yield* ids({ status: "confirmed" })).toEqual([b.id])
        expect(yield* ids({ eventType: "busy" })).toEqual([b.id])
        expect(yield* ids({ customerEmail: "jo.doe@example.com" })).toEqual([b.id])
        expect(yield* ids({ customerEmail: "jo.doe@example" })).toEqual([])
        expect(yield* ids({ aiAgentId: agent.id })).toEqual([c.id])
        expect(yield* ids({ teamId: team.id })).toEqual([c.id])
        expect(yield* ids({ aiAgentId: agent.id, status: "confirmed" })).toEqual([])
      })
    )

    it.effect("the pages of a list contain every calendar event once, ordered by start time and then by id", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const made = yield* Effect.forEach([30, 10, 10, 20, 10, 0, 30], (minutes) =>
          Samples.makeCalendarEvent(account.id, {
            startTime: Samples.later(minutes),
            endTime: Samples.later(minutes + 1)
          })
        )
        const byStart = made.toSorted((x, y) => DateTime.Order(x.startTime, y.startTime))
        const list = (request: { readonly page: number; readonly limit: number }) =>
          events.list(Samples.scopeOf(account), {}, request)
        for (const limit of [1, 2, 3, 100]) expect(yield* readAll(list, limit)).toEqual(byStart)
        expect(yield* list(page(5, 2))).toEqual({ items: [], count: 7, page: 5, limit: 2 })
      })
    )

    it.effect(
      "idsFrom returns the account's own calendar events of any status that start at an instant or later, by start time",
      () =>
        Effect.gen(function* () {
          const events = yield* CalendarEventStore
          const account = yield* Samples.makeAccount()
          const team = yield* Samples.makeTeam()
          const make = (minutes: number, fields: Parameters<typeof Samples.makeCalendarEvent>[1] = {}) =>
            Samples.makeCalendarEvent(account.id, {
              startTime: Samples.later(minutes),
              endTime: Samples.later(minutes + 9),
              ...fields
            })
          const later = yield* make(20, { status: "cancelled" })
          const first = yield* make(10)
          const second = yield* make(10, { team })
          yield* make(0, { startTime: Samples.justBefore(10) })
          yield* Samples.makeCalendarEvent((yield* Samples.makeAccount()).id, { startTime: Samples.later(10), team })
          const ids = (minutes: number) => events.idsFrom(account.id, Samples.later(minutes))
          expect(yield* ids(10)).toEqual([first.id, second.id, later.id])
          expect(yield* ids(21)).toEqual([])
        })
    )

    it.effect(
      "conflictsFrom counts the account's own calendar events from an instant on whose copy a person has changed or deleted",
      () =>
        Effect.gen(function* () {
          const events = yield* CalendarEventStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const team = yield* Samples.makeTeam()
          const make = (
            minutes: number,
            externalCalendarsStatus: CalendarEvent["externalCalendarsStatus"],
            owner = account.id
          ) =>
            Samples.makeCalendarEvent(owner, {
              startTime: Samples.later(minutes),
              endTime: Samples.later(minutes + 9),
              team,
              externalCalendarsStatus
            })
          const at = Samples.later(0)
          yield* make(10, { google: { status: "conflict", at }, apple: { status: "conflict", at } })
          yield* make(11, { google: { status: "gone", at }, apple: { status: "synced", at } })
          yield* make(12, { google: { status: "kept", at }, outlook: { status: "failed", at } })
          yield* make(13, { google: { status: "pending", at } })
          yield* make(14, {})
          yield* make(12, { google: { status: "conflict", at } }, other.id)
          yield* Samples.makeCalendarEvent(account.id, {
            startTime: Samples.justBefore(10),
            endTime: Samples.later(19),
            externalCalendarsStatus: { google: { status: "conflict", at } }
          })
          expect(yield* events.conflictsFrom(account.id, Samples.later(10))).toEqual({ apple: 1, google: 2 })
          expect(yield* events.conflictsFrom(account.id, Samples.later(11))).toEqual({ google: 1 })
          expect(yield* events.conflictsFrom(account.id, Samples.later(12))).toEqual({})
        })
    )

    it.effect(
      "busy returns the account's own blocking calendar events that overlap the half-open range, ordered by start",
      () =>
        Effect.gen(function* () {
          const events = yield* CalendarEventStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const team = yield* Samples.makeTeam()
          const make = (from: number, until: number, fields: Parameters<typeof Samples.makeCalendarEvent>[1] = {}) =>
            Samples.makeCalendarEvent(account.id, {
              startTime: Samples.later(from),
              endTime: Samples.later(until),
              ...fields
            })
          yield* make(40, 50)
          yield* make(-10, 100)
          yield* make(5, 15)
          const rescheduled = yield* make(20, 30)
          yield* make(0, 10)
          yield* make(60, 70)
          yield* Samples.makeCalendarEvent(other.id, { startTime: Samples.later(20), endTime: Samples.later(30), team })
          const busy = yield* events.busy(account.id, Samples.later(10), Samples.later(60), Option.some(rescheduled.id))
          expect(busy).toEqual([interval(-10, 100), interval(5, 15), interval(40, 50)])
          const all = yield* events.busy(account.id, Samples.later(10), Samples.later(60), Option.none())
          expect(all).toEqual([interval(-10, 100), interval(5, 15), interval(20, 30), interval(40, 50)])
        })
    )

    it.effect("busy contains the statuses that block according to CalendarEventStatus.blocks", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        for (const status of CalendarEventStatus.CalendarEventStatus.literals) {
          const account = yield* Samples.makeAccount()
          yield* Samples.makeCalendarEvent(account.id, { status, eventType: "busy" })
          const busy = yield* events.busy(account.id, Samples.later(-60), Samples.later(60), Option.none())
          expect(busy).toHaveLength(CalendarEventStatus.blocks(status) ? 1 : 0)
        }
      })
    )

    it.effect("of concurrent transactions that call lockCalendar first, only one finds a time free and books it", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const transaction = yield* Transaction
        const account = yield* Samples.makeAccount()
        const book = transaction.run(
          Effect.gen(function* () {
            yield* events.lockCalendar(account.id)
            const busy = yield* events.busy(account.id, Samples.now, Samples.later(30), Option.none())
            yield* Effect.yieldNow
            if (busy.length > 0) return false
            yield* Samples.makeCalendarEvent(account.id)
            return true
          })
        )
        const booked = yield* Effect.all(
          Array.from({ length: 10 }, () => book),
          { concurrency: "unbounded" }
        )
        expect(booked.filter((isBooked) => isBooked)).toHaveLength(1)
      })
    )
  })
}

const interval = (from: number, until: number) => ({
  start: DateTime.toEpochMillis(Samples.later(from)),
  end: DateTime.toEpochMillis(Samples.later(until))
})

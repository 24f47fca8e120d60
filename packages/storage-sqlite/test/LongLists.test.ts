import { expect, layer } from "@effect/vitest"
import type { Scope } from "@frontdesk/core/access/Scope"
import { CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { type CalendarEventFilter, CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import { CurrentLongRead, maxExamined } from "@frontdesk/storage-sql/storage/LongRead"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Statement from "effect/sql/Statement"

/** The accounts for which each `SELECT` was a long read, in the order in which they ran; null for other reads. */
const marks: Array<number | null> = []

const eventCount = maxExamined + 100

/** An account with more calendar events than a read examines in its ordinary place, one in each minute. */
class Owner extends Context.Service<Owner, { readonly scope: Scope; readonly inTeam: Scope }>()(
  "@frontdesk/storage-sqlite/test/LongLists.test/Owner"
) {
  static readonly layer = Layer.effect(
    Owner,
    Effect.gen(function* () {
      const team = yield* Samples.makeTeam()
      const account = yield* Samples.makeAccount({ teamIds: [team.id] })
      yield* Samples.makeContact(account.id, { firstName: "Jo", tags: ["vip"] })
      yield* Samples.makeCall(account.id, yield* Samples.makeAgent(account.id))
      const events = yield* CalendarEventStore
      const { id: _, ...event } = yield* Samples.makeCalendarEvent(account.id)
      const minutes = Array.from({ length: eventCount - 1 }, (_, minute) => minute + 1)
      yield* (yield* Transaction).run(
        Effect.forEach(
          minutes,
          (minute) =>
            events.insert({
              ...event,
              uuid: CalendarEventUuid.make(`${String(minute).padStart(8, "0")}-0000-7000-8000-000000000000`),
              startTime: Samples.later(minute),
              endTime: Samples.later(minute + 1)
            }),
          { discard: true }
        )
      )
      const scope = { accountId: account.id, teamIds: [] }
      return { scope, inTeam: { ...scope, teamIds: [team.id] } }
    })
  )
}

const storage = Layer.merge(
  Layer.provideMerge(Owner.layer, SqliteStorage.layer({ filename: ":memory:" })),
  Layer.succeed(Statement.CurrentTransformer, (statement) =>
    Effect.map(CurrentLongRead, (accountId) => {
      if (statement.compile()[0].startsWith("SELECT")) marks.push(accountId)
      return statement
    })
  )
)

const marksOf = Effect.fnUntraced(function* <E, R>(read: Effect.Effect<unknown, E, R>) {
  marks.length = 0
  yield* read
  return marks.map((mark) => mark !== null)
})

layer(storage)("which reads of a list are long (D-LITE-10)", (it) => {
  const events = (scope: Scope, filter: CalendarEventFilter, page: number) =>
    Effect.flatMap(CalendarEventStore, (store) => marksOf(store.list(scope, filter, { page, limit: 100 })))
  const contacts = (scope: Scope, filter: ContactFilter) =>
    Effect.flatMap(ContactStore, (store) => marksOf(store.list(scope, filter, { page: 1, limit: 100 })))

  it.effect("a page among the first 1,000 with at most one filter is not, and a later page is", () =>
    Effect.gen(function* () {
      const { inTeam, scope } = yield* Owner
      for (const owner of [scope, inTeam]) {
        // The count is stored. A page of calendar events is one statement.
        expect(yield* events(owner, {}, 1)).toEqual([false, false])
        expect(yield* events(owner, {}, 10)).toEqual([false, false])
        expect(yield* events(owner, {}, 11)).toEqual([false, true])
        expect(yield* events(owner, { status: "scheduled" }, 10)).toEqual([false, false])
        expect(yield* events(owner, { status: "scheduled", eventType: "meeting" }, 1)).toEqual([false, true])
      }
    })
  )

  it.effect("a count is only if it counts more than 1,000 rows, or may read past others", () =>
    Effect.gen(function* () {
      const { inTeam, scope } = yield* Owner
      const few = { from: Samples.later(eventCount - maxExamined) }
      const many = { from: Samples.later(eventCount - maxExamined - 1) }
      expect(yield* events(scope, few, 1)).toEqual([false, false])
      expect(yield* events(scope, many, 1)).toEqual([false, true, false])
      expect(yield* events(scope, { ...few, status: "scheduled" }, 1)).toEqual([false, false])
      expect(yield* events(scope, { ...few, status: "scheduled", eventType: "meeting" }, 1)).toEqual([true, true])
      // Rows of the account in the team are counted once, so the index of the team is read past them.
      expect(yield* events(inTeam, few, 1)).toEqual([true, false])
    })
  )

  it.effect("a search, a tag and a phone number are, because each may examine all contacts", () =>
    Effect.gen(function* () {
      const { scope } = yield* Owner
      // One statement counts, one finds the page, and one reads its rows by their ids.
      expect(yield* contacts(scope, {})).toEqual([false, false, false])
      expect(yield* contacts(scope, { stage: "lead" })).toEqual([false, false, false])
      expect(yield* contacts(scope, { search: "jo" })).toEqual([true, true, false])
      expect(yield* contacts(scope, { tag: "vip" })).toEqual([true, true, false])
    })
  )

  it.effect("a list of calls by one agent is not", () =>
    Effect.gen(function* () {
      const { scope } = yield* Owner
      const calls = yield* CallStore
      const page = { page: 1, limit: 100 }
      const [call] = (yield* calls.list(scope, {}, page)).items
      const agentId = call?.agent.id
      expect(yield* marksOf(calls.list(scope, { agentId }, page))).toEqual([false, false, false])
      expect(yield* marksOf(calls.list(scope, { agentId, status: call?.status }, page))).toEqual([true, true, false])
    })
  )

  it.effect("a list of deliveries is only where it counts, or reads, past the first 1,000", () =>
    Effect.gen(function* () {
      const { scope } = yield* Owner
      const store = yield* DeliveryStore
      const webhook = yield* Samples.makeWebhook(scope.accountId)
      const add = (count: number) =>
        store.add({
          accountId: scope.accountId,
          name: "call.ended",
          subject: "call:1",
          createdAt: Samples.now,
          body: new TextEncoder().encode("{}"),
          deliveries: Array.from({ length: count }, () => ({ id: Deliveries.newId(), webhookId: webhook.id }))
        })
      const list = (page: number) =>
        marksOf(store.list(scope.accountId, webhook.id, Option.none(), { page, limit: 100 }))
      yield* add(maxExamined)
      // One statement counts, one reads the page, and one its attempts.
      expect(yield* list(1)).toEqual([false, false, false])
      expect(yield* list(10)).toEqual([false, false, false])
      yield* add(1)
      expect(yield* list(10)).toEqual([false, true, false, false])
      expect(yield* list(11)).toEqual([false, true, true, false])
    })
  )

  it.effect("busy times are only if there are more than 1,000", () =>
    Effect.gen(function* () {
      const { scope } = yield* Owner
      const store = yield* CalendarEventStore
      const busy = (from: number) =>
        marksOf(store.busy(scope.accountId, Samples.later(from), Samples.later(eventCount), Option.none()))
      expect(yield* busy(eventCount - maxExamined)).toEqual([false])
      expect(yield* busy(eventCount - maxExamined - 1)).toEqual([false, true])
    })
  )

  it.effect("a long read is on behalf of the account that asks", () =>
    Effect.gen(function* () {
      const { scope } = yield* Owner
      yield* contacts(scope, { search: "jo" })
      expect(marks).toEqual([scope.accountId, scope.accountId, null])
    })
  )
})

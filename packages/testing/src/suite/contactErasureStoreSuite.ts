import { ownRows } from "@frontdesk/core/access/Scope"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { ContactErasureStore } from "@frontdesk/core/erasure/ContactErasureStore"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import * as ErasedPerson from "./ErasedPerson.ts"
import { expect } from "./Expect.ts"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

const body = new TextEncoder().encode('{"erased":true}')

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((total, count) => total + count, 0)

/** Verifies a `ContactErasureStore`. */
export const contactErasureStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: ContactErasureStore`, (it) => {
    it.effect("link gives the contact to the account's calls and events without one, in steps", () =>
      Effect.gen(function* () {
        const store = yield* ContactErasureStore
        const { call, contact, linkedCall, linkedEvent, mailEvent, phoneEvent, subject } = yield* ErasedPerson.person
        const stranger = yield* ErasedPerson.person
        const taken = yield* Samples.makeContact(contact.accountId)
        const other = yield* Samples.makeCalendarEvent(contact.accountId, {
          contactId: taken.id,
          customer: { name: "", email: "", phone: subject.numbers[0] ?? "", notes: "" }
        })
        const written = yield* Samples.makeCalendarEvent(contact.accountId, {
          customer: { name: "", email: "", phone: "(202) 555-0171", notes: "" }
        })
        expect(yield* store.link({ ...subject, numbers: [], emails: [], writings: ["(202) 555-0171"] }, 10)).toBe(1)
        let linked = 0
        for (let count = 1; count > 0; linked += count) count = yield* store.link(subject, 1)
        expect(linked).toBe(3)
        expect(yield* store.link(subject, 10)).toBe(0)
        const key = ({ accountId, id }: { readonly accountId: number; readonly id: number }) => ({ accountId, id })
        expect(yield* store.calls(contact.id, null, 10)).toEqual([linkedCall, call].map(key))
        const events = [linkedEvent, phoneEvent, mailEvent, written].map(key)
        expect(yield* store.calendarEvents(contact.id, null, 10)).toEqual(events)
        expect(yield* store.calls(contact.id, linkedCall.id, 10)).toEqual([key(call)])
        expect(yield* store.calls(contact.id, null, 1)).toEqual([key(linkedCall)])
        expect(yield* store.calendarEvents(contact.id, phoneEvent.id, 10)).toEqual(events.slice(2))
        expect(yield* store.calendarEvents(contact.id, null, 2)).toEqual(events.slice(0, 2))
        expect(yield* store.calendarEvents(taken.id, null, 10)).toEqual([key(other)])
        expect(yield* store.calls(stranger.contact.id, null, 10)).toEqual([key(stranger.linkedCall)])
        const calls = yield* CallStore
        expect(yield* calls.find(ownRows(contact.accountId), { id: call.id })).toMatchObject({
          value: { contact: { id: contact.id }, transcript: call.transcript }
        })
        const stored = yield* CalendarEventStore
        expect(yield* stored.find(ownRows(contact.accountId), { id: mailEvent.id })).toEqual(
          Option.some({ ...mailEvent, contactId: contact.id })
        )
      })
    )

    it.effect("clearToolCalls clears the tool calls of calls and about events, and no others", () =>
      Effect.gen(function* () {
        const store = yield* ContactErasureStore
        const tools = yield* ToolCallStore
        const { call, mailEvent } = yield* ErasedPerson.person
        const stranger = yield* ErasedPerson.person
        const traces = { calls: [call.id], calendarEvents: [mailEvent.id] }
        expect(yield* store.clearToolCalls({ calls: [call.id], calendarEvents: [] })).toBe(1)
        expect(yield* store.clearToolCalls(traces)).toBe(1)
        expect(yield* store.clearToolCalls(traces)).toBe(0)
        expect(yield* tools.ofCall(call.accountId, call.id, 10)).toMatchObject([{ arguments: null, answer: null }])
        const kept = { arguments: { marker: stranger.contact.firstName }, answer: stranger.contact.firstName }
        expect(yield* tools.ofCall(stranger.call.accountId, stranger.call.id, 10)).toMatchObject([kept])
      })
    )

    it.effect("dropMails deletes the tasks that mail about events, and leaves calendar writes", () =>
      Effect.gen(function* () {
        const store = yield* ContactErasureStore
        const { linkedEvent, mailEvent } = yield* ErasedPerson.person
        const stranger = yield* ErasedPerson.person
        expect(yield* store.dropMails([linkedEvent.id])).toBe(0)
        expect(yield* store.dropMails([mailEvent.id, linkedEvent.id])).toBe(1)
        expect(yield* store.dropMails([mailEvent.id])).toBe(0)
        expect(yield* store.dropMails([stranger.mailEvent.id])).toBe(1)
      })
    )

    it.effect("clearDeliveries replaces the bodies about the subjects and clears their answers, in steps", () =>
      Effect.gen(function* () {
        yield* Deliveries.emptyStore
        const store = yield* ContactErasureStore
        const deliveries = yield* DeliveryStore
        const { call, contact, deliveries: ids, mailEvent, webhook } = yield* ErasedPerson.person
        const stranger = yield* ErasedPerson.person
        const pending = yield* Deliveries.add(webhook, `call:${call.id}`)
        const unrelated = yield* Deliveries.add(webhook, `call:${call.id}0`)
        const clear = (subjects: ReadonlyArray<string>, limit: number) =>
          Deliveries.takeAllSteps((after: string | null) =>
            store.clearDeliveries(contact.accountId, subjects, body, after, limit)
          )
        const subjects = [`call:${call.id}`, `event:${mailEvent.id}`]
        const counts = yield* clear(subjects, 2)
        expect(sum(counts)).toBe(3)
        expect(Math.max(...counts)).toBe(2)
        expect(yield* deliveries.lastAnswers(contact.accountId, webhook.id, ids)).toEqual(
          new Map(ids.map((id) => [id, ""]))
        )
        const strange = stranger.deliveries
        expect(yield* deliveries.lastAnswers(stranger.contact.accountId, stranger.webhook.id, strange)).toEqual(
          new Map(strange.map((id) => [id, stranger.contact.firstName]))
        )
        const claimed = yield* Deliveries.claim(1)
        const bodies = new Map(claimed.map(({ body, id }) => [id, new TextDecoder().decode(body)]))
        expect(bodies.get(pending)).toBe('{"erased":true}')
        expect(bodies.get(unrelated)).toBe(`{"subject":"call:${call.id}0"}`)
      })
    )

    it.effect("clearAnswers deletes the stored answers of the account, whose keys count as executed", () =>
      Effect.gen(function* () {
        const store = yield* ContactErasureStore
        const keys = yield* IdempotencyStore
        const { contact } = yield* ErasedPerson.person
        const stranger = yield* ErasedPerson.person
        const times = {
          now: Samples.later(60),
          expiresAt: Samples.later(1_440),
          takeOverBefore: Samples.later(30)
        }
        const scope = ErasedPerson.answerScope(contact.accountId, ErasedPerson.answerKey)
        const running = ErasedPerson.answerScope(contact.accountId, "running")
        yield* keys.begin(running, "digest", { ...times, now: Samples.later(45) })
        expect(
          sum(yield* Deliveries.takeAllSteps((after: string | null) => store.clearAnswers(contact.accountId, after, 1)))
        ).toBe(1)
        expect(
          sum(
            yield* Deliveries.takeAllSteps((after: string | null) => store.clearAnswers(contact.accountId, after, 10))
          )
        ).toBe(0)
        expect(yield* keys.begin(scope, "digest", times)).toEqual({ _tag: "Executed" })
        expect(yield* keys.begin(running, "digest", times)).toEqual({ _tag: "Running" })
        const other = ErasedPerson.answerScope(stranger.contact.accountId, ErasedPerson.answerKey)
        expect(yield* keys.begin(other, "digest", times)).toMatchObject({ _tag: "Answered" })
      })
    )

    it.effect("dropRefused deletes the refused lines with a number or the address of the person, in steps", () =>
      Effect.gen(function* () {
        const store = yield* ContactErasureStore
        const imports = yield* ContactImportStore
        const { contact, imported, subject } = yield* ErasedPerson.person
        const stranger = yield* ErasedPerson.person
        yield* imports.addRefused(imported, [Samples.refusedLine(7), Samples.refusedLine(1)])
        const second = yield* imports.insert(Samples.newImport(contact.accountId))
        yield* imports.addRefused(second, [
          { line: 2, problems: [], values: { a: "x", phone: subject.numbers[0] ?? "" } },
          Samples.refusedLine(3)
        ])
        const counts = yield* Deliveries.takeAllSteps((after: string | null) => store.dropRefused(subject, after, 2))
        expect(sum(counts)).toBe(3)
        expect(counts.length).toBeGreaterThan(2)
        expect((yield* imports.refused(imported, page(1))).items).toEqual([
          Samples.refusedLine(1),
          Samples.refusedLine(7)
        ])
        expect((yield* imports.refused(second, page(1))).items).toEqual([Samples.refusedLine(3)])
        expect((yield* imports.refused(stranger.imported, page(1))).count).toBe(2)
      })
    )
  })
}

import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import * as ErasedPerson from "./ErasedPerson.ts"
import { expect } from "./Expect.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Verifies a `ContactRecordStore`. */
export const contactRecordStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: ContactRecordStore`, (it) => {
    it.effect("calls finds the account's calls of the contact, and those of its number without a contact", () =>
      Effect.gen(function* () {
        const store = yield* ContactRecordStore
        const { agent, call, contact, linkedCall, subject } = yield* ErasedPerson.person
        yield* ErasedPerson.person
        const said = { status: "completed", phoneNumber: call.phoneNumber } as const
        const other = yield* Samples.makeContact(contact.accountId)
        yield* Samples.makeCall(contact.accountId, agent, {
          ...said,
          contact: {
            id: other.id,
            name: "",
            email: null,
            company: null,
            status: "new",
            stage: "lead",
            lastCallDate: null
          }
        })
        const newer = yield* Samples.makeCall(contact.accountId, agent, { ...said, createdAt: Samples.later(5) })
        const older = yield* Samples.makeCall(contact.accountId, agent, { ...said, createdAt: Samples.later(-5) })
        const expected = [newer.id, call.id, linkedCall.id, older.id]
        expect(yield* store.calls(subject, 10)).toEqual(expected)
        expect(yield* store.calls(subject, 2)).toEqual(expected.slice(0, 2))
        const mate = yield* Samples.makeAccount()
        expect(yield* store.calls({ ...subject, accountId: mate.id }, 10)).toEqual([])
      })
    )

    it.effect("calendarEvents finds the account's events of the contact, and those of its number or address", () =>
      Effect.gen(function* () {
        const store = yield* ContactRecordStore
        const { contact, linkedEvent, mailEvent, phoneEvent, subject } = yield* ErasedPerson.person
        yield* ErasedPerson.person
        const customer = { name: "", email: "", phone: subject.numbers[0] ?? "", notes: "" }
        const other = yield* Samples.makeContact(contact.accountId)
        yield* Samples.makeCalendarEvent(contact.accountId, { contactId: other.id, customer })
        const times = { startTime: Samples.later(100_000), endTime: Samples.later(100_030) }
        const late = yield* Samples.makeCalendarEvent(contact.accountId, { ...times, customer })
        const mate = yield* Samples.makeAccount()
        yield* Samples.makeCalendarEvent(mate.id, { ...times, contactId: contact.id, customer })
        const expected = [late.id, mailEvent.id, phoneEvent.id, linkedEvent.id]
        expect(yield* store.calendarEvents(subject, 10)).toEqual(expected)
        expect(yield* store.calendarEvents(subject, 3)).toEqual(expected.slice(0, 3))
        const written = yield* Samples.makeCalendarEvent(contact.accountId, {
          ...times,
          customer: { ...customer, phone: "(202) 555-0171" }
        })
        const writings = ["202-555-0171", "(202) 555-0171"]
        expect(yield* store.calendarEvents({ ...subject, writings }, 10)).toEqual([written.id, ...expected])
      })
    )

    it.effect("writtenNumbers returns how the account's events write numbers, each text once, in steps", () =>
      Effect.gen(function* () {
        const store = yield* ContactRecordStore
        const account = yield* Samples.makeAccount()
        const mate = yield* Samples.makeAccount()
        const texts = ["(202) 555-0171", "+12025550171", "202 555 0171", "by mail only"]
        const add = (accountId: typeof account.id, phone: string) =>
          Samples.makeCalendarEvent(accountId, { customer: { name: "", email: "", phone, notes: "" } })
        for (const text of [...texts, "", "202 555 0171"]) yield* add(account.id, text)
        yield* add(mate.id, "(202) 555-0172")
        const all = yield* store.writtenNumbers(account.id, null, 10)
        expect(new Set(all)).toEqual(new Set(texts))
        expect(all).toHaveLength(texts.length)
        const some = yield* store.writtenNumbers(account.id, null, 2)
        expect(some).toEqual(all.slice(0, 2))
        expect(yield* store.writtenNumbers(account.id, some[1] ?? null, 10)).toEqual(all.slice(2))
      })
    )

    it.effect("toolCalls finds the account's tool calls about events, outside of the given calls", () =>
      Effect.gen(function* () {
        const store = yield* ContactRecordStore
        const tools = yield* ToolCallStore
        const { call, contact, linkedCall, linkedEvent, mailEvent } = yield* ErasedPerson.person
        const { accountId } = contact
        const add = (fields: Parameters<typeof Samples.newToolCall>[1]) =>
          tools.insert(Samples.newToolCall(accountId, fields), "digest")
        const inCall = yield* add({ callId: linkedCall.id, eventId: linkedEvent.id })
        const newest = yield* add({ eventId: linkedEvent.id, arguments: "text", answer: null })
        const events = [linkedEvent.id, mailEvent.id]
        const all = yield* store.toolCalls(accountId, events, [], 10)
        expect(all.slice(0, 2)).toEqual([newest, inCall])
        expect(all).toMatchObject([{}, {}, { eventId: mailEvent.id, callId: null }])
        expect(yield* store.toolCalls(accountId, events, [], 1)).toEqual([newest])
        const except = [call.id, linkedCall.id]
        expect(yield* store.toolCalls(accountId, [linkedEvent.id], except, 10)).toEqual([newest])
        const mate = yield* Samples.makeAccount()
        expect(yield* store.toolCalls(mate.id, events, [], 10)).toEqual([])
      })
    )

    it.effect("deliveries finds the account's deliveries about subjects, before and after their first attempt", () =>
      Effect.gen(function* () {
        const store = yield* ContactRecordStore
        const { call, contact, deliveries, mailEvent, webhook } = yield* ErasedPerson.person
        yield* ErasedPerson.person
        const { accountId } = contact
        const second = yield* Samples.makeWebhook(accountId)
        const subjects = [`call:${call.id}`, `event:${mailEvent.id}`]
        const newest = yield* Deliveries.add(second, `call:${call.id}`, { createdAt: Samples.later(5) })
        yield* Deliveries.add(webhook, `call:${call.id}0`)
        const expected = [newest, ...deliveries.toReversed()]
        expect(yield* store.deliveries(accountId, subjects, 10)).toEqual(expected)
        expect(yield* store.deliveries(accountId, subjects, 2)).toEqual(expected.slice(0, 2))
        expect(yield* store.deliveries(accountId, subjects.slice(0, 1), 10)).toHaveLength(2)
        const mate = yield* Samples.makeAccount()
        expect(yield* store.deliveries(mate.id, subjects, 10)).toEqual([])
      })
    )

    it.effect("delivery returns a delivery of the account with its body", () =>
      Effect.gen(function* () {
        const store = yield* ContactRecordStore
        const { contact, webhook } = yield* ErasedPerson.person
        const id = yield* Deliveries.add(webhook, "call:1")
        expect(yield* store.delivery(contact.accountId, id)).toEqual(
          Option.some({
            id,
            webhookId: webhook.id,
            eventType: "call.ended",
            status: "pending",
            createdAt: Samples.now,
            body: new TextEncoder().encode('{"subject":"call:1"}')
          })
        )
        const mate = yield* Samples.makeAccount()
        expect(yield* store.delivery(mate.id, id)).toEqual(Option.none())
      })
    )
  })
}

import { describe, expect, it } from "@effect/vitest"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { ContactId } from "@frontdesk/core/contact/Contact"
import * as ContactRecord from "@frontdesk/core/erasure/ContactRecord"
import { ContactRecords } from "@frontdesk/core/erasure/ContactRecords"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import * as ErasedPerson from "@frontdesk/testing/suite/ErasedPerson"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const services = ContactRecords.layer.pipe(Layer.provideMerge(Layer.fresh(MemoryStorage.layer)))

const get = (id: ContactId) => Effect.flatMap(ContactRecords, (records) => records.get(id))

const person = Effect.gen(function* () {
  const account = yield* Samples.makeAccount()
  const planted = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
  return { ...planted, account, as: Effect.provideService(Principal, ofAccount(account)) }
})

describe("ContactRecords", () => {
  it.effect("get returns the records that an erasure would find, the newest first (D-ERASE-7)", () =>
    Effect.gen(function* () {
      const { as, call, contact, deliveries, linkedCall, linkedEvent, mailEvent, phoneEvent, webhook } = yield* person
      const record = yield* as(get(contact.id))
      expect(record.contact).toEqual(contact)
      expect(record.calls.map(({ id, toolCalls }) => [id, toolCalls.length])).toEqual([
        [call.id, 1],
        [linkedCall.id, 0]
      ])
      expect(record.calendarEvents).toEqual([mailEvent, phoneEvent, linkedEvent])
      expect(record.toolCalls).toMatchObject([{ name: "book", answer: { say: "marker" } }])
      const state = { webhookId: webhook.id, status: "failed", payload: { marker: "marker" } }
      expect(record.deliveries).toMatchObject(deliveries.toReversed().map((id) => ({ id, ...state })))
      expect(record.truncated).toEqual({ calls: false, calendarEvents: false, toolCalls: false, deliveries: false })
    }).pipe(Effect.provide(services))
  )

  it.effect("get returns events with a number of the contact however it is written (D-ERASE-9)", () =>
    Effect.gen(function* () {
      const { account, as, contact } = yield* person
      const customer = { name: "John", email: "", phone: "202.555.0101", notes: "" }
      const event = yield* Samples.makeCalendarEvent(account.id, { customer })
      const { calendarEvents } = yield* as(get(contact.id))
      expect(calendarEvents.map(({ id }) => id)).toContain(event.id)
    }).pipe(Effect.provide(services))
  )

  it.effect("get returns nothing of other accounts, and of a team mate's contact nothing at all", () =>
    Effect.gen(function* () {
      const team = yield* (yield* TeamStore).insert("Sales")
      const owner = yield* Samples.makeAccount({ teamIds: [team.id] })
      const mate = yield* Samples.makeAccount({ teamIds: [team.id] })
      const contact = yield* Samples.makeContact(owner.id, { team })
      yield* Samples.makeCalendarEvent(mate.id, { contactId: contact.id, team })
      const record = yield* Effect.provideService(get(contact.id), Principal, ofAccount(owner))
      expect(record.calendarEvents).toEqual([])
      const asMate = Effect.provideService(Principal, ofAccount(mate))
      expect(yield* Effect.flip(asMate(get(contact.id)))).toMatchObject({ _tag: "NotOwner", action: "export" })
      expect(yield* Effect.flip(asMate(get(ContactId.make(999))))).toMatchObject({ _tag: "ContactNotFound" })
    }).pipe(Effect.provide(services))
  )

  it.effect("get returns at most maxRecords of a kind, and says that some are missing (D-ERASE-7)", () =>
    Effect.gen(function* () {
      const { account, agent, as, call, contact } = yield* person
      for (let count = 2; count < ContactRecord.maxRecords; count += 1)
        yield* Samples.makeCall(account.id, agent, { status: "completed", phoneNumber: call.phoneNumber })
      const full = yield* as(get(contact.id))
      expect([full.calls.length, full.truncated.calls]).toEqual([ContactRecord.maxRecords, false])
      yield* Samples.makeCall(account.id, agent, { status: "completed", phoneNumber: call.phoneNumber })
      const cut = yield* as(get(contact.id))
      expect(cut.calls.length).toBe(ContactRecord.maxRecords)
      // Tool calls and deliveries about the missing call are missing too.
      expect(cut.truncated).toEqual({ calls: true, calendarEvents: false, toolCalls: true, deliveries: true })
    }).pipe(Effect.provide(services))
  )

  it.effect("get ends a list with the record that reaches maxBytes of JSON (D-ERASE-7)", () =>
    Effect.gen(function* () {
      const { account, agent, as, call, contact } = yield* person
      const transcript = "ö".repeat(ContactRecord.maxBytes / 4)
      for (let count = 0; count < 3; count += 1)
        yield* Samples.makeCall(account.id, agent, { status: "completed", phoneNumber: call.phoneNumber, transcript })
      const record = yield* as(get(contact.id))
      expect(record.calls.map((one) => one.transcript?.length)).toEqual([transcript.length, transcript.length])
      expect(record.truncated.calls).toBe(true)
    }).pipe(Effect.provide(services))
  )

  it.effect("get finds deliveries however many others were added since, and says when it has not all", () =>
    Effect.gen(function* () {
      const { as, call, contact, webhook } = yield* person
      for (let count = 0; count < 1_000; count += 1) yield* Deliveries.add(webhook, "call:0")
      const before = yield* as(get(contact.id))
      expect([before.deliveries.length, before.truncated.deliveries]).toEqual([2, false])
      for (let count = 1; count < ContactRecord.maxRecords; count += 1)
        yield* Deliveries.add(webhook, `call:${call.id}`)
      const after = yield* as(get(contact.id))
      expect([after.deliveries.length, after.truncated.deliveries]).toEqual([ContactRecord.maxRecords, true])
    }).pipe(Effect.provide(services))
  )
})

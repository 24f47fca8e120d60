import { describe, expect, it } from "@effect/vitest"
import { actingOf, ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import { CurrentActing } from "@frontdesk/core/audit/Acting"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as CallReports from "@frontdesk/core/call/CallReports"
import { ref as agentRef } from "@frontdesk/core/agent/Agent"
import { anonymous } from "@frontdesk/core/call/InboundNumber"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { CallStore } from "@frontdesk/core/call/CallStore"
import * as ErasedCall from "@frontdesk/core/call/ErasedCall"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import * as ErasedCalendarEvent from "@frontdesk/core/erasure/ErasedCalendarEvent"
import * as ErasureSubject from "@frontdesk/core/erasure/ErasureSubject"
import { Outbox } from "@frontdesk/core/outbox/Outbox"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as ErasedPerson from "@frontdesk/testing/suite/ErasedPerson"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const services = ContactErasures.layer.pipe(
  Layer.provide(Outbox.layer),
  Layer.provideMerge(Layer.fresh(MemoryStorage.layer))
)

const erase = (id: ContactId) => Effect.flatMap(ContactErasures, (erasures) => erasures.erase(id, { confirm: true }))

describe("ContactErasures", () => {
  it.effect("erase deletes the contact, and a second request does not find it (D-ERASE-1)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const { contact } = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
      const as = Effect.provideService(Principal, ofAccount(account))
      expect(yield* as(erase(contact.id))).toMatchObject({ contactId: contact.id, calls: 2, calendarEvents: 3 })
      expect(yield* (yield* ContactStore).find(Samples.scopeOf(account), contact.id)).toEqual(Option.none())
      expect(yield* Effect.flip(as(erase(contact.id)))).toMatchObject({ _tag: "ContactNotFound" })
    }).pipe(Effect.provide(services))
  )

  it.effect("erase fails while a call of the contact has not ended, and changes nothing (D-ERASE-2)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const { agent, call, contact, linkedEvent } = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
      const running = yield* Samples.makeCall(account.id, agent, { phoneNumber: call.phoneNumber })
      const as = Effect.provideService(Principal, ofAccount(account))
      expect(yield* Effect.flip(as(erase(contact.id)))).toMatchObject({ _tag: "ContactInCall", callId: running.callId })
      const events = yield* CalendarEventStore
      expect(yield* events.find(Samples.scopeOf(account), { id: linkedEvent.id })).toEqual(Option.some(linkedEvent))
      const calls = yield* CallStore
      expect(yield* calls.find(Samples.scopeOf(account), { id: call.id })).toMatchObject({
        value: { transcript: "marker", phoneNumber: call.phoneNumber }
      })
      yield* calls.update({ ...running, status: "completed", endedAt: Samples.now })
      expect(yield* as(erase(contact.id))).toMatchObject({ calls: 3 })
    }).pipe(Effect.provide(services))
  )

  it.effect("erase keeps calls and events whose number another contact has too, or is withheld (D-ERASE-8)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const agent = yield* Samples.makeAgent(account.id)
      const landline = PhoneNumber.make("+12025550101")
      const jane = yield* Samples.makeContact(account.id, {
        email: "family@example.com",
        phoneNumbers: [Samples.newNumber(landline), Samples.newNumber(anonymous, { primary: false })]
      })
      yield* Samples.makeContact(account.id, {
        email: "Family@example.com",
        phoneNumbers: [Samples.newNumber(landline)]
      })
      const ended = { status: "completed", endedAt: Samples.now, contact: null } as const
      const made = [
        yield* Samples.makeCall(account.id, agentRef(agent), { ...ended, phoneNumber: landline }),
        yield* Samples.makeCall(account.id, agentRef(agent), { ...ended, phoneNumber: anonymous })
      ]
      const customer = { name: "John", email: "family@example.com", phone: landline, notes: "" }
      const event = yield* Samples.makeCalendarEvent(account.id, { customer })
      const report = yield* Effect.provideService(erase(jane.id), Principal, ofAccount(account))
      expect(report).toMatchObject({ calls: 0, calendarEvents: 0 })
      expect(report.remaining).toContain("shared_numbers")
      const [calls, events] = [yield* CallStore, yield* CalendarEventStore]
      const scope = Samples.scopeOf(account)
      for (const call of made) expect(yield* calls.find(scope, { id: call.id })).toEqual(Option.some(call))
      expect(yield* events.find(scope, { id: event.id })).toEqual(Option.some(event))
    }).pipe(Effect.provide(services))
  )

  it.effect("erase finds events by their number however it is written (D-ERASE-9)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const { contact } = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
      const add = (phone: string) =>
        Samples.makeCalendarEvent(account.id, { customer: { name: "John", email: "", phone, notes: "" } })
      const written = [yield* add("(202) 555-0101"), yield* add("1-202-555-0101")]
      const other = yield* add("(202) 555-0102")
      const report = yield* Effect.provideService(erase(contact.id), Principal, ofAccount(account))
      expect(report).toMatchObject({ calendarEvents: 5 })
      const events = yield* CalendarEventStore
      const scope = Samples.scopeOf(account)
      for (const { id } of written)
        expect(yield* events.find(scope, { id })).toMatchObject({ value: { customer: { name: "", phone: "" } } })
      expect(yield* events.find(scope, { id: other.id })).toEqual(Option.some(other))
    }).pipe(Effect.provide(services))
  )

  it.effect("erase deletes the stored answers of other accounts with a record of the contact (D-ERASE-6)", () =>
    Effect.gen(function* () {
      const team = yield* (yield* TeamStore).insert("Sales")
      const [owner, mate] = [
        yield* Samples.makeAccount({ teamIds: [team.id] }),
        yield* Samples.makeAccount({ teamIds: [team.id] })
      ]
      const contact = yield* Samples.makeContact(owner.id, { team })
      yield* ErasedPerson.plant(mate.id, "mate", "+12025550102")
      const asOwner = Effect.provideService(Principal, ofAccount(owner))
      const untouched = yield* asOwner(erase(contact.id))
      expect(untouched).toMatchObject({ storedAnswers: 0 })
      expect(untouched.remaining).toContain("team_answers")
      const second = yield* Samples.makeContact(owner.id, { team })
      yield* Samples.makeCalendarEvent(mate.id, { contactId: second.id })
      expect(yield* asOwner(erase(second.id))).toMatchObject({ calendarEvents: 1, storedAnswers: 1 })
    }).pipe(Effect.provide(services))
  )

  it.effect("only the owner of a contact may erase it", () =>
    Effect.gen(function* () {
      const team = yield* (yield* TeamStore).insert("Sales")
      const [owner, mate] = [
        yield* Samples.makeAccount({ teamIds: [team.id] }),
        yield* Samples.makeAccount({ teamIds: [team.id] })
      ]
      const contact = yield* Samples.makeContact(owner.id, { team })
      const asMate = Effect.provideService(Principal, ofAccount(mate))
      expect(yield* Effect.flip(asMate(erase(contact.id)))).toMatchObject({ _tag: "NotOwner" })
      expect(yield* Effect.flip(asMate(erase(ContactId.make(999))))).toMatchObject({ _tag: "ContactNotFound" })
    }).pipe(Effect.provide(services))
  )

  it.effect("the log has the numbers of what was erased, and nothing of the person (D-AUD-4, D-ERASE-1)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const { contact } = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
      const as = Effect.provideService(Principal, ofAccount(account))
      yield* as(erase(contact.id))
      yield* Effect.flip(as(erase(contact.id)))
      const entries = yield* allEntriesOf(account.id)
      const counts = {
        calls: 2,
        calendar_events: 3,
        tool_calls: 2,
        mails: 1,
        deliveries: 2,
        stored_answers: 1,
        refused_lines: 2
      }
      expect(entries.toReversed()).toMatchObject([
        { operation: "contactErasures.begin", entity: { type: "contact", id: String(contact.id) }, changes: [] },
        {
          operation: "contactErasures.erase",
          actor: { type: "program", id: null },
          entity: { type: "contact", id: String(contact.id) },
          changes: Object.entries(counts).map(([field, after]) => ({ field, after }))
        }
      ])
      expect(JSON.stringify(entries)).not.toMatch(/marker|2025550101/)
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "erase also clears the calls and events of team mates with the contact, whose log states it (D-AUD-3)",
    () =>
      Effect.gen(function* () {
        const [owner, mate] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const contact = yield* Samples.makeContact(owner.id, { email: "jo@example.com" })
        const customer = { name: "Jo", email: "jo@example.com", phone: "", notes: "" }
        const shared = yield* Samples.makeCalendarEvent(mate.id, { contactId: contact.id, customer })
        const unrelated = yield* Samples.makeCalendarEvent(mate.id, { customer })
        yield* erase(contact.id).pipe(
          Effect.provideService(Principal, ofAccount(owner)),
          Effect.provideService(
            CurrentActing,
            actingOf(ofAccount(owner), { requestId: "request-1", clientAddress: null })
          )
        )
        expect(yield* allEntriesOf(mate.id)).toMatchObject([
          {
            operation: "contactErasures.erase",
            actor: { type: "team_mate", id: String(owner.id) },
            entity: { type: "contact", id: String(contact.id) },
            changes: [{ field: "calendar_events", after: 1 }]
          }
        ])
        expect((yield* allEntriesOf(owner.id)).map(({ actor }) => actor.type)).toEqual(["program", "program"])
        const events = yield* CalendarEventStore
        const find = (id: typeof shared.id) => events.find(Samples.scopeOf(mate), { id })
        expect(yield* find(shared.id)).toMatchObject({
          value: { title: "Erased", contactId: null, customer: { name: "" } }
        })
        expect(yield* find(unrelated.id)).toEqual(Option.some(unrelated))
      }).pipe(Effect.provide(services))
  )
})

describe("an erased record", () => {
  it.effect("a call keeps its times and charges, and later reports add no texts (D-ERASE-2)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const { call } = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
      const erased = ErasedCall.erase(call)
      expect(erased).toEqual({
        ...call,
        phoneNumber: "+9990000000",
        transcript: null,
        summary: null,
        recordingUrl: null,
        variables: {},
        metadata: null
      })
      for (const report of [
        { _tag: "Transcript", text: "late" },
        { _tag: "Summary", text: "late" },
        { _tag: "Recording", url: "https://example.com" }
      ] as const) {
        expect(CallReports.apply(erased, report, Samples.now).call).toEqual(erased)
        expect(CallReports.apply({ ...erased, phoneNumber: call.phoneNumber }, report, Samples.now).call).not.toEqual(
          erased
        )
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("a calendar event keeps its times, status and copies, so that busy times do not change (D-ERASE-3)", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const { mailEvent } = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
      const erased = ErasedCalendarEvent.erase(mailEvent, Samples.later(5))
      expect(JSON.stringify(erased)).not.toContain("marker")
      expect(erased).toMatchObject({
        title: "Erased",
        status: mailEvent.status,
        startTime: mailEvent.startTime,
        endTime: mailEvent.endTime,
        externalCalendars: { google: { id: "copy", revision: null } },
        sequence: mailEvent.sequence + 1
      })
      expect([ErasedCalendarEvent.isErased(mailEvent), ErasedCalendarEvent.isErased(erased)]).toEqual([false, true])
    }).pipe(Effect.provide(services))
  )

  it.effect("a person occurs in a cell with a number in any form or with the address in any case", () =>
    Effect.gen(function* () {
      const account = yield* Samples.makeAccount()
      const { subject } = yield* ErasedPerson.plant(account.id, "marker", "+12025550101")
      for (const cell of ["+1 (202) 555-0101", "0012025550101", "202-555-0101", "Jo <MARKER@example.com>"])
        expect([cell, ErasureSubject.occursIn(subject, ["", cell])]).toEqual([cell, true])
      for (const cell of ["2025550102", "marker", ""]) expect(ErasureSubject.occursIn(subject, [cell])).toBe(false)
    }).pipe(Effect.provide(services))
  )
})

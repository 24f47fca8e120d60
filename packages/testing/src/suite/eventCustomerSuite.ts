import type { AccountId } from "@frontdesk/core/access/Account"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import * as CalendarEventStatus from "@frontdesk/core/calendar-event/CalendarEventStatus"
import { CalendarEventStore, type EventCustomer } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies the contacts of the events of a `CalendarEventStore`, and which events it finds for a customer. */
export const eventCustomerSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: customers of calendar events`, (it) => {
    it.effect(
      "ofCustomer returns each event of the contact or of a phone number once, by start time and then by id",
      () =>
        Effect.gen(function* () {
          const { id } = yield* Samples.makeAccount()
          const [contact, other] = [yield* Samples.makeContact(id), yield* Samples.makeContact(id)]
          const late = yield* make(id, 30, { contactId: contact.id })
          const byPhone = yield* make(id, 10, { customer: withPhone("+12025550101") })
          const both = yield* make(id, 10, { contactId: contact.id, customer: withPhone("+12025550101") })
          const free = yield* make(id, 20, { customer: withPhone(" 1 (202) 555") })
          const ofOther = yield* make(id, 0, { contactId: other.id, customer: withPhone("+12025550102") })
          yield* make(id, 5)
          const find = (customer: Partial<EventCustomer>) => ofCustomer(id, customer)
          const phoneNumbers = ["+12025550101", " 1 (202) 555"]
          expect(yield* find({ contactId: contact.id, phoneNumbers })).toEqual([byPhone, both, free, late])
          expect(yield* find({ contactId: contact.id })).toEqual([both, late])
          expect(yield* find({ phoneNumbers: phoneNumbers.slice(0, 1) })).toEqual([byPhone, both])
          expect(yield* find({ contactId: other.id, phoneNumbers: ["+12025550109"] })).toEqual([ofOther])
          expect(yield* find({ phoneNumbers: ["12025550101", "+1 2025550101", "+120255501", "1 (202) 555"] })).toEqual(
            []
          )
        })
    )

    it.effect("ofCustomer returns no event for an empty phone number and for no contact", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        yield* make(id, 10)
        expect(yield* ofCustomer(id, {})).toEqual([])
        expect(yield* ofCustomer(id, { phoneNumbers: [""] })).toEqual([])
      })
    )

    it.effect("ofCustomer returns events that have not ended, with the statuses of CalendarEventStatus.isAhead", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        const contactId = (yield* Samples.makeContact(id)).id
        const { literals } = CalendarEventStatus.CalendarEventStatus
        for (const fields of [{ contactId }, { customer: withPhone("+12025550101") }]) {
          const made = yield* Effect.forEach(literals, (status) => make(id, 10, { ...fields, status }))
          const ahead = made.filter(({ status }) => CalendarEventStatus.isAhead(status))
          const begun = yield* make(id, -20, { ...fields, endTime: Samples.justAfter(0) })
          yield* make(id, -30, { ...fields, endTime: Samples.now })
          const customer = { contactId: fields.contactId ?? null, phoneNumbers: ["+12025550101"] }
          expect(yield* ofCustomer(id, customer)).toEqual([begun, ...ahead])
          yield* Effect.forEach([begun, ...ahead], cancel)
          expect(yield* ofCustomer(id, customer)).toEqual([])
        }
      })
    )

    it.effect("ofCustomer returns the first events up to the limit", () =>
      Effect.gen(function* () {
        const { id } = yield* Samples.makeAccount()
        const contactId = (yield* Samples.makeContact(id)).id
        const third = yield* make(id, 30, { contactId })
        const first = yield* make(id, 10, { contactId, endTime: Samples.later(900) })
        const second = yield* make(id, 20, { customer: withPhone("+12025550101") })
        const customer = { contactId, phoneNumbers: ["+12025550101"] }
        expect(yield* ofCustomer(id, customer, 2)).toEqual([first, second])
        expect(yield* ofCustomer(id, customer, 3)).toEqual([first, second, third])
      })
    )

    it.effect("ofCustomer returns the account's own events alone, also for a contact of another account", () =>
      Effect.gen(function* () {
        const team = yield* Samples.makeTeam()
        const [mine, other] = [
          yield* Samples.makeAccount({ teamIds: [team.id] }),
          yield* Samples.makeAccount({ teamIds: [team.id] })
        ]
        const contactId = (yield* Samples.makeContact(other.id, { team })).id
        const fields = { contactId, customer: withPhone("+12025550101"), team }
        const own = yield* make(mine.id, 10, fields)
        const others = yield* make(other.id, 10, fields)
        for (const customer of [{ contactId }, { phoneNumbers: ["+12025550101"] }]) {
          expect(yield* ofCustomer(mine.id, customer)).toEqual([own])
          expect(yield* ofCustomer(other.id, customer)).toEqual([others])
        }
      })
    )

    it.effect("update replaces the contact of an event", () =>
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const account = yield* Samples.makeAccount()
        const [first, second] = [yield* Samples.makeContact(account.id), yield* Samples.makeContact(account.id)]
        const event = yield* make(account.id, 10, { contactId: first.id })
        for (const contactId of [second.id, null, first.id]) {
          yield* events.update({ ...event, contactId })
          expect(yield* read(event)).toEqual({ ...event, contactId })
          const found = yield* Effect.forEach([first, second], ({ id }) => ofCustomer(account.id, { contactId: id }))
          const expected = [first, second].map(({ id }) => (id === contactId ? [{ ...event, contactId }] : []))
          expect(found).toEqual(expected)
        }
      })
    )

    it.effect("a deleted contact leaves its events without a contact and otherwise unchanged", () =>
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const [contact, kept] = [yield* Samples.makeContact(account.id), yield* Samples.makeContact(account.id)]
        const customer = { name: "Jo", email: "jo@example.com", phone: "+12025550101", notes: "n" }
        const event = yield* make(account.id, 10, { contactId: contact.id, customer })
        const past = yield* make(account.id, -90, { contactId: contact.id, status: "completed" })
        const others = yield* make(account.id, 20, { contactId: kept.id })
        const removed = (yield* ContactStore).delete(Samples.scopeOf(account), contact.id)
        expect(yield* removed).toBe(true)
        for (const left of [event, past]) expect(yield* read(left)).toEqual({ ...left, contactId: null })
        expect(yield* read(others)).toEqual(others)
        expect(yield* ofCustomer(account.id, { contactId: contact.id })).toEqual([])
        const found = yield* ofCustomer(account.id, { contactId: contact.id, phoneNumbers: ["+12025550101"] })
        expect(found).toEqual([{ ...event, contactId: null }])
      })
    )

    it.effect("insert stores an event without a contact when the contact was deleted before", () =>
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const contact = yield* Samples.makeContact(account.id)
        yield* (yield* ContactStore).delete(Samples.scopeOf(account), contact.id)
        const event = yield* make(account.id, 10, { contactId: contact.id, customer: withPhone("+12025550101") })
        expect(event.contactId).toBe(null)
        expect(yield* read(event)).toEqual(event)
        expect(yield* ofCustomer(account.id, { contactId: contact.id })).toEqual([])
      })
    )

    it.effect(
      "concurrent inserts of events and the deletion of their contact all succeed, and no event has the contact",
      () =>
        Effect.gen(function* () {
          const account = yield* Samples.makeAccount()
          const contact = yield* Samples.makeContact(account.id)
          const transaction = yield* Transaction
          const contacts = yield* ContactStore
          const insert = transaction.run(
            Effect.andThen(Effect.yieldNow, make(account.id, 10, { contactId: contact.id }))
          )
          const remove = transaction.run(contacts.delete(Samples.scopeOf(account), contact.id))
          yield* Effect.all([insert, insert, remove, insert, insert], { concurrency: "unbounded" })
          const { items } = yield* (yield* CalendarEventStore).list(Samples.scopeOf(account), {}, page(1))
          expect(items.map(({ contactId }) => contactId)).toEqual([null, null, null, null])
        })
    )
  })
}

const withPhone = (phone: string) => ({ name: "", email: "", phone, notes: "" })

/** Stores an event of half an hour that starts some minutes after `Samples.now`, and returns it. */
const make = (accountId: AccountId, minutes: number, fields: Partial<Omit<CalendarEvent, "id">> = {}) =>
  Samples.makeCalendarEvent(accountId, {
    startTime: Samples.later(minutes),
    endTime: Samples.later(minutes + 30),
    ...fields
  })

const ofCustomer = (accountId: AccountId, customer: Partial<EventCustomer>, limit = 100) =>
  Effect.flatMap(CalendarEventStore, (events) =>
    events.ofCustomer(accountId, { contactId: null, phoneNumbers: [], ...customer }, Samples.now, limit)
  )

const read = ({ id }: CalendarEvent) =>
  Effect.flatMap(CalendarEventStore, (events) => Effect.map(events.findAnywhere({ id }), Option.getOrThrow))

const cancel = (event: CalendarEvent) =>
  Effect.flatMap(CalendarEventStore, (events) => events.update({ ...event, status: "cancelled" }))

import type { AccountId } from "@frontdesk/core/access/Account"
import type { Scope } from "@frontdesk/core/access/Scope"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import {
  type CalendarEventFilter,
  CalendarEventStore,
  type EventContact
} from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { page, readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies the lists of a `CalendarEventStore` by a contact and by the end of the events. */
export const eventListSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: lists of calendar events`, (it) => {
    it.effect("a list by the end has the events of any length and status that end after the instant, by start", () =>
      Effect.gen(function* () {
        const { scope, team } = yield* scopeWithTeam
        const mate = yield* Samples.makeAccount({ teamIds: [team.id] })
        const made = yield* Effect.forEach(lengths, (length, index) =>
          Effect.forEach([-length, 1 - length, -1, 0, 5], (minutes) =>
            make(index % 2 === 0 ? scope.accountId : mate.id, minutes, length, {
              status: index % 3 === 0 ? "cancelled" : "scheduled",
              team: index % 4 === 0 ? null : team
            })
          )
        )
        const all = made.flat().toSorted((a, b) => DateTime.Order(a.startTime, b.startTime) || a.id - b.id)
        for (const minutes of [-2_000_000, -1_441, -1, 0, 4, 60, 2_000_000])
          for (const until of [undefined, Samples.later(minutes + 3)]) {
            const endsAfter = Samples.later(minutes)
            const expected = all.filter(
              (event) =>
                DateTime.isGreaterThan(event.endTime, endsAfter) &&
                (until === undefined || DateTime.isLessThan(event.startTime, until))
            )
            const list = yield* lister(scope, { endsAfter, until })
            expect(yield* readAll(list, 7)).toEqual(expected)
            expect(yield* items(scope, { endsAfter, until, status: "cancelled", teamId: team.id })).toEqual(
              expected.filter((event) => event.status === "cancelled" && event.team !== null)
            )
          }
      })
    )

    it.effect(
      "a list by a contact has each event that was booked for it, or has a number or the address of it, once",
      () =>
        Effect.gen(function* () {
          const { scope, team } = yield* scopeWithTeam
          const mate = yield* Samples.makeAccount({ teamIds: [team.id] })
          const [contact, other] = [
            yield* Samples.makeContact(scope.accountId),
            yield* Samples.makeContact(scope.accountId)
          ]
          const own = (minutes: number, fields: Partial<CalendarEvent>) => make(scope.accountId, minutes, 30, fields)
          const [number, second] = ["+12025550101", "+12025550102"]
          const everything = yield* own(40, { contactId: contact.id, customer: customer(number, "Jo@Example.com") })
          const booked = yield* own(30, { contactId: contact.id })
          const called = yield* own(20, { customer: customer(number), status: "cancelled" })
          const calledOther = yield* own(10, { customer: customer(second) })
          const mailed = yield* own(0, { customer: customer("", "JO@example.com") })
          const shared = yield* make(mate.id, 25, 30, { customer: customer(number), team })
          const ofOther = yield* own(5, { contactId: other.id, customer: customer("+12025550103", "al@example.com") })
          yield* own(6, {})
          yield* make(mate.id, 7, 30, { contactId: contact.id, customer: customer(number, "jo@example.com") })

          const jo = ofContact({ contactId: contact.id, phoneNumbers: [number, second], email: "jo@example.com" })
          const found = [mailed, calledOther, called, shared, booked, everything]
          expect(yield* readAll(yield* lister(scope, { contact: jo }), 2)).toEqual(found)
          const ids = (filter: CalendarEventFilter) => items(scope, filter)
          expect(yield* ids({ contact: jo, from: Samples.later(20), until: Samples.later(40) })).toEqual([
            called,
            shared,
            booked
          ])
          expect(yield* ids({ contact: jo, endsAfter: Samples.later(50) })).toEqual([shared, booked, everything])
          expect(yield* ids({ contact: jo, status: "cancelled" })).toEqual([called])
          expect(yield* ids({ contact: jo, teamId: team.id })).toEqual([shared])
          expect(yield* ids({ contact: ofContact({ contactId: contact.id }) })).toEqual([booked, everything])
          expect(yield* ids({ contact: ofContact({ contactId: other.id, phoneNumbers: [""], email: "" }) })).toEqual([
            ofOther
          ])
        })
    )
  })
}

/** Minutes: a moment, lengths around a day, and three years. */
const lengths = [5, 1_439, 1_440, 1_441, 10_000, 1_576_800]

const customer = (phone: string, email = "") => ({ name: "", email, phone, notes: "" })

const ofContact = (contact: Partial<EventContact> & Pick<EventContact, "contactId">): EventContact => ({
  phoneNumbers: [],
  email: null,
  ...contact
})

const scopeWithTeam = Effect.gen(function* () {
  const team = yield* Samples.makeTeam()
  const account = yield* Samples.makeAccount({ teamIds: [team.id] })
  return { scope: { accountId: account.id, teamIds: account.teamIds } satisfies Scope, team }
})

/** Stores an event that starts some minutes after `Samples.now`, and returns it. */
const make = (accountId: AccountId, minutes: number, length: number, fields: Partial<Omit<CalendarEvent, "id">>) =>
  Samples.makeCalendarEvent(accountId, {
    startTime: Samples.later(minutes),
    endTime: Samples.later(minutes + length),
    ...fields
  })

const lister = (scope: Scope, filter: CalendarEventFilter) =>
  Effect.map(CalendarEventStore, (events) => (request: ReturnType<typeof page>) => events.list(scope, filter, request))

const items = (scope: Scope, filter: CalendarEventFilter) =>
  Effect.flatMap(CalendarEventStore, (events) => Effect.map(events.list(scope, filter, page(1)), (one) => one.items))

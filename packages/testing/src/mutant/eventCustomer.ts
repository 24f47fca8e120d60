import { ownRows } from "@frontdesk/core/access/Scope"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { justAfter, justBefore, mutantsOf, reversed } from "./Mutant.ts"

type Store = CalendarEventStore["Service"]

/** Returns a mutant that leaves out events of a customer. */
const without =
  (isMissing: (event: CalendarEvent) => boolean) =>
  (store: Store): Partial<Store> => ({
    ofCustomer: (...given) =>
      Effect.map(store.ofCustomer(...given), (found) => found.filter((event) => !isMissing(event)))
  })

/** Returns a mutant that also returns the events of a status, which no customer has ahead. */
const withStatus =
  (status: CalendarEvent["status"]) =>
  (store: Store): Partial<Store> => ({
    ofCustomer: (accountId, customer, now, limit) =>
      Effect.gen(function* () {
        const found = yield* store.ofCustomer(accountId, customer, now, limit)
        const scope = ownRows(accountId)
        const { items } = yield* store.list(scope, { status }, { page: 1, limit: 100 })
        const others = items.filter(({ contactId }) => contactId !== null && contactId === customer.contactId)
        return [...found, ...others]
      })
  })

/** Mutants of `CalendarEventStore` that break what it promises about contacts and customers. */
export const eventCustomers = mutantsOf(CalendarEventStore, {
  "insert stores no contact": (store) => ({
    insert: (event) =>
      Effect.map(store.insert({ ...event, contactId: null }), (row) => ({ ...row, contactId: event.contactId }))
  }),
  "insert fails when the contact was deleted": (store) => ({
    insert: (event) =>
      Effect.tap(store.insert(event), (row) =>
        event.contactId !== null && row.contactId === null ? Effect.die("the contact does not exist") : Effect.void
      )
  }),
  "insert returns the contact that was deleted": (store) => ({
    insert: (event) => Effect.map(store.insert(event), (row) => ({ ...row, contactId: event.contactId }))
  }),
  "update does not replace the contact": (store) => ({
    update: (event) =>
      Effect.flatMap(store.findAnywhere({ id: event.id }), (stored) =>
        store.update({ ...event, contactId: Option.getOrElse(stored, () => event).contactId })
      )
  }),
  "ofCustomer ignores the contact": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      store.ofCustomer(accountId, { ...customer, contactId: null }, now, limit)
  }),
  "ofCustomer ignores the phone numbers": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      store.ofCustomer(accountId, { ...customer, phoneNumbers: [] }, now, limit)
  }),
  "ofCustomer looks up the first phone number alone": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      store.ofCustomer(accountId, { ...customer, phoneNumbers: customer.phoneNumbers.slice(0, 1) }, now, limit)
  }),
  "ofCustomer trims the phone numbers": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      store.ofCustomer(
        accountId,
        { ...customer, phoneNumbers: customer.phoneNumbers.map((phone) => phone.trim()) },
        now,
        limit
      )
  }),
  "ofCustomer compares the digits of phone numbers": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      Effect.gen(function* () {
        const { items } = yield* store.list(ownRows(accountId), {}, { page: 1, limit: 100 })
        const digits = (phone: string) => phone.replaceAll(/\D/g, "")
        const given = new Set(customer.phoneNumbers.map(digits))
        const alike = items.map((event) => event.customer.phone).filter((phone) => given.has(digits(phone)))
        return yield* store.ofCustomer(accountId, { ...customer, phoneNumbers: alike }, now, limit)
      })
  }),
  "ofCustomer returns events without a phone number for an empty one": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      Effect.gen(function* () {
        if (!customer.phoneNumbers.includes("")) return yield* store.ofCustomer(accountId, customer, now, limit)
        const { items } = yield* store.list(ownRows(accountId), {}, { page: 1, limit: 100 })
        return items.filter((event) => event.customer.phone === "")
      })
  }),
  "ofCustomer returns an event of the contact and of a phone number twice": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      Effect.gen(function* () {
        const ofContact = yield* store.ofCustomer(accountId, { ...customer, phoneNumbers: [] }, now, limit)
        const ofNumbers = yield* store.ofCustomer(accountId, { ...customer, contactId: null }, now, limit)
        return [...ofContact, ...ofNumbers].toSorted(
          (a, b) => a.startTime.epochMilliseconds - b.startTime.epochMilliseconds || a.id - b.id
        )
      })
  }),
  "ofCustomer leaves out confirmed events": without(({ status }) => status === "confirmed"),
  "ofCustomer leaves out events with a team": without(({ team }) => team !== null),
  "ofCustomer also returns cancelled events": withStatus("cancelled"),
  "ofCustomer also returns completed events": withStatus("completed"),
  "ofCustomer also returns events of no-shows": withStatus("no_show"),
  "ofCustomer leaves out events that have begun": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      Effect.map(store.ofCustomer(accountId, customer, now, limit), (found) =>
        found.filter(({ startTime }) => startTime.epochMilliseconds >= now.epochMilliseconds)
      )
  }),
  "ofCustomer returns an event that ends at the instant": (store) => ({
    ofCustomer: (accountId, customer, now, limit) => store.ofCustomer(accountId, customer, justBefore(now), limit)
  }),
  "ofCustomer leaves out an event that ends just after the instant": (store) => ({
    ofCustomer: (accountId, customer, now, limit) => store.ofCustomer(accountId, customer, justAfter(now), limit)
  }),
  "ofCustomer ignores the limit": (store) => ({
    ofCustomer: (accountId, customer, now) => store.ofCustomer(accountId, customer, now, 1_000)
  }),
  "ofCustomer returns the events that end first, up to the limit": (store) => ({
    ofCustomer: (accountId, customer, now, limit) =>
      Effect.map(store.ofCustomer(accountId, customer, now, 1_000), (found) => {
        const chosen = found.toSorted((a, b) => a.endTime.epochMilliseconds - b.endTime.epochMilliseconds)
        return found.filter((event) => chosen.slice(0, limit).includes(event))
      })
  }),
  "ofCustomer is in the order of insertion": (store) => ({
    ofCustomer: (...given) => Effect.map(store.ofCustomer(...given), (found) => found.toSorted((a, b) => a.id - b.id))
  }),
  "ofCustomer is in reverse order": (store) => ({ ofCustomer: (...given) => reversed(store.ofCustomer(...given)) }),
  "ofCustomer returns the events of every account": (store) => {
    const accounts = new Set<CalendarEvent["accountId"]>()
    return {
      insert: (event) => Effect.tap(store.insert(event), ({ accountId }) => Effect.sync(() => accounts.add(accountId))),
      ofCustomer: (_, customer, now, limit) =>
        Effect.map(
          Effect.forEach(accounts, (accountId) => store.ofCustomer(accountId, customer, now, limit)),
          (found) => found.flat()
        )
    }
  }
})

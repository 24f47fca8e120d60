import type { Account } from "@frontdesk/core/access/Account"
import { Principal } from "@frontdesk/core/access/Principal"
import { Availability } from "@frontdesk/core/availability/Availability"
import type { CalendarEventUuid } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import type { ContactId } from "@frontdesk/core/contact/Contact"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { maxLimit } from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Engine from "../deliveries/Engine.ts"
import * as CalendarEventCost from "../deliveries/CalendarEventCost.ts"
import * as Rounds from "../Rounds.ts"

/** A storage with the services on it. */
export interface Contestant {
  readonly name: string
  readonly services: Engine.Context
  /** The CPU clocks of the other processes that work for it, by name. */
  readonly others: Readonly<Record<string, Rounds.CpuClock>>
}

/**
 * The numbers of reads and writes in a round, and the number of rounds. With several callers there are four times as
 * many.
 */
export interface Size {
  readonly reads: number
  readonly writes: number
  readonly rounds: number
}

/** The number of rows of each kind in an account. */
const rows = 500

/** The number of concurrent callers. */
const callers = [1, 16]

/** The number of accounts: one for each caller. */
const accountCount = 16

const pageNumbers = Array.from({ length: rows / maxLimit }, (_, index) => index + 1)

/** The rows that are read and written. */
interface Fixture {
  readonly accounts: ReadonlyArray<Account>
  /** The first of the accounts, which has all rows that are read. */
  readonly account: Account
  readonly events: ReadonlyArray<CalendarEventUuid>
  readonly contacts: ReadonlyArray<ContactId>
}

const principal = (account: Account) =>
  Effect.provideService(Principal, Principal.of({ account, apiKeyId: null, permissions: new Set() }))

const fixture = Effect.gen(function* () {
  // A port without a receiver, because nothing is sent.
  const subscribe = Engine.subscribe(["http://127.0.0.1:9/"], "calendar.created")
  const account = yield* subscribe
  const accounts = [account, ...(yield* Effect.replicateEffect(subscribe, accountCount - 1))]
  const contacts = yield* Contacts
  const events = yield* CalendarEvents
  const { run } = yield* Transaction
  const ids = Engine.idsFrom(0, rows)
  return yield* run(
    Effect.gen(function* () {
      for (const n of ids) yield* CalendarEventCost.create(account, n)
      const pages = yield* Effect.forEach(pageNumbers, (page) => events.list({}, { page, limit: maxLimit }))
      const items = pages.flatMap((page) => page.items)
      const made = yield* Effect.forEach(ids, (n) => contacts.create({ firstName: `Jo ${n}`, customContext: { n } }))
      return { account, accounts, events: items.map(({ uuid }) => uuid), contacts: made.map(({ id }) => id) }
    })
  ).pipe(principal(account))
})

/** A measured operation on row `n`. */
interface Operation {
  readonly name: string
  readonly isWrite: boolean
  readonly ask: (
    fixture: Fixture,
    n: number
  ) => Effect.Effect<unknown, unknown, Principal | Availability | CalendarEvents | Contacts>
}

const operations: ReadonlyArray<Operation> = [
  {
    name: "event by UUID",
    isWrite: false,
    ask: ({ events }, n) =>
      Effect.gen(function* () {
        const uuid = events[n % events.length]
        if (uuid !== undefined) yield* (yield* CalendarEvents).get({ uuid })
      })
  },
  {
    name: "page of 20 events",
    isWrite: false,
    ask: (_, n) =>
      Effect.flatMap(CalendarEvents, (events) => events.list({}, { page: 1 + (n % (rows / 20)), limit: 20 }))
  },
  {
    name: "slots of a week",
    isWrite: false,
    ask: () =>
      Effect.flatMap(Availability, (availability) =>
        availability.find({ startDate: CalendarDate.make("2031-01-06"), endDate: CalendarDate.make("2031-01-12") })
      )
  },
  {
    name: "PATCH a contact",
    isWrite: true,
    ask: ({ contacts }, n) =>
      Effect.gen(function* () {
        const id = contacts[n % contacts.length]
        if (id !== undefined) yield* (yield* Contacts).patch(id, { customContext: { changed: n } })
      })
  },
  {
    name: "event, own account",
    isWrite: true,
    ask: ({ account, accounts }, n) => CalendarEventCost.create(accounts[n % accounts.length] ?? account, rows + n)
  },
  {
    // Creations in one account wait for each other, because they lock the row that counts its calendar events.
    name: "event, one account",
    isWrite: true,
    ask: ({ account }, n) => CalendarEventCost.create(account, rows + n)
  }
]

/**
 * Prints how many reads and writes a second the services do on each storage, with one caller and with several. An
 * additional first round is a warm-up and does not count.
 */
export const run = async (contestants: ReadonlyArray<Contestant>, { reads, rounds, writes }: Size): Promise<void> => {
  const ready: Array<Contestant & { readonly fixture: Fixture }> = []
  for (const contestant of contestants) {
    ready.push({ ...contestant, fixture: await Effect.runPromiseWith(contestant.services)(fixture) })
  }
  let done = 0
  for (const concurrency of callers) {
    for (const { ask, isWrite, name } of operations) {
      const count = (isWrite ? writes : reads) * (concurrency === 1 ? 1 : 4)
      const measured = await Rounds.interleave(ready, rounds + 1, ({ fixture, others, services }) => {
        const ids = Engine.idsFrom((done += count), count)
        const all = Effect.forEach(ids, (n) => ask(fixture, n), { concurrency, discard: true })
        return Rounds.costed(count, () => Effect.runPromiseWith(services)(principal(fixture.account)(all)), { others })
      })
      console.log(
        Rounds.table(
          `${name}, ${concurrency} at once`,
          // `slice(1)` leaves out the warm-up round.
          measured.map(({ contestant, results }) => ({ name: contestant.name, results: results.slice(1) }))
        )
      )
    }
  }
}

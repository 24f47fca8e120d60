import type { Account } from "@frontdesk/core/access/Account"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import type { Contact } from "@frontdesk/core/contact/Contact"
import { CalendarEventStatus } from "@frontdesk/core/calendar-event/CalendarEventStatus"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import { type Model, names, pick } from "./Model.ts"
import * as Samples from "./Samples.ts"

interface Fields {
  readonly start: number
  readonly minutes: number
  readonly status: CalendarEventStatus
  readonly isShared: boolean
  readonly email: string
  readonly phone: string
  /** The contact of the event, or null. */
  readonly contact: number | null
}

type Command =
  | { readonly _tag: "Insert"; readonly account: number; readonly fields: Fields }
  | { readonly _tag: "Update"; readonly event: number; readonly fields: Fields }
  | { readonly _tag: "Find"; readonly account: number; readonly event: number; readonly byUuid: boolean }
  | {
      readonly _tag: "Busy"
      readonly account: number
      readonly from: number
      readonly minutes: number
      readonly except: number | null
    }
  | {
      readonly _tag: "OfCustomer"
      readonly account: number
      readonly contact: number | null
      readonly phones: ReadonlyArray<string>
      readonly now: number
      readonly limit: number
    }
  | {
      readonly _tag: "List"
      readonly account: number
      readonly from: number | undefined
      readonly until: number | undefined
      readonly status: CalendarEventStatus | undefined
      readonly email: string | undefined
      readonly page: number
      readonly limit: number
    }

interface State {
  readonly accounts: ReadonlyArray<Account>
  readonly team: TeamRef
  /** Contacts of the first account. Events of the second may have them too. */
  readonly contacts: ReadonlyArray<Contact>
  readonly events: Array<CalendarEvent>
  readonly show: (event: CalendarEvent) => unknown
}

const account = fc.nat({ max: 1 })
const event = fc.nat({ max: 20 })
const start = fc.integer({ min: 0, max: 10 })
const minutes = fc.integer({ min: 1, max: 12 })
const status = fc.constantFrom(...CalendarEventStatus.literals)
const emails = ["", "jo@example.com", "Jo@Example.com"]

const phones = ["", "+12025550101", "+12025550102"]
const contact = fc.option(fc.nat({ max: 1 }))

const fields: fc.Arbitrary<Fields> = fc.record({
  start,
  minutes,
  status,
  isShared: fc.boolean(),
  email: fc.constantFrom(...emails),
  phone: fc.constantFrom(...phones),
  contact
})

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Insert"), account, fields }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Update"), event, fields }) },
  fc.record({ _tag: fc.constant("Find"), account, event, byUuid: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({ _tag: fc.constant("Busy"), account, from: start, minutes, except: fc.option(event) })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("OfCustomer"),
      account,
      contact,
      phones: fc.subarray(phones),
      now: fc.integer({ min: 0, max: 22 }),
      limit: fc.integer({ min: 1, max: 4 })
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("List"),
      account,
      from: fc.option(start, { nil: undefined }),
      until: fc.option(start, { nil: undefined }),
      status: fc.option(status, { nil: undefined }),
      email: fc.option(fc.constantFrom("JO@example.com", ""), { nil: undefined }),
      page: fc.integer({ min: 1, max: 3 }),
      limit: fc.integer({ min: 1, max: 4 })
    })
  }
)

const optional = (value: number | undefined) => (value === undefined ? undefined : Samples.later(value))

const contactOf = (state: State, index: number | null) =>
  index === null ? null : (pick(state.contacts, index)?.id ?? null)

const calendarEventOf = (state: State, data: Fields): Partial<CalendarEvent> => ({
  startTime: Samples.later(data.start),
  endTime: Samples.later(data.start + data.minutes),
  status: data.status,
  team: data.isShared ? state.team : null,
  customer: { name: "Jo", email: data.email, phone: data.phone, notes: "" },
  contactId: contactOf(state, data.contact)
})

const step = Effect.fnUntraced(function* (state: State, action: Command) {
  const events = yield* CalendarEventStore
  const owner = pick(state.accounts, "account" in action ? action.account : 0)
  if (owner === undefined) return undefined
  const scope = { accountId: owner.id, teamIds: owner.teamIds }

  switch (action._tag) {
    case "Insert": {
      const made = yield* Samples.makeCalendarEvent(owner.id, calendarEventOf(state, action.fields))
      state.events.push(made)
      return state.show(made)
    }
    case "Update": {
      const chosen = pick(state.events, action.event)
      return chosen === undefined
        ? undefined
        : yield* events.update({ ...chosen, ...calendarEventOf(state, action.fields) })
    }
    case "Find": {
      const chosen = pick(state.events, action.event)
      if (chosen === undefined) return undefined
      const found = yield* events.find(scope, action.byUuid ? { uuid: chosen.uuid } : { id: chosen.id })
      return Option.match(found, { onNone: () => null, onSome: state.show })
    }
    case "Busy": {
      const except = action.except === null ? undefined : pick(state.events, action.except)?.id
      const until = Samples.later(action.from + action.minutes)
      const busy = yield* events.busy(owner.id, Samples.later(action.from), until, Option.fromUndefinedOr(except))
      // The order of calendar events with the same start is not specified.
      return busy.toSorted((a, b) => a.start - b.start || a.end - b.end)
    }
    case "OfCustomer": {
      const customer = { contactId: contactOf(state, action.contact), phoneNumbers: action.phones }
      const found = yield* events.ofCustomer(owner.id, customer, Samples.later(action.now), action.limit)
      return found.map(state.show)
    }
    case "List": {
      const filter = {
        from: optional(action.from),
        until: optional(action.until),
        status: action.status,
        customerEmail: action.email
      }
      return Page.map(yield* events.list(scope, filter, { page: action.page, limit: action.limit }), state.show)
    }
  }
})

/** Commands for the calendar events of two accounts. The second account is in a team. */
export const calendarEventModel: Model<Command, State> = {
  command,
  begin: Effect.gen(function* () {
    const team = yield* Samples.makeTeam()
    const first = yield* Samples.makeAccount()
    const accounts = [first, yield* Samples.makeAccount({ teamIds: [team.id] })]
    const contacts = yield* Effect.forEach(["Jo", "Zoë"], (firstName) => Samples.makeContact(first.id, { firstName }))
    const name = names()
    const show = (shown: CalendarEvent) => ({
      ...shown,
      id: name(`event ${shown.id}`),
      uuid: name(shown.uuid),
      accountId: name(`account ${shown.accountId}`),
      contactId: shown.contactId === null ? null : name(`contact ${shown.contactId}`),
      team: shown.team === null ? null : shown.team.name
    })
    return { accounts, team, contacts, events: [], show }
  }),
  step
}

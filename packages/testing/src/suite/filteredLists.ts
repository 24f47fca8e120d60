import type { Account } from "@frontdesk/core/access/Account"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import { type CalendarEventFilter, CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { type CallFilter, CallStore } from "@frontdesk/core/call/CallStore"
import { type ContactFilter, ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DeliveryStatus } from "@frontdesk/core/delivery/Delivery"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"

/** A list with some of its filters. */
export interface FilteredList {
  /** Names the list and its filters, for example `contact by status and tag`. */
  readonly name: string
  readonly table: string
  /** The columns that the filters compare with a value. The owner and the range of times are not among them. */
  readonly columns: ReadonlyArray<string>
  /** Whether a filter examines the text of every row of the owner. */
  readonly isSearch: boolean
  /** Whether a filter looks up few rows, which are then sorted. */
  readonly isLookUp: boolean
  /** Reads the first page. */
  readonly read: Effect.Effect<unknown, StorageError, CalendarEventStore | CallStore | ContactStore | DeliveryStore>
}

/** A filter: its fields, and the column that it compares with a value, if it does. */
interface Filter<F> {
  readonly name: string
  readonly fields: F
  readonly columns: ReadonlyArray<string>
}

/** The filters that look up few rows, which are then sorted. */
const lookUps: ReadonlySet<string> = new Set([
  "contact tag",
  "contact phoneNumber",
  "calendar_event contact",
  "calendar_event endsAfter"
])

const page = { page: 1, limit: 20 }

const subsets = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const [first, ...others] = all
  if (first === undefined) return [[]]
  const without = subsets(others)
  return [...without, ...without.map((some) => [first, ...some])]
}

/** Returns a list with every combination of its filters. The type of `given` requires a value for each field. */
const combined = <F extends object>(
  table: string,
  given: { readonly [Field in keyof Required<F>]: readonly [value: F[Field], ...columns: ReadonlyArray<string>] },
  read: (filter: F) => FilteredList["read"]
): ReadonlyArray<FilteredList> => {
  const filters = Object.entries<readonly [unknown, ...ReadonlyArray<string>]>(given).map(
    ([name, [value, ...columns]]): Filter<F> => ({
      name,
      /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- The entries of the record have the types of its fields. */
      fields: { [name]: value } as F,
      columns
    })
  )
  return subsets(filters).map((some) => ({
    name: [table, ...some.map(({ name }) => name)].join(" "),
    table,
    columns: some.flatMap(({ columns }) => columns),
    isSearch: some.some(({ name }) => name === "search"),
    isLookUp: some.some(({ name }) => lookUps.has(`${table} ${name}`)),
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- Every field of a filter is optional. */
    read: read(Object.assign({}, ...some.map(({ fields }) => fields)) as F)
  }))
}

/**
 * Stores one of each record for an account in teams, so that each filter finds a row. Returns all lists that have
 * filters, with every combination of the filters.
 */
export const everyFilteredList = Effect.fnUntraced(function* (account: Account, teams: ReadonlyArray<TeamRef>) {
  const agent = yield* Samples.makeAgent(account.id)
  const phoneNumbers = [Samples.newNumber("+12025550100")]
  const own = { firstName: "Jo", tags: ["vip"], phoneNumbers }
  const contact = yield* Samples.makeContact(account.id, own)
  const aiAgent = { id: agent.id, name: agent.name, assistantId: agent.assistantId }
  const customer = { name: "Jo", email: "jo@example.com", phone: "", notes: "" }
  yield* Samples.makeCalendarEvent(account.id, { aiAgent, customer })
  const call = yield* Samples.makeCall(account.id, agent, { contact: { ...contact, name: "Jo" } })
  for (const team of teams) {
    yield* Samples.makeCalendarEvent(account.id, { team, aiAgent, customer })
    yield* Samples.makeContact(account.id, { ...own, team })
    yield* Samples.makeCall(account.id, agent, { team, contact: { ...contact, name: "Jo" } })
  }
  const webhook = yield* Samples.makeWebhook(account.id)
  yield* Deliveries.add(webhook, "call:1")
  const scope = { accountId: account.id, teamIds: account.teamIds }
  const [from, until] = [Samples.now, Samples.later(60)]
  const teamId = teams[0]?.id
  const ofContact = { contactId: contact.id, phoneNumbers: ["+12025550100"], email: "jo@example.com" }

  return [
    ...combined<CalendarEventFilter>(
      "calendar_event",
      {
        from: [from],
        until: [until],
        teamId: [teamId],
        status: ["scheduled", "status"],
        eventType: ["meeting", "event_type"],
        aiAgentId: [agent.id, "ai_agent_id"],
        customerEmail: ["Jo@example.com", "customer_email_key"],
        endsAfter: [from],
        contact: [ofContact, "contact_id", "customer_phone", "customer_email_key"]
      },
      (filter) => Effect.flatMap(CalendarEventStore, (store) => store.list(scope, filter, page))
    ),
    ...combined<CallFilter>(
      "call",
      {
        from: [from],
        until: [until],
        status: [call.status, "status"],
        type: [call.type, "type"],
        agentId: [agent.id, "agent_id"],
        contactId: [contact.id, "contact_id"],
        phoneNumber: [call.phoneNumber, "phone_number"],
        search: ["jo"]
      },
      (filter) => Effect.flatMap(CallStore, (store) => store.list(scope, filter, page))
    ),
    ...combined<ContactFilter>(
      "contact",
      {
        teamId: [teamId],
        status: [contact.status, "status"],
        stage: [contact.stage, "stage"],
        tag: ["vip", "tag"],
        phoneNumber: [contact.phoneNumbers[0]?.phoneNumber, "phone_number"],
        search: ["jo"]
      },
      (filter) => Effect.flatMap(ContactStore, (store) => store.list(scope, filter, page))
    ),
    ...[Option.none(), ...DeliveryStatus.literals.map(Option.some)].map((status): FilteredList => ({
      name: `webhook_delivery ${Option.getOrElse(status, () => "")}`,
      table: "webhook_delivery",
      columns: Option.match(status, { onNone: () => [], onSome: () => ["<expr>"] }),
      isSearch: false,
      isLookUp: false,
      read: Effect.flatMap(DeliveryStore, (store) => store.list(account.id, webhook.id, status, page))
    }))
  ]
})

import { Tools } from "@frontdesk/agent-tools"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { ownRows } from "@frontdesk/core/access/Scope"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { anonymous } from "@frontdesk/core/call/InboundNumber"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Property from "@frontdesk/testing/Property"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { makeAccount, makeCall, noon, number, numbers, services } from "./calls.ts"

/** Texts of the other person's data. None of them may show in an answer. */
const secrets = { lastName: "Victimson", email: "victim@example.com", company: "Victim Ltd", insurance: "V-99" }

/** Makes a call with one person, in an account that has another person with a contact, an appointment and a call. */
const withTwoPersons = Effect.fnUntraced(function* (
  direction: "inbound" | "outbound" | "withheld",
  inboundIdentity: "trusted" | "number_only"
) {
  const of = yield* makeAccount({
    inboundIdentity,
    agentContactFields: ["first_name", "last_name", "email", "company", "city"]
  })
  const other = yield* makeCall(
    of,
    { phoneNumber: numbers.second },
    {
      firstName: "Vic",
      lastName: secrets.lastName,
      email: secrets.email,
      company: secrets.company,
      customContext: { insurance: secrets.insurance },
      phoneNumbers: [number(numbers.second)]
    }
  )
  const event = yield* Samples.makeCalendarEvent(of.account.id, {
    title: "Confidential",
    startTime: DateTime.add(noon, { days: 3 }),
    endTime: DateTime.add(noon, { days: 3, minutes: 30 }),
    contactId: other.contact?.id ?? null,
    customer: { name: "Vic", email: secrets.email, phone: numbers.second, notes: "" }
  })
  const mine =
    direction === "withheld"
      ? yield* makeCall(of, { type: "inbound", phoneNumber: anonymous })
      : yield* makeCall(of, { type: direction }, { firstName: "Jo", phoneNumbers: [number(numbers.first)] })
  return { ...of, other, event, mine }
})

type Persons = Effect.Success<ReturnType<typeof withTwoPersons>>

/** Arguments with which each tool does something. */
const validArguments = Effect.fnUntraced(function* ({ mine }: Persons) {
  const found = yield* mine.tools.call("find_slots", {
    from_date: "2026-06-02",
    to_date: "2026-06-03",
    duration_minutes: 30
  })
  const slot_id = /"slot_id":"([^"]+)"/.exec(JSON.stringify(found))?.[1] ?? "none"
  return {
    get_context: {},
    find_slots: { from_date: "2026-06-02", to_date: "2026-06-03", duration_minutes: 30 },
    hold_slot: { slot_id },
    book: { slot_id },
    my_appointments: {},
    move: { event_id: 999, slot_id },
    cancel: { event_id: 999 },
    get_contact: {},
    update_contact: { city: "Bern" },
    set_variables: { variables: { insurance: "J-1" } },
    opt_out: {},
    request_callback: {}
  } satisfies { readonly [Name in Tools.ToolName]: object }
})

/** Fields that could name the other person, by the value that names it. */
const forgeries = ({ event, other }: Persons) => {
  const contact = other.contact?.id ?? 0
  return {
    event_id: [event.id, event.uuid, String(event.id), event.uuid.toUpperCase()],
    contact_id: [contact, String(contact)],
    contact: [contact, { id: contact }],
    id: [contact, event.id, other.call.id],
    call_id: [other.call.callId, other.call.id],
    call: [{ id: other.call.id, phone_number: numbers.second }],
    phone_number: [numbers.second],
    from: [numbers.second],
    customer_phone: [numbers.second],
    customer_email: [secrets.email],
    account_id: [event.accountId],
    caller: [numbers.second]
  }
}

type Forgeries = ReturnType<typeof forgeries>

const fields: ReadonlyArray<keyof Forgeries> = [
  "event_id",
  "contact_id",
  "contact",
  "id",
  "call_id",
  "call",
  "phone_number",
  "from",
  "customer_phone",
  "customer_email",
  "account_id",
  "caller"
]

const forged = fc.record({
  direction: fc.constantFrom("inbound", "outbound", "withheld"),
  identity: fc.constantFrom("trusted", "number_only"),
  uses: fc.array(
    fc.record({
      tool: fc.constantFrom(...Tools.toolNames),
      fields: fc.subarray([...fields], { minLength: 1 }),
      which: fc.nat()
    }),
    { minLength: 3, maxLength: 8 }
  )
})

/** Returns everything that is stored about the other person. */
const storedOf = Effect.fnUntraced(function* ({ account, event, other }: Persons) {
  const scope = ownRows(account.id)
  const contacts = yield* ContactStore
  const events = yield* CalendarEventStore
  const calls = yield* CallStore
  return {
    contact: yield* contacts.find(scope, (other.contact ?? expect.fail()).id),
    event: yield* events.find(scope, { id: event.id }),
    call: yield* calls.find(scope, { id: other.call.id }),
    isBlocked: yield* (yield* DoNotCallStore).isBlocked(scope, numbers.second)
  }
})

it.effect("no argument of any tool shows or changes what is stored of another person (D-AGT-6)", () =>
  Property.forAll(
    forged,
    ({ direction, identity, uses }) =>
      Effect.gen(function* () {
        const persons = yield* withTwoPersons(direction, identity)
        const before = yield* storedOf(persons)
        const valid = yield* validArguments(persons)
        const values = forgeries(persons)
        for (const { fields, tool, which } of uses) {
          const named = fields.map((field): [string, unknown] => [field, values[field][which % values[field].length]])
          const answer = yield* persons.mine.tools.call(tool, { ...valid[tool], ...Object.fromEntries(named) })
          const text = JSON.stringify(answer)
          for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
          expect(text).not.toContain(persons.event.uuid)
        }
        expect(yield* storedOf(persons)).toEqual(before)
        // The other person still finds the own appointment, and no other one.
        const principal = ofAccount(persons.account)
        const list = (yield* CalendarEvents).list({}, { page: 1, limit: 100 })
        const { items } = yield* Effect.provideService(list, Principal, principal)
        const theirs = items.filter(({ customer }) => customer.phone === numbers.second)
        expect(theirs.map(({ id }) => id)).toEqual([persons.event.id])
      }).pipe(Effect.provide(Layer.fresh(services))),
    { numRuns: 60 }
  )
)

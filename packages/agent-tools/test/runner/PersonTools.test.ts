import { AgentTools, type Toolbox } from "@frontdesk/agent-tools"
import type { AllowedTools } from "@frontdesk/core/agent/AgentTool"
import { ownRows } from "@frontdesk/core/access/Scope"
import { Agents } from "@frontdesk/core/agent/Agents"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { anonymous } from "@frontdesk/core/call/InboundNumber"
import { Calls } from "@frontdesk/core/call/Calls"
import { ToolCalls } from "@frontdesk/core/call/ToolCalls"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { DoNotCallStore } from "@frontdesk/core/contact/DoNotCallStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { asAccount, core, idOf, inbound, jo, makeAccount, makeCall, noon, numbers, stored, test } from "./calls.ts"

const decodeSlots = Schema.decodeUnknownSync(
  Schema.Struct({ slots: Schema.Array(Schema.Struct({ slot_id: Schema.String })) })
)

const week = { from_date: "2026-06-01", to_date: "2026-06-05", duration_minutes: 30 }

/** Returns the id of the slot at a place in what `find_slots` offers. */
const slot = Effect.fnUntraced(function* (tools: Toolbox.Toolbox, at: number = 0) {
  const { slots } = decodeSlots(yield* tools.call("find_slots", week))
  return slots[at]?.slot_id ?? "none"
})

const book = Effect.fnUntraced(function* (tools: Toolbox.Toolbox, args: object = {}) {
  return yield* tools.call("book", { slot_id: yield* slot(tools), ...args })
})

describe("get_context in a call", () => {
  test(
    "returns the contact, its appointments and the variables of the call",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, { variables: { reason: "check-up" } }, jo)
      const { event } = yield* book(tools)
      expect(yield* tools.call("get_context", {})).toMatchObject({
        contact: { first_name: "Jo", full_name: "Jo Doe", email: "jo@example.com", phone_number: numbers.first },
        appointments: [event],
        variables: { first_name: "Jo", insurance: "A-17", reason: "check-up" }
      })
    })
  )

  test(
    "leaves out the contact and the appointments when the agent may not use the tools that tell them (D-AGENT-9)",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, { variables: { reason: "check-up" } }, jo)
      yield* book(tools)
      const only = (...allowedTools: AllowedTools) =>
        Effect.map(makeCall({ ...of, agent: { ...of.agent, allowedTools } }, {}, jo), (made) => made.tools)
      expect(yield* (yield* only("get_context")).call("get_context", {})).toMatchObject({
        contact: null,
        appointments: [],
        variables: {}
      })
      expect(yield* (yield* only("get_context", "get_contact")).call("get_context", {})).toMatchObject({
        contact: { first_name: "Jo" },
        appointments: []
      })
      expect(yield* (yield* only("get_context", "my_appointments")).call("get_context", {})).toMatchObject({
        contact: null,
        appointments: [{}]
      })
    })
  )

  test(
    "returns the first name alone of an inbound caller whose number is not trusted",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, inbound, jo)
      expect(yield* tools.call("get_context", {})).toMatchObject({
        contact: { first_name: "Jo", full_name: "Jo" },
        variables: { first_name: "Jo", full_name: "Jo" }
      })
    })
  )
})

describe("book in a call", () => {
  test(
    "books in the name of an agent that was archived during the call (D-AGENT-4)",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, {}, jo)
      const deleted = yield* asAccount(of.account)((yield* Agents).delete(of.agent.id))
      expect(deleted).toEqual({ archived: true })
      const event = yield* asAccount(of.account)((yield* CalendarEvents).get({ id: idOf(yield* book(tools)) }))
      expect(event).toMatchObject({ createdByAiAgent: true, aiAgent: { id: of.agent.id } })
    })
  )

  test(
    "books for the contact and the number of the call, whatever the arguments say",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call, contact, tools } = yield* makeCall(of, {}, jo)
      const claimed = { customer_name: "Eve", customer_email: "eve@example.com", customer_phone: numbers.second }
      const answer = yield* book(tools, { ...claimed, notes: "Front tooth" })
      const event = yield* asAccount(of.account)((yield* CalendarEvents).get({ id: idOf(answer) }))
      expect(event).toMatchObject({
        createdByAiAgent: true,
        aiAgent: { id: of.agent.id },
        contactId: contact?.id,
        customer: { name: "Jo Doe", email: "jo@example.com", phone: call.phoneNumber, notes: "Front tooth" }
      })
    })
  )

  test(
    "books for an unknown person under the name in the arguments and the number of the call",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of)
      const answer = yield* book(tools, { customer_name: "Eve", customer_phone: numbers.second })
      const event = yield* asAccount(of.account)((yield* CalendarEvents).get({ id: idOf(answer) }))
      expect(event).toMatchObject({ contactId: null, customer: { name: "Eve", phone: numbers.first } })
    })
  )
})

describe("the appointments of a person", () => {
  test(
    "are listed, moved and cancelled in a later call, and a repeat gets the first answer",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const first = yield* makeCall(of, {}, jo)
      const id = idOf(yield* book(first.tools))
      const { tools } = yield* makeCall(of, { ...inbound, contact: first.call.contact })
      expect(yield* tools.call("my_appointments", {})).toMatchObject({
        say: "You have one appointment, Monday June 1st at 9 am.",
        events: [{ id }]
      })
      const slot_id = yield* slot(tools, 2)
      const moved = yield* tools.call("move", { event_id: id, slot_id })
      expect(moved).toMatchObject({ event: { id, status: "scheduled" } })
      expect(yield* tools.call("move", { event_id: id, slot_id })).toEqual(moved)
      const cancelled = yield* tools.call("cancel", { event_id: id, reason: "Ill" })
      expect(cancelled).toMatchObject({ event: { id, status: "cancelled" } })
      expect(yield* tools.call("cancel", { event_id: id, reason: "Ill" })).toEqual(cancelled)
      expect(yield* tools.call("my_appointments", {})).toMatchObject({ events: [] })
    })
  )

  test(
    "are those of the contact too, when the number is trusted, and those of the number alone, when it is not",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const first = yield* makeCall(of, {}, jo)
      const id = idOf(yield* book(first.tools))
      const other = { phoneNumber: numbers.second, contact: first.call.contact }
      const trusted = yield* makeCall(of, other)
      expect(yield* trusted.tools.call("my_appointments", {})).toMatchObject({ events: [{ id }] })
      const untrusted = yield* makeCall(of, { ...other, ...inbound })
      expect(yield* untrusted.tools.call("my_appointments", {})).toMatchObject({ events: [] })
      expect(yield* untrusted.tools.call("cancel", { event_id: id })).toMatchObject({ error: "not_found" })
    })
  )

  test(
    "that are cancelled cannot be moved, those that are over can be neither moved nor cancelled",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, inbound, jo)
      const id = idOf(yield* book(tools))
      yield* tools.call("cancel", { event_id: id })
      const over = { say: "That appointment is over or cancelled.", error: "appointment_over" }
      expect(yield* tools.call("move", { event_id: id, slot_id: yield* slot(tools) })).toEqual(over)
      const past = yield* Samples.makeCalendarEvent(of.account.id, {
        startTime: DateTime.subtract(noon, { hours: 3 }),
        endTime: DateTime.subtract(noon, { hours: 2 }),
        customer: { name: "", email: "", phone: numbers.first, notes: "" }
      })
      const done = yield* Samples.makeCalendarEvent(of.account.id, {
        status: "completed",
        startTime: DateTime.add(noon, { days: 3 }),
        endTime: DateTime.add(noon, { days: 3, minutes: 30 }),
        customer: { name: "", email: "", phone: numbers.first, notes: "" }
      })
      for (const event_id of [past.id, done.id]) {
        expect(yield* tools.call("cancel", { event_id })).toEqual(over)
        expect(yield* tools.call("move", { event_id, slot_id: yield* slot(tools) })).toEqual(over)
      }
    })
  )

  test(
    "keep their duration when they are moved",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of)
      const id = idOf(yield* book(tools))
      const { slots } = decodeSlots(yield* tools.call("find_slots", { ...week, duration_minutes: 15 }))
      expect(yield* tools.call("move", { event_id: id, slot_id: slots[4]?.slot_id })).toEqual({
        say: "That appointment takes 30 minutes. Let me look for a time of that length.",
        error: "duration_mismatch",
        duration_minutes: 30
      })
    })
  )

  test(
    "of a withheld number are none, also when others with a withheld number have some",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const event = yield* Samples.makeCalendarEvent(of.account.id, {
        startTime: DateTime.add(noon, { days: 3 }),
        endTime: DateTime.add(noon, { days: 3, hours: 1 }),
        customer: { name: "", email: "", phone: anonymous, notes: "" }
      })
      const { tools } = yield* makeCall(of, { ...inbound, phoneNumber: anonymous })
      expect(yield* tools.call("my_appointments", {})).toMatchObject({ events: [] })
      expect(yield* tools.call("cancel", { event_id: event.id })).toMatchObject({ error: "not_found" })
    })
  )
})

describe("the contact of a call", () => {
  test(
    "is returned and changed in the fields that the account allows",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { contact, tools } = yield* makeCall(of, {}, jo)
      expect(yield* tools.call("get_contact", {})).toMatchObject({
        say: "I have your details, Jo Doe.",
        contact: { email: "jo@example.com", company: "Acme" }
      })
      expect(yield* tools.call("update_contact", { email: "new@example.com" })).toEqual({
        say: "I have updated your details."
      })
      const refused = yield* tools.call("update_contact", { first_name: "Joe", city: "Bern" })
      expect(refused).toMatchObject({ error: "not_allowed", fields: ["city"] })
      expect(yield* tools.call("update_contact", { email: "no address" })).toMatchObject({
        error: "validation_error",
        details: [{ field: "email" }]
      })
      const after = yield* asAccount(of.account)((yield* Contacts).get((contact ?? expect.fail()).id))
      expect(after).toMatchObject({ firstName: "Jo", email: "new@example.com", city: null })
    })
  )

  test(
    "is neither told nor changed when an inbound caller's number is not trusted, and there is none for an unknown person",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, inbound, jo)
      expect(yield* tools.call("get_contact", {})).toMatchObject({ error: "not_allowed" })
      expect(yield* tools.call("update_contact", { first_name: "X" })).toMatchObject({ error: "not_allowed" })
      const unknown = yield* makeCall(of)
      expect(yield* unknown.tools.call("get_contact", {})).toMatchObject({ error: "contact_not_found" })
      expect(yield* unknown.tools.call("update_contact", { first_name: "X" })).toMatchObject({
        error: "contact_not_found"
      })
    })
  )
})

describe("set_variables", () => {
  test(
    "stores the variables with the call and with a contact that may be changed",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const known = yield* makeCall(of, { variables: { reason: "check-up" } }, jo)
      const variables = { insurance: "B-18", children: 2 }
      expect(yield* known.tools.call("set_variables", { variables })).toEqual({ say: "I have noted that." })
      expect((yield* stored(known.call)).variables).toEqual({ reason: "check-up", ...variables })
      const contacts = yield* Contacts
      const contactOf = (id: number | undefined) =>
        Effect.map(asAccount(of.account)(contacts.list({}, { page: 1, limit: 10 })), ({ items }) =>
          items.find((contact) => contact.id === id)
        )
      expect((yield* contactOf(known.contact?.id))?.customContext).toEqual({ insurance: "B-18", children: 2 })
      const untrusted = yield* makeCall(of, inbound, jo)
      yield* untrusted.tools.call("set_variables", { variables })
      expect((yield* stored(untrusted.call)).variables).toEqual(variables)
      expect((yield* contactOf(untrusted.contact?.id))?.customContext).toEqual({ insurance: "A-17" })
    })
  )

  test(
    "refuses the names of fields of the contact, which update_contact changes",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call, tools } = yield* makeCall(of, {}, jo)
      const refused = yield* tools.call("set_variables", { variables: { first_name: "Eve", reason: "x" } })
      expect(refused).toMatchObject({ error: "not_allowed", fields: ["first_name"] })
      expect((yield* stored(call)).variables).toEqual({})
    })
  )

  test(
    "refuses variables beyond 50 in the call, and stores none of them",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call, tools } = yield* makeCall(of)
      const many = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${from + index}`, index]))
      yield* tools.call("set_variables", { variables: many(0, 30) })
      const again = yield* tools.call("set_variables", { variables: many(30, 30) })
      expect(again).toMatchObject({ error: "validation_error", details: [{ field: "variables" }] })
      expect(Object.keys((yield* stored(call)).variables)).toHaveLength(30)
    })
  )
})

describe("opt_out", () => {
  test(
    "puts the number of the call on the do-not-call list, also when the number is not trusted",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { tools } = yield* makeCall(of, inbound)
      expect(yield* tools.call("opt_out", { phone_number: numbers.second })).toEqual({
        say: "We will not call this number again."
      })
      const list = yield* DoNotCallStore
      expect(yield* list.isBlocked(ownRows(of.account.id), numbers.first)).toBe(true)
      expect(yield* list.isBlocked(ownRows(of.account.id), numbers.second)).toBe(false)
      const withheld = yield* makeCall(of, { ...inbound, phoneNumber: anonymous })
      expect(yield* withheld.tools.call("opt_out", {})).toMatchObject({ error: "not_allowed" })
    })
  )
})

/** Stores a tool call that changes no calendar event only a second after its answer. */
const slowRecords = Layer.effect(
  ToolCalls,
  Effect.map(ToolCalls, ({ record }) =>
    ToolCalls.of({ record: (call, toolCall) => Effect.delay(record(call, toolCall), 1_000) })
  )
)

describe("the tool calls of a call", () => {
  test(
    "are all stored with the call: answers, refusals, wrong arguments and repeats",
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call, tools } = yield* makeCall(of, {}, jo)
      const answers = [
        yield* tools.call("get_contact", {}),
        yield* tools.call("find_slots", week),
        yield* tools.call("find_slots", { from_date: 1 }),
        yield* tools.call("no_such_tool\0", { text: "x".repeat(20_000) }),
        yield* tools.call("get_contact", { text: "half \ud800 of a character" }),
        yield* tools.call("get_contact", { text: String.raw`C:\u0000` })
      ]
      const offered = yield* tools.call("find_slots", week)
      const args = { slot_id: decodeSlots(offered).slots[0]?.slot_id, notes: "Front tooth" }
      const booked = yield* tools.call("book", args)
      yield* tools.call("book", args)
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 50 }))
      const { toolCalls } = yield* asAccount(of.account)((yield* Calls).get(String(call.id)))
      expect(toolCalls.map(({ name, arguments: given, answer }) => ({ name, given, answer }))).toEqual([
        { name: "get_contact", given: {}, answer: answers[0] },
        { name: "find_slots", given: week, answer: answers[1] },
        { name: "find_slots", given: { from_date: 1 }, answer: answers[2] },
        { name: "no_such_tool", given: { omitted: "More than 16384 bytes or 64 levels" }, answer: answers[3] },
        { name: "get_contact", given: { omitted: "Characters that are not text" }, answer: answers[4] },
        { name: "get_contact", given: { text: String.raw`C:\u0000` }, answer: answers[5] },
        { name: "find_slots", given: week, answer: offered },
        { name: "book", given: args, answer: booked },
        { name: "book", given: args, answer: booked }
      ])
    })
  )

  it.effect("are shown in the order in which the agent made them, also when one is stored after the next", () =>
    Effect.gen(function* () {
      const of = yield* makeAccount()
      const { call, tools } = yield* makeCall(of)
      const offered = yield* tools.call("find_slots", week)
      yield* TestClock.adjust(100)
      const booked = yield* tools.call("book", { slot_id: decodeSlots(offered).slots[0]?.slot_id })
      const shown = Effect.map(
        asAccount(of.account)(Effect.flatMap(Calls, (calls) => calls.get(String(call.id)))),
        ({ toolCalls }) => toolCalls.map(({ answer }) => answer)
      )
      expect(yield* shown).toEqual([booked])
      yield* TestClock.adjust(1_000)
      expect(yield* shown).toEqual([offered, booked])
    }).pipe(Effect.provide(AgentTools.layer.pipe(Layer.provide(slowRecords), Layer.provideMerge(core))))
  )
})

import type { Account } from "@frontdesk/core/access/Account"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { ownRows } from "@frontdesk/core/access/Scope"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { Calls } from "@frontdesk/core/call/Calls"
import { CallStore } from "@frontdesk/core/call/CallStore"
import type { InboundNumbers, ProviderReport, ReportedInbound } from "@frontdesk/core/call/CallProvider"
import { type InboundAnswer, InboundCalls } from "@frontdesk/core/call/InboundCalls"
import { anonymous } from "@frontdesk/core/call/InboundNumber"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, names, services } from "./caller.ts"

const all = Layer.provideMerge(InboundCalls.layer, services)

const dialled = PhoneNumber.make("+12025550100")
const person = PhoneNumber.make("+12025550111")
const numbers: InboundNumbers = { from: person, to: dialled }

const number = (phoneNumber: PhoneNumber) => ({
  id: null,
  phoneNumber,
  phoneType: null,
  primary: true,
  doNotCall: false
})

const inboundAgent = { role: "inbound agent", phoneNumber: dialled } as const

const answer = (id: string | null = "p-1", given: InboundNumbers = numbers) =>
  Effect.flatMap(InboundCalls, (calls) => calls.answer(id, given))

const report = (report: ProviderReport, id = "p-1", inbound: ReportedInbound = numbers) =>
  Effect.flatMap(Calls, (calls) => calls.applyReport({ providerCallId: id, ref: null, inbound, report }))

const storedCalls = (accountId: Account["id"]) =>
  Effect.flatMap(CallStore, (calls) =>
    Effect.map(calls.list(ownRows(accountId), {}, { page: 1, limit: 10 }), ({ items }) => items)
  )

const withSettings = (account: Account, settings: Partial<Account["settings"]>) =>
  Effect.flatMap(AccountStore, (accounts) =>
    accounts.update({ ...account, settings: { ...account.settings, ...settings } })
  )

const reasonOf = (answer: InboundAnswer) => (answer._tag === "Refused" ? answer.reason : "accepted")

const at = (seconds: number) => DateTime.add(DateTime.makeUnsafe(0), { seconds })

const talked: ProviderReport = {
  _tag: "Ended",
  status: "completed",
  answeredAt: at(5),
  endedAt: at(65),
  reason: "customer-ended-call"
}

const test = <A, E>(name: string, effect: Effect.Effect<A, E, Layer.Success<typeof all>>) =>
  it.effect(name, () => Effect.provide(effect, Layer.fresh(all)))

describe("an inbound call", () => {
  test(
    "is stored with the agent of the dialled number and the contact of the caller, and its first minute is reserved",
    Effect.gen(function* () {
      const { account, agent, balance, contact } = yield* makeCaller({ deposit: 1, agent: inboundAgent })
      const known = yield* contact({ firstName: "Jo", phoneNumbers: [number(person)] })
      const accepted = yield* answer()
      expect(accepted).toMatchObject({ _tag: "Accepted", agent: { id: agent.id }, maxDurationSeconds: 600 })
      const [call] = yield* storedCalls(account.id)
      expect(call).toMatchObject({
        type: "inbound",
        status: "ringing",
        phoneNumber: person,
        providerCallId: "p-1",
        submission: "accepted",
        agent: { id: agent.id },
        contact: { id: known.id },
        billing: { status: "pending", initialCharge: money(0.1) }
      })
      expect(yield* balance).toBe(money(0.9))
    })
  )

  test(
    "is stored once, whatever asks and reports first and how often",
    Effect.gen(function* () {
      const { account, balance } = yield* makeCaller({ deposit: 1, agent: inboundAgent })
      expect(yield* report({ _tag: "Ringing" })).toBe(true)
      expect(reasonOf(yield* answer())).toBe("accepted")
      expect(reasonOf(yield* answer())).toBe("accepted")
      yield* report({ _tag: "Answered", at: at(5) })
      yield* report(talked)
      yield* report(talked)
      expect(reasonOf(yield* answer())).toBe("ended")
      const calls = yield* storedCalls(account.id)
      expect(calls).toHaveLength(1)
      expect(calls[0]).toMatchObject({ status: "completed", billing: { status: "charged" } })
      expect(yield* balance).toBe(money(0.9))
      expect(yield* names).toEqual(["call.started", "call.ended"])
    })
  )

  test(
    "whose only report is its end is stored, charged and announced",
    Effect.gen(function* () {
      const { account, balance } = yield* makeCaller({ deposit: 1, agent: inboundAgent })
      expect(yield* report(talked)).toBe(true)
      expect(yield* storedCalls(account.id)).toMatchObject([{ type: "inbound", status: "completed" }])
      expect(yield* balance).toBe(money(0.9))
      expect(yield* names).toEqual(["call.started", "call.ended"])
    })
  )

  test(
    "belongs to the one inbound agent among several with the number",
    Effect.gen(function* () {
      const { account } = yield* makeCaller({ agent: { role: "outbound agent", phoneNumber: dialled } })
      const inbound = yield* makeAgent(account.id, inboundAgent)
      expect(yield* answer()).toMatchObject({ _tag: "Accepted", agent: { id: inbound.id } })
      yield* makeAgent(account.id, inboundAgent)
      expect(reasonOf(yield* answer("p-2"))).toBe("unknown_number")
    })
  )

  test(
    "is refused when agents of two accounts have the number, whatever their roles are",
    Effect.gen(function* () {
      yield* makeCaller({ agent: { role: "outbound agent", phoneNumber: dialled } })
      yield* makeCaller({ agent: inboundAgent })
      expect(reasonOf(yield* answer())).toBe("unknown_number")
      expect(yield* report({ _tag: "Ringing" })).toBe(false)
    })
  )

  test(
    "keeps its account and agent when another account gets the number during the call",
    Effect.gen(function* () {
      const first = yield* makeCaller({ agent: inboundAgent })
      expect(reasonOf(yield* answer())).toBe("accepted")
      const agents = yield* AgentStore
      yield* agents.update({ ...first.agent, phoneNumber: null })
      const second = yield* makeCaller({ agent: inboundAgent })
      expect(yield* answer()).toMatchObject({ _tag: "Accepted", agent: { id: first.agent.id } })
      expect(yield* answer("p-2")).toMatchObject({ _tag: "Accepted", agent: { id: second.agent.id } })
    })
  )

  test(
    "to a number of no agent belongs to the agent with the provider's assistant (D-CALL-41)",
    Effect.gen(function* () {
      const { account, agent, balance } = yield* makeCaller({ deposit: 1, agent: { phoneNumber: null } })
      const { assistantId } = agent
      expect(yield* report(talked, "p-1", { ...numbers, assistantId: "another" })).toBe(false)
      expect(yield* report(talked, "p-1", { ...numbers, assistantId })).toBe(true)
      expect(yield* storedCalls(account.id)).toMatchObject([{ type: "inbound", agent: { id: agent.id } }])
      expect(yield* balance).toBe(money(0.9))
    })
  )

  test(
    "belongs to the agent of its number among those of the account, and to the account of the assistant (D-CALL-41)",
    Effect.gen(function* () {
      const { account, agent } = yield* makeCaller({ agent: inboundAgent })
      const beside = yield* makeAgent(account.id, { phoneNumber: null })
      yield* report(talked, "p-1", { ...numbers, assistantId: beside.assistantId })
      expect(yield* storedCalls(account.id)).toMatchObject([{ agent: { id: agent.id } }])
      // The number of another account, which took it while the provider still routes it to the assistant.
      const former = yield* makeCaller({ agent: { phoneNumber: null } })
      yield* report(talked, "p-2", { ...numbers, assistantId: former.agent.assistantId })
      expect(yield* storedCalls(account.id)).toHaveLength(1)
      expect(yield* storedCalls(former.account.id)).toMatchObject([{ agent: { id: former.agent.id } }])
    })
  )

  test(
    "that is first reported when it has lasted ten minutes is billed for all of them",
    Effect.gen(function* () {
      const { account, balance } = yield* makeCaller({ deposit: 5, agent: inboundAgent })
      yield* TestClock.setTime(DateTime.toEpochMillis(at(700)))
      yield* report({ ...talked, endedAt: at(605) })
      expect(yield* storedCalls(account.id)).toMatchObject([{ startedAt: at(5), endedAt: at(605) }])
      expect(yield* balance).toBe(money(4))
    })
  )

  test(
    "belongs to an outbound agent that is the only one with the number",
    Effect.gen(function* () {
      const { agent } = yield* makeCaller({ agent: { role: "outbound agent", phoneNumber: dialled } })
      expect(yield* answer()).toMatchObject({ _tag: "Accepted", agent: { id: agent.id } })
    })
  )

  test(
    "to a number of no agent is refused, and its reports change nothing",
    Effect.gen(function* () {
      const { account } = yield* makeCaller({ agent: inboundAgent })
      const other = { from: person, to: PhoneNumber.make("+12025550199") }
      expect(yield* answer("p-1", other)).toEqual({ _tag: "Refused", reason: "unknown_number", account: null })
      expect(yield* report({ _tag: "Ringing" }, "p-1", other)).toBe(false)
      expect(yield* storedCalls(account.id)).toEqual([])
    })
  )

  test(
    "of an account without funds is refused and not stored, and nothing is reserved",
    Effect.gen(function* () {
      const { account, funds } = yield* makeCaller({ deposit: 0.05, agent: inboundAgent })
      expect(reasonOf(yield* answer())).toBe("insufficient_funds")
      expect(yield* storedCalls(account.id)).toEqual([])
      expect(yield* funds).toMatchObject({ reservations: 0 })
    })
  )

  test(
    "that runs although the account has no funds is stored without a reservation, and costs what the balance has",
    Effect.gen(function* () {
      const { account, funds } = yield* makeCaller({ deposit: 0.05, agent: inboundAgent })
      yield* report({ _tag: "Answered", at: at(5) })
      const [call] = yield* storedCalls(account.id)
      expect(call).toMatchObject({ status: "in_progress", reservedMinutes: 0, billing: { initialCharge: 0 } })
      // The reservation worker is due at once. It hangs up, because it cannot reserve the minute.
      expect(call?.reserveAt).not.toBeNull()
      expect(reasonOf(yield* answer())).toBe("insufficient_funds")
      yield* report(talked)
      expect(yield* funds).toMatchObject({ reservations: 0, charges: money(0.05) })
    })
  )

  test(
    "beyond the maximum number of running calls is refused, and nothing stays reserved",
    Effect.gen(function* () {
      const { funds } = yield* makeCaller({ maxRunningCalls: 1, agent: inboundAgent })
      expect(reasonOf(yield* answer("p-1"))).toBe("accepted")
      expect(reasonOf(yield* answer("p-2"))).toBe("concurrency_limit_reached")
      expect(yield* funds).toMatchObject({ reservations: money(0.1) })
    })
  )

  test(
    "without an id of the provider is decided, but neither stored nor reserved",
    Effect.gen(function* () {
      const { account, funds } = yield* makeCaller({ deposit: 1, agent: inboundAgent })
      expect(yield* answer(null)).toMatchObject({ _tag: "Accepted", call: null, maxDurationSeconds: 600 })
      expect(yield* storedCalls(account.id)).toEqual([])
      expect(yield* funds).toMatchObject({ reservations: 0 })
    })
  )

  test(
    "with a withheld number has no contact, and the number that stands for it",
    Effect.gen(function* () {
      const { account, contact } = yield* makeCaller({ agent: inboundAgent })
      yield* contact({ phoneNumbers: [number(anonymous)] })
      yield* withSettings(account, { inboundContacts: "create" })
      yield* answer("p-1", { from: null, to: dialled })
      yield* answer("p-2", { from: PhoneNumber.make("+7378742833"), to: dialled })
      const calls = yield* storedCalls(account.id)
      expect(calls.map(({ contact, phoneNumber }) => ({ contact, phoneNumber }))).toEqual([
        { contact: null, phoneNumber: anonymous },
        { contact: null, phoneNumber: anonymous }
      ])
    })
  )

  test(
    "from a number of two contacts has no contact",
    Effect.gen(function* () {
      const { account, contact } = yield* makeCaller({ agent: inboundAgent })
      yield* contact({ phoneNumbers: [number(person)] })
      yield* contact({ phoneNumbers: [number(person)] })
      yield* answer()
      expect(yield* storedCalls(account.id)).toMatchObject([{ contact: null }])
    })
  )

  test(
    "from an unknown number creates one contact, if the account wants it",
    Effect.gen(function* () {
      const { account } = yield* makeCaller({ agent: inboundAgent })
      yield* answer("p-1")
      expect(yield* storedCalls(account.id)).toMatchObject([{ contact: null }])
      yield* withSettings(account, { inboundContacts: "create" })
      yield* Effect.all([answer("p-2"), answer("p-3")], { concurrency: "unbounded" })
      const ids = yield* (yield* ContactStore).idsByNumber(account.id, person)
      expect(ids).toHaveLength(1)
      const calls = yield* storedCalls(account.id)
      expect(calls.map(({ contact }) => contact?.id ?? null)).toEqual([ids[0], ids[0], null])
    })
  )
})

describe("the variables of an inbound call", () => {
  const variables = (settings: Partial<Account["settings"]>) =>
    Effect.gen(function* () {
      const { account, contact } = yield* makeCaller({ agent: inboundAgent })
      yield* withSettings(account, settings)
      yield* (yield* BusinessContextStore).write(account.id, { set: { company_name: "Acme" }, remove: [] })
      yield* contact({
        firstName: "Jo",
        lastName: "Doe",
        email: "jo@example.com",
        customContext: { insurance: "secret" },
        phoneNumbers: [number(person)]
      })
      const accepted = yield* answer()
      const calls = yield* Calls
      const [call] = yield* storedCalls(account.id)
      const later = Option.getOrThrow(yield* calls.agentVariables(call?.callId ?? ""))
      const first = accepted._tag === "Accepted" ? accepted.variables : {}
      expect(later).toEqual(first)
      return first
    })

  test(
    "have the first name alone, because anyone can call with another number",
    Effect.gen(function* () {
      expect(yield* variables({})).toEqual({
        business_company_name: "Acme",
        first_name: "Jo",
        full_name: "Jo"
      })
    })
  )

  test(
    "have every field of the contact when the account trusts the number",
    Effect.gen(function* () {
      expect(yield* variables({ inboundIdentity: "trusted" })).toMatchObject({
        first_name: "Jo",
        last_name: "Doe",
        email: "jo@example.com",
        insurance: "secret"
      })
    })
  )
})

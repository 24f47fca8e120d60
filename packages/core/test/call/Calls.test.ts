import { describe, expect, it } from "@effect/vitest"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import { CallInput } from "@frontdesk/core/call/CallInput"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import { BusinessContextStore } from "@frontdesk/core/variable/BusinessContextStore"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeAccount, makeAgent, makeContact, newNumber } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { makeWorld, money, names, Published, report, services, stored } from "./world.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const ended = (talkSeconds: number): ProviderReport => ({
  _tag: "Ended",
  status: "completed",
  answeredAt: at(5),
  endedAt: at(5 + talkSeconds),
  reason: "customer_ended_call"
})

const busy: ProviderReport = { _tag: "Ended", status: "busy", answeredAt: null, endedAt: at(3), reason: "busy" }

const refuse = { _tag: "Refused", code: "invalid_number", reason: "No such number", retryable: false } as const

describe("Calls.start", () => {
  it.effect("a call that is accepted is queued and outbound, and the price of a minute is held", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { call, unresolvedVariables } = yield* world.start({ metadata: { order: 7 } })
      expect(call).toMatchObject({
        status: "queued",
        type: "outbound",
        phoneNumber: "+12025550111",
        agent: { id: world.agent.id, name: "Ada" },
        contact: null,
        metadata: { order: 7 },
        billing: { status: "pending", initialCharge: money(0.1), finalCharge: 0 },
        submission: "accepted",
        providerCallId: providerCallId(call.callId)
      })
      expect(unresolvedVariables).toEqual([])
      expect(yield* world.funds).toEqual({ deposits: money(100), charges: 0, holds: money(0.1) })
    }).pipe(Effect.provide(services))
  )

  it.effect("the provider is asked once, for no longer than the balance pays for", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ deposit: 0.35 })
      const { call } = yield* world.start()
      expect(yield* Effect.flatMap(FakeCallProvider, (fake) => fake.requests)).toEqual([
        {
          ref: call.callId,
          to: "+12025550111",
          from: "+12025550100",
          assistantId: world.agent.assistantId,
          variables: {},
          maxDurationSeconds: 180
        }
      ])
    }).pipe(Effect.provide(services))
  )

  it.effect("the agent is named by its id, its digits or its assistant id (Decisions 4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const agentId of [world.agent.id, String(world.agent.id), world.agent.assistantId]) {
        expect((yield* world.start({ agentId })).call.agent.id).toBe(world.agent.id)
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("the contact is the one given, or the account's one with exactly that number, or null (Decisions 4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const jo = yield* world.contact({ firstName: "Jo", phoneNumbers: [newNumber("+12025550111")] })
      const al = yield* world.contact({ firstName: "Al", phoneNumbers: [newNumber("+12025550122")] })
      yield* world.contact({ phoneNumbers: [newNumber("+12025550122")] })
      expect((yield* world.start()).call.contact).toMatchObject({ id: jo.id, name: "Jo" })
      expect((yield* world.start({ contactId: al.id })).call.contact?.id).toBe(al.id)
      expect((yield* world.start({ phoneNumber: "+12025550122" })).call.contact).toBeNull()
      expect((yield* world.start({ phoneNumber: "+12025550199" })).call.contact).toBeNull()
    }).pipe(Effect.provide(services))
  )

  it.effect("the agent is told the call's variables, the contact's context and fields, and the business context", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const business = yield* BusinessContextStore
      yield* business.write(world.account.id, { set: { city: "Boston" }, remove: [] })
      yield* world.contact({
        firstName: "Jo",
        company: "Initech",
        phoneNumbers: [newNumber("+12025550111")],
        customContext: { company: "Acme", order: { id: 7 } }
      })
      const { call, unresolvedVariables } = yield* world.start({
        variables: { greeting: "Hi {{ first_name }} of {{company}}, {{business_city}} {{nothing}}", vip: true }
      })
      const [request] = yield* Effect.flatMap(FakeCallProvider, (fake) => fake.requests)
      expect(request?.variables).toMatchObject({
        greeting: "Hi Jo of Acme, Boston ",
        vip: true,
        first_name: "Jo",
        company: "Acme",
        order: '{"id":7}',
        business_city: "Boston"
      })
      expect(call.variables).toEqual({ greeting: "Hi Jo of Acme, Boston ", vip: true })
      expect(unresolvedVariables).toEqual(["nothing"])
    }).pipe(Effect.provide(services))
  )

  it.effect("the errors come in the order of Decisions 4", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ deposit: 0, maxRunningCalls: 1, price: 0 })
      const mute = yield* makeAgent(world.account.id, { phoneNumber: null })
      const blocked = newNumber("+12025550166", { doNotCall: true })
      const jo = yield* world.contact({ phoneNumbers: [blocked] })
      yield* world.start()
      const fails = (fields: Parameters<typeof world.start>[0]) =>
        Effect.map(Effect.flip(world.start(fields)), (error) => error._tag)
      const wrong = { phoneNumber: "12025550166", agentId: "asst_nobody", contactId: jo.id }
      expect(yield* fails(wrong)).toBe("InvalidPhoneNumber")
      const to = { ...wrong, phoneNumber: "+12025550166" }
      expect(yield* fails(to)).toBe("AgentNotFound")
      const elsewhere = yield* makeContact((yield* makeAccount()).id)
      expect(yield* fails({ ...to, agentId: mute.id, contactId: elsewhere.id })).toBe("ContactNotFound")
      expect(yield* fails({ ...to, agentId: mute.id })).toBe("AgentPhoneNumberMissing")
      expect(yield* fails({ ...to, agentId: world.agent.id })).toBe("DoNotCall")
      expect(yield* fails({})).toBe("ConcurrencyLimitReached")
    }).pipe(Effect.provide(services))
  )

  it.effect("running calls are counted before money, and money is the last thing that is missing", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ deposit: 0.1, maxRunningCalls: 1 })
      const { call } = yield* world.start()
      expect(yield* Effect.flip(world.start())).toMatchObject({ _tag: "ConcurrencyLimitReached", limit: 1 })
      yield* report(call, ended(60))
      expect(yield* Effect.flip(world.start())).toMatchObject({
        _tag: "InsufficientFunds",
        balance: 0,
        required: money(0.1)
      })
      expect(yield* world.funds).toEqual({ deposits: money(0.1), charges: money(0.1), holds: 0 })
    }).pipe(Effect.provide(services))
  )

  it.effect("of calls that are started at once no more run than the account may have", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ maxRunningCalls: 3 })
      const results = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.result(world.start()), {
        concurrency: "unbounded"
      })
      expect(results.filter(Result.isSuccess)).toHaveLength(3)
      expect((yield* world.funds).holds).toBe(money(0.3))
    }).pipe(Effect.provide(services))
  )

  it.effect("a number on another account's do-not-call list can be called", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const other = yield* makeAccount()
      yield* makeContact(other.id, { phoneNumbers: [newNumber("+12025550111", { doNotCall: true })] })
      expect((yield* world.start()).call.status).toBe("queued")
    }).pipe(Effect.provide(services))
  )

  it.effect("a refusal keeps the call as failed, gives the hold back and raises call.failed (Decisions 4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const jo = yield* world.contact({ phoneNumbers: [newNumber("+12025550111")] })
      const fake = yield* FakeCallProvider
      yield* fake.answerWith(() => refuse)
      const error = yield* Effect.flip(world.start())
      expect(error).toMatchObject({ _tag: "ProviderRefused", code: "invalid_number", retryable: false })
      const calls = yield* Calls
      const page = yield* calls.list({}, { page: 1, limit: 20 }).pipe(world.as)
      expect(page.items).toMatchObject([
        { status: "failed", submission: "refused", endedReason: "invalid_number", billing: { status: "refunded" } }
      ])
      expect(yield* world.balance).toBe(money(100))
      expect(yield* names).toEqual(["call.failed"])
      const contacts = yield* ContactStore
      const after = yield* contacts.find({ accountId: world.account.id, teamIds: [] }, jo.id)
      expect(Option.getOrThrow(after).lastCallDate).toBeNull()
    }).pipe(Effect.provide(services))
  )

  it.effect("an answer that is unknown leaves the call queued, and the provider is never asked again (Decisions 4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const fake = yield* FakeCallProvider
      yield* fake.answerWith(() => ({ _tag: "Unknown", cause: "timeout" }))
      const { call } = yield* world.start()
      expect(call).toMatchObject({ status: "queued", submission: "unknown", providerCallId: null })
      yield* report(call, ended(30))
      expect(yield* stored(call)).toMatchObject({
        status: "completed",
        submission: "accepted",
        providerCallId: providerCallId(call.callId)
      })
      expect(yield* fake.requests).toHaveLength(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("reports that are faster than the provider's answer are kept, and the answer is still queued", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const fake = yield* FakeCallProvider
      const calls = yield* Calls
      yield* fake.answerWith(({ ref }) =>
        calls.applyEvent({ providerCallId: providerCallId(ref), ref, report: ended(30) }).pipe(
          Effect.orDie,
          Effect.as({ _tag: "Accepted" as const, providerCallId: providerCallId(ref) })
        )
      )
      const { call } = yield* world.start()
      expect(call.status).toBe("queued")
      expect(yield* stored(call)).toMatchObject({ status: "completed", reconcileAt: null })
    }).pipe(Effect.provide(services))
  )

  it.effect("a caller that goes away while the provider is asked does not lose its answer", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const fake = yield* FakeCallProvider
      const asked = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const recorded = yield* Deferred.make<void>()
      yield* fake.answerWith(({ ref }) =>
        Deferred.succeed(asked, undefined).pipe(
          Effect.andThen(Deferred.await(gate)),
          Effect.as({ _tag: "Accepted" as const, providerCallId: providerCallId(ref) }),
          Effect.tap(() => Deferred.succeed(recorded, undefined))
        )
      )
      const caller = yield* Effect.forkChild(world.start())
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(caller)
      yield* Deferred.succeed(gate, undefined)
      yield* Deferred.await(recorded)
      const calls = yield* Calls
      // Transactions take turns, so this one runs after the answer's.
      yield* TestClock.adjust("1 second")
      const { items } = yield* calls.list({}, { page: 1, limit: 1 }).pipe(world.as)
      expect(items).toMatchObject([{ submission: "accepted" }])
    }).pipe(Effect.provide(services))
  )
})

describe("Calls.dryRun", () => {
  it.effect("a dry run renders the variables, names the unresolved ones and the hold, and changes nothing (Decisions 4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const calls = yield* Calls
      const jo = yield* world.contact({ firstName: "Jo", phoneNumbers: [newNumber("+12025550111")] })
      const run = yield* calls.dryRun(world.input({ variables: { hello: "Hi {{first_name}}{{who}}" } })).pipe(world.as)
      expect(run).toMatchObject({
        agent: { id: world.agent.id },
        phoneNumber: "+12025550111",
        contact: { id: jo.id },
        variables: { hello: "Hi Jo", first_name: "Jo" },
        unresolvedVariables: ["who"],
        hold: money(0.1)
      })
      expect(yield* world.balance).toBe(money(100))
      expect((yield* calls.list({}, { page: 1, limit: 20 }).pipe(world.as)).count).toBe(0)
      expect(yield* Effect.flatMap(FakeCallProvider, (fake) => fake.requests)).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("a dry run does every check", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ deposit: 0.1, maxRunningCalls: 2 })
      const calls = yield* Calls
      const fails = Effect.map(Effect.flip(calls.dryRun(world.input()).pipe(world.as)), (error) => error._tag)
      yield* world.start()
      expect(yield* fails).toBe("InsufficientFunds")
      expect(yield* Effect.flip(calls.dryRun(world.input({ phoneNumber: "0" })).pipe(world.as))).toMatchObject({
        _tag: "InvalidPhoneNumber"
      })
    }).pipe(Effect.provide(services))
  )
})

describe("Calls.get and Calls.list", () => {
  it.effect("a call is found by its database id and by the service's id (Contract 4.2)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const calls = yield* Calls
      const { call } = yield* world.start()
      expect((yield* calls.get(String(call.id)).pipe(world.as)).callId).toBe(call.callId)
      expect((yield* calls.get(call.callId).pipe(world.as)).id).toBe(call.id)
      expect(yield* Effect.flip(calls.get("999").pipe(world.as))).toMatchObject({ _tag: "CallNotFound", call: "999" })
    }).pipe(Effect.provide(services))
  )

  it.effect("a call of another account is not found", () =>
    Effect.gen(function* () {
      const { call } = yield* (yield* makeWorld()).start()
      const other = yield* makeWorld()
      const calls = yield* Calls
      expect((yield* Effect.flip(calls.get(String(call.id)).pipe(other.as)))._tag).toBe("CallNotFound")
      expect((yield* calls.list({}, { page: 1, limit: 20 }).pipe(other.as)).count).toBe(0)
    }).pipe(Effect.provide(services))
  )

  it.effect("a list of dates holds the calls of both days and those between", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const calls = yield* Calls
      yield* TestClock.setTime(at(0).epochMilliseconds)
      for (const _ of [1, 2, 3]) {
        yield* world.start()
        yield* TestClock.adjust("1 day")
      }
      const days = (startDate: string, endDate: string) =>
        calls
          .list({ startDate: CalendarDate.make(startDate), endDate: CalendarDate.make(endDate) }, { page: 1, limit: 20 })
          .pipe(
            world.as,
            Effect.map((page) => page.items.map((call) => DateTime.formatIsoDate(call.createdAt)))
          )
      expect(yield* days("1970-01-02", "1970-01-03")).toEqual(["1970-01-03", "1970-01-02"])
      expect(yield* days("1970-01-02", "1970-01-02")).toEqual(["1970-01-02"])
    }).pipe(Effect.provide(services))
  )
})

describe("Calls.applyEvent", () => {
  it.effect("the end of a call settles it: the charge, the agent's counters and the contact's last call", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const jo = yield* world.contact({ phoneNumbers: [newNumber("+12025550111")] })
      const { call } = yield* world.start()
      yield* report(call, { _tag: "Ringing" }, { _tag: "Answered", at: at(5) }, ended(90))
      expect(yield* stored(call)).toMatchObject({
        status: "completed",
        billing: { status: "charged", initialCharge: money(0.1), finalCharge: money(0.1) },
        reconcileAt: null
      })
      expect(yield* world.funds).toEqual({ deposits: money(100), charges: money(0.2), holds: 0 })
      const agents = yield* AgentStore
      const agent = yield* agents.find({ accountIds: [world.account.id], teamIds: [] }, { id: world.agent.id })
      expect(Option.getOrThrow(agent)).toMatchObject({ totalCalls: 1, secondsUsed: 90 })
      const contacts = yield* ContactStore
      const after = yield* contacts.find({ accountId: world.account.id, teamIds: [] }, jo.id)
      expect(Option.getOrThrow(after).lastCallDate).toEqual(at(5))
      expect(yield* names).toEqual(["call.started", "call.ended"])
    }).pipe(Effect.provide(services))
  )

  it.effect("the same provider event twice never charges twice (Decisions 4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { call } = yield* world.start()
      yield* report(call, ended(30), ended(30), busy)
      expect((yield* world.funds).charges).toBe(money(0.1))
      expect(yield* names).toEqual(["call.started", "call.ended"])
    }).pipe(Effect.provide(services))
  )

  it.effect("a call never answered costs 0 (Decisions 4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { call } = yield* world.start()
      yield* report(call, { _tag: "Ringing" }, busy)
      expect((yield* stored(call)).billing).toMatchObject({ status: "refunded", finalCharge: money(-0.1) })
      expect(yield* world.balance).toBe(money(100))
    }).pipe(Effect.provide(services))
  )

  it.effect("the event carries the call as the report left it", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { call } = yield* world.start()
      yield* report(call, { _tag: "Answered", at: at(5) }, ended(30))
      const { events } = yield* Published
      expect(events.map((event) => ("call" in event ? event.call.status : ""))).toEqual(["in_progress", "completed"])
    }).pipe(Effect.provide(services))
  )

  it.effect("a report that names no call, or a call under another provider's id, changes nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const calls = yield* Calls
      const { call } = yield* world.start()
      const nobody = { providerCallId: "nobody", report: busy }
      expect(yield* calls.applyEvent({ ...nobody, ref: null })).toBe(false)
      expect(yield* calls.applyEvent({ ...nobody, ref: "call_nobody" })).toBe(false)
      expect(yield* calls.applyEvent({ ...nobody, ref: call.callId })).toBe(false)
      expect((yield* stored(call)).status).toBe("queued")
    }).pipe(Effect.provide(services))
  )

  it.effect("a provider that does not repeat the reference is understood by its own id", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const calls = yield* Calls
      const { call } = yield* world.start()
      yield* calls.applyEvent({ providerCallId: providerCallId(call.callId), ref: null, report: { _tag: "Ringing" } })
      expect((yield* stored(call)).status).toBe("ringing")
    }).pipe(Effect.provide(services))
  )
})

describe("CallInput", () => {
  const decodes = (input: unknown) => Result.isSuccess(Schema.decodeUnknownResult(CallInput)(input))
  const base = { phoneNumber: "+12025550111", agentId: 1 }
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, index]))

  it.each([
    ["no more than what is required", {}, true],
    ["an assistant id", { agentId: "asst_ada" }, true],
    ["an empty agent", { agentId: "" }, false],
    ["an agent that is no id", { agentId: 0 }, false],
    ["null for what may be absent", { variables: null, contactId: null, metadata: null, dryRun: null }, true],
    ["50 variables", { variables: many(50) }, true],
    ["51 variables", { variables: many(51) }, false],
    ["a name of 64 characters", { variables: { [`a${"b".repeat(63)}`]: 1 } }, true],
    ["a name of 65 characters", { variables: { [`a${"b".repeat(64)}`]: 1 } }, false],
    ["a name with a capital", { variables: { First: 1 } }, false],
    ["a name that begins with a digit", { variables: { "1st": 1 } }, false],
    ["a text of 1,000 characters", { variables: { a: "x".repeat(1000) } }, true],
    ["a text of 1,001 characters", { variables: { a: "x".repeat(1001) } }, false],
    ["an object as a value", { variables: { a: {} } }, false],
    ["null as a value", { variables: { a: null } }, false]
  ])("%s", (_, fields, expected) => {
    expect(decodes({ ...base, ...fields })).toBe(expected)
  })
})

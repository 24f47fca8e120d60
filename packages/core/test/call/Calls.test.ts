import { ownRows } from "@frontdesk/core/access/Scope"
import { describe, expect, it } from "@effect/vitest"
import { CallProvider, type ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { BusinessContextStore } from "@frontdesk/core/business-context/BusinessContextStore"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeAccount, makeAgent, makeContact, newNumber } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, names, report, services, stored } from "./caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const ended = (talkSeconds: number): ProviderReport => ({
  _tag: "Ended",
  status: "completed",
  answeredAt: at(5),
  endedAt: at(5 + talkSeconds),
  reason: "customer_ended_call"
})

const refuse = { _tag: "Refused", code: "invalid_number", reason: "No such number", retryable: false } as const

describe("Calls.start", () => {
  it.effect("an accepted call is queued and outbound, and the price of one minute is reserved", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call, unresolvedVariables } = yield* caller.start({ metadata: { order: 7 } })
      expect(call).toMatchObject({
        status: "queued",
        type: "outbound",
        phoneNumber: "+12025550111",
        agent: { id: caller.agent.id, name: "Ada" },
        contact: null,
        metadata: { order: 7 },
        billing: { status: "pending", initialCharge: money(0.1), finalCharge: 0 },
        submission: "accepted",
        providerCallId: providerCallId(call.callId)
      })
      expect(unresolvedVariables).toEqual([])
      expect(yield* caller.funds).toEqual({ deposits: money(100), charges: 0, reservations: money(0.1) })
    }).pipe(Effect.provide(services))
  )

  it.effect("the provider is asked once, with a maximum duration that the balance pays for", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ deposit: 0.35 })
      const { call } = yield* caller.start()
      expect(yield* Effect.flatMap(FakeCallProvider, (fake) => fake.requests)).toEqual([
        {
          ref: call.callId,
          to: "+12025550111",
          from: "+12025550100",
          assistantId: caller.agent.assistantId,
          variables: {},
          maxDurationSeconds: 180
        }
      ])
    }).pipe(Effect.provide(services))
  )

  it.effect("the call, its reservation and the intent are committed before the provider is asked (D-CALL-8)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* Calls
      const fake = yield* FakeCallProvider
      const seen: Array<unknown> = []
      const ownRun = Effect.runPromiseWith(Context.empty())
      yield* fake.answerWith(({ ref }) =>
        Effect.promise(async () => {
          // A run with an empty context is outside any transaction, so that it sees only what is committed.
          const { items } = await ownRun(calls.list({}, { page: 1, limit: 20 }).pipe(caller.as))
          seen.push(items, await ownRun(caller.funds))
          return { _tag: "Accepted", providerCallId: providerCallId(ref) } as const
        })
      )
      const { call } = yield* caller.start()
      expect(seen).toMatchObject([
        [{ id: call.id, status: "queued", submission: "intended" }],
        { reservations: money(0.1) }
      ])
    }).pipe(Effect.provide(services))
  )

  it.effect("the agent is found by its id, by digits and by its assistant id (C-4.2-1, D-CALL-1)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      for (const agentId of [caller.agent.id, String(caller.agent.id), caller.agent.assistantId]) {
        expect((yield* caller.start({ agentId })).call.agent.id).toBe(caller.agent.id)
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("the contact is the given one, or the account's only contact with the number, or null (D-CALL-4)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const jo = yield* caller.contact({ firstName: "Jo", phoneNumbers: [newNumber("+12025550111")] })
      const al = yield* caller.contact({ firstName: "Al", phoneNumbers: [newNumber("+12025550122")] })
      yield* caller.contact({ phoneNumbers: [newNumber("+12025550122")] })
      expect((yield* caller.start()).call.contact).toMatchObject({ id: jo.id, name: "Jo" })
      expect((yield* caller.start({ contactId: al.id })).call.contact?.id).toBe(al.id)
      expect((yield* caller.start({ phoneNumber: "+12025550122" })).call.contact).toBeNull()
      expect((yield* caller.start({ phoneNumber: "+12025550199" })).call.contact).toBeNull()
    }).pipe(Effect.provide(services))
  )

  it.effect("the agent receives the call's variables, the contact's context and fields, and the business context", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const business = yield* BusinessContextStore
      yield* business.write(caller.account.id, { set: { city: "Boston" }, remove: [] })
      yield* caller.contact({
        firstName: "Jo",
        company: "Initech",
        phoneNumbers: [newNumber("+12025550111")],
        customContext: { company: "Acme", order: { id: 7 } }
      })
      const { call, unresolvedVariables } = yield* caller.start({
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

  it.effect("a start with several errors fails with the first one in the order of D-CALL-6", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ deposit: 0, maxRunningCalls: 1, price: 0 })
      const mute = yield* makeAgent(caller.account.id, { phoneNumber: null })
      const blocked = newNumber("+12025550166", { doNotCall: true })
      const jo = yield* caller.contact({ phoneNumbers: [blocked] })
      yield* caller.start()
      const fails = (fields: Parameters<typeof caller.start>[0]) => Effect.flip(caller.start(fields))
      const wrong = { phoneNumber: "12025550166", agentId: "asst_nobody", contactId: jo.id }
      expect(yield* fails(wrong)).toMatchObject({ _tag: "InvalidPhoneNumber", phoneNumber: "12025550166" })
      const to = { ...wrong, phoneNumber: "+12025550166" }
      expect(yield* fails(to)).toMatchObject({ _tag: "AgentNotFound" })
      const elsewhere = yield* makeContact((yield* makeAccount()).id)
      const foreign = { ...to, agentId: mute.id, contactId: elsewhere.id }
      expect(yield* fails(foreign)).toMatchObject({ _tag: "ContactNotFound", contactId: elsewhere.id })
      expect(yield* fails({ ...to, agentId: mute.id })).toMatchObject({
        _tag: "AgentPhoneNumberMissing",
        agentId: mute.id
      })
      expect(yield* fails({ ...to, agentId: caller.agent.id })).toMatchObject({
        _tag: "DoNotCall",
        phoneNumber: "+12025550166"
      })
      expect(yield* fails({})).toMatchObject({ _tag: "ConcurrencyLimitReached", limit: 1 })
    }).pipe(Effect.provide(services))
  )

  it.effect("a start at both limits fails with ConcurrencyLimitReached before InsufficientFunds (D-CALL-6)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ deposit: 0.1, maxRunningCalls: 1 })
      const { call } = yield* caller.start()
      expect(yield* Effect.flip(caller.start())).toMatchObject({ _tag: "ConcurrencyLimitReached", limit: 1 })
      yield* report(call, ended(60))
      expect(yield* Effect.flip(caller.start())).toMatchObject({
        _tag: "InsufficientFunds",
        balance: 0,
        required: money(0.1)
      })
      expect(yield* caller.funds).toEqual({ deposits: money(0.1), charges: money(0.1), reservations: 0 })
    }).pipe(Effect.provide(services))
  )

  it.effect("calls that are started at the same time do not exceed the maximum of running calls (D-CALL-7)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ maxRunningCalls: 3 })
      const results = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.result(caller.start()), {
        concurrency: "unbounded"
      })
      expect(results.filter(Result.isSuccess)).toHaveLength(3)
      expect((yield* caller.funds).reservations).toBe(money(0.3))
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a call that the adapter cannot ask for fails in start and dry run, and nothing is stored or reserved (D-CALL-11)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const fake = yield* FakeCallProvider
        yield* fake.preflightWith(() => refuse)
        const calls = yield* Calls
        const expected = { _tag: "CallNotPlaceable", code: "invalid_number", reason: "No such number" }
        expect(yield* Effect.flip(caller.start())).toMatchObject(expected)
        expect(yield* Effect.flip(caller.as(calls.dryRun(caller.input())))).toMatchObject(expected)
        expect(yield* fake.requests).toEqual([])
        expect(yield* caller.funds).toMatchObject({ charges: 0, reservations: 0 })
        expect((yield* caller.as(calls.list({}, { page: 1, limit: 1 }))).count).toBe(0)
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "a refused call is stored as failed, its reservation is released and call.failed is raised (D-CALL-10)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const jo = yield* caller.contact({ phoneNumbers: [newNumber("+12025550111")] })
        const fake = yield* FakeCallProvider
        yield* fake.answerWith(() => refuse)
        const error = yield* Effect.flip(caller.start())
        const calls = yield* Calls
        const page = yield* calls.list({}, { page: 1, limit: 20 }).pipe(caller.as)
        expect(error).toMatchObject({
          _tag: "ProviderRefused",
          callId: page.items[0]?.callId,
          code: "invalid_number",
          reason: "No such number",
          retryable: false
        })
        expect(page.items).toMatchObject([
          { status: "failed", submission: "refused", endedReason: "invalid_number", billing: { status: "refunded" } }
        ])
        expect(yield* caller.balance).toBe(money(100))
        expect(yield* names).toEqual(["call.failed"])
        const contacts = yield* ContactStore
        const after = yield* contacts.find(ownRows(caller.account.id), jo.id)
        expect(Option.getOrThrow(after).lastCallDate).toBeNull()
      }).pipe(Effect.provide(services))
  )

  it.effect("an unknown answer leaves the call queued, and the provider is never asked for it again (D-CALL-9)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      yield* fake.answerWith(() => ({ _tag: "Unknown", cause: "timeout" }))
      const { call } = yield* caller.start()
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

  it.effect(
    "an adapter that throws, or does not answer within 30 seconds, counts as an unknown answer (D-CALL-9)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const fake = yield* FakeCallProvider
        yield* fake.answerWith(() => Effect.never)
        const fiber = yield* Effect.forkChild(caller.start())
        yield* TestClock.adjust("30 seconds")
        expect((yield* Fiber.join(fiber)).call).toMatchObject({ status: "queued", submission: "unknown" })
        yield* fake.answerWith(() => Effect.die("a bug of the adapter"))
        expect((yield* caller.start()).call).toMatchObject({ status: "queued", submission: "unknown" })
        expect(yield* fake.requests).toHaveLength(2)
        const provider = yield* CallProvider
        const start = (): never => {
          throw new Error("a bug of the adapter")
        }
        const { call } = yield* caller
          .start()
          .pipe(
            Effect.provide(
              Layer.fresh(Calls.layer).pipe(Layer.provide(Layer.succeed(CallProvider, { ...provider, start })))
            )
          )
        expect(call).toMatchObject({ status: "queued", submission: "unknown" })
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "a report that arrives before the provider's answer is stored, and the start still returns a queued call (D-CALL-5)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const fake = yield* FakeCallProvider
        const calls = yield* Calls
        yield* fake.answerWith(({ ref }) =>
          calls
            .applyReport({ providerCallId: providerCallId(ref), ref, report: ended(30) })
            .pipe(Effect.orDie, Effect.as({ _tag: "Accepted" as const, providerCallId: providerCallId(ref) }))
        )
        const { call } = yield* caller.start()
        expect(call.status).toBe("queued")
        expect(yield* stored(call)).toMatchObject({ status: "completed", submission: "accepted" })
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "a provider's id that no database can index is not stored, and the answer counts as unknown (D-CALL-9)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const calls = yield* Calls
        const fake = yield* FakeCallProvider
        for (const id of ["", "x".repeat(201), "x\0", "\uD800"]) {
          yield* fake.answerWith(() => ({ _tag: "Accepted", providerCallId: id }))
          const { call } = yield* caller.start()
          expect(yield* stored(call)).toMatchObject({ submission: "unknown", providerCallId: null })
          expect(yield* calls.applyReport({ providerCallId: id, ref: call.callId, report: ended(30) })).toBe(false)
          expect(yield* stored(call)).toMatchObject({ status: "queued", providerCallId: null })
        }
        const longest = "x".repeat(200)
        yield* fake.answerWith(() => ({ _tag: "Accepted", providerCallId: longest }))
        const { call } = yield* caller.start()
        expect(yield* stored(call)).toMatchObject({ submission: "accepted", providerCallId: longest })
      }).pipe(Effect.provide(services))
  )

  it.effect("a refusal of a call about which the provider has reported is ignored (D-CALL-10)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const calls = yield* Calls
      yield* fake.answerWith(({ ref }) =>
        calls
          .applyReport({ providerCallId: providerCallId(ref), ref, report: { _tag: "Ringing" } })
          .pipe(Effect.orDie, Effect.as(refuse))
      )
      const { call } = yield* caller.start()
      expect(yield* stored(call)).toMatchObject({ status: "ringing", submission: "accepted" })
      expect((yield* caller.funds).reservations).toBe(money(0.1))
    }).pipe(Effect.provide(services))
  )

  it.effect("the provider's answer is recorded although the caller has disconnected (D-CALL-5)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
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
      const request = yield* Effect.forkChild(caller.start())
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(request)
      yield* Deferred.succeed(gate, undefined)
      yield* Deferred.await(recorded)
      const calls = yield* Calls
      // Lets the fiber of the start record the answer.
      yield* TestClock.adjust("1 second")
      const { items } = yield* calls.list({}, { page: 1, limit: 1 }).pipe(caller.as)
      expect(items).toMatchObject([{ submission: "accepted" }])
    }).pipe(Effect.provide(services))
  )
})

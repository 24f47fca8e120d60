import { ownRows } from "@frontdesk/core/access/Scope"
import { describe, expect, it } from "@effect/vitest"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Agents } from "@frontdesk/core/agent/Agents"
import { Calls } from "@frontdesk/core/call/Calls"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { ContactStore } from "@frontdesk/core/contact/ContactStore"
import { madeAt, providerReports, reordered } from "@frontdesk/testing/arbitrary/call"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { forAll } from "@frontdesk/testing/Property"
import { newNumber } from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makeCaller, money, names, ports, Published, report, services, stored } from "./caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const ended = (talkSeconds: number): ProviderReport => ({
  _tag: "Ended",
  status: "completed",
  answeredAt: at(5),
  endedAt: at(5 + talkSeconds),
  reason: "customer_ended_call"
})

const busy: ProviderReport = { _tag: "Ended", status: "busy", answeredAt: null, endedAt: at(3), reason: "busy" }

describe("Calls.applyReport", () => {
  it.effect("the end of a call settles its charge and updates the agent's counters and the contact's last call", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const jo = yield* caller.contact({ phoneNumbers: [newNumber("+12025550111")] })
      const { call } = yield* caller.start()
      yield* TestClock.adjust("95 seconds")
      yield* report(call, { _tag: "Ringing" }, { _tag: "Answered", at: at(5) }, ended(90))
      expect(yield* stored(call)).toMatchObject({
        status: "completed",
        billing: { status: "charged", initialCharge: money(0.1), finalCharge: money(0.1) }
      })
      expect(yield* caller.funds).toEqual({ deposits: money(100), charges: money(0.2), reservations: 0 })
      const agents = yield* AgentStore
      const agent = yield* agents.find({ accountIds: [caller.account.id], teamIds: [] }, { id: caller.agent.id })
      expect(Option.getOrThrow(agent)).toMatchObject({ totalCalls: 1, secondsUsed: 90 })
      const contacts = yield* ContactStore
      const after = yield* contacts.find(ownRows(caller.account.id), jo.id)
      expect(Option.getOrThrow(after).lastCallDate).toEqual(at(5))
      expect(yield* names).toEqual(["call.started", "call.ended"])
    }).pipe(Effect.provide(services))
  )

  it.effect("a repeated report never charges twice (D-BILL-5)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      yield* report(call, ended(30), ended(30), busy)
      expect((yield* caller.funds).charges).toBe(money(0.1))
      expect(yield* names).toEqual(["call.started", "call.ended"])
    }).pipe(Effect.provide(services))
  )

  it.effect("the end, its charge and its webhook events are stored together or not at all", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      const published = yield* Published
      const before = yield* stored(call)
      published.fail(true)
      expect(yield* Effect.flip(report(call, ended(30)))).toMatchObject({ _tag: "StorageError" })
      expect(yield* stored(call)).toEqual(before)
      expect((yield* caller.funds).reservations).toBe(money(0.1))
      published.fail(false)
      yield* report(call, ended(30))
      expect(yield* caller.funds).toMatchObject({ charges: money(0.1), reservations: 0 })
      expect(yield* names).toEqual(["call.started", "call.ended"])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a call that is longer than 70 minutes by its reported end is charged, and counted, as 70 minutes (D-BILL-13)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const { call } = yield* caller.start()
        yield* TestClock.adjust("1 day")
        yield* report(call, ended(80_000))
        expect((yield* caller.funds).charges).toBe(money(7))
        const agents = yield* AgentStore
        const agent = yield* agents.find({ accountIds: [caller.account.id], teamIds: [] }, { id: caller.agent.id })
        expect(Option.getOrThrow(agent).secondsUsed).toBe(70 * 60)
      }).pipe(Effect.provide(services))
  )

  it.effect("a call that was never answered costs 0 (D-BILL-1)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Ringing" }, busy)
      expect((yield* stored(call)).billing).toMatchObject({ status: "refunded", finalCharge: money(-0.1) })
      expect(yield* caller.balance).toBe(money(100))
    }).pipe(Effect.provide(services))
  )

  it.effect("each webhook event shows the call right after the report that raised it", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Answered", at: at(5) }, ended(30))
      const { events } = yield* Published
      expect(events.map(({ call }) => call.status)).toEqual(["in_progress", "completed"])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a report for an unknown call, or for a call that has another id at the provider, returns false and changes nothing",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const calls = yield* Calls
        const { call } = yield* caller.start()
        const unknown = { providerCallId: "unknown", report: busy }
        expect(yield* calls.applyReport({ ...unknown, ref: null })).toBe(false)
        expect(yield* calls.applyReport({ ...unknown, ref: "call_unknown" })).toBe(false)
        expect(yield* calls.applyReport({ ...unknown, ref: call.callId })).toBe(false)
        expect((yield* stored(call)).status).toBe("queued")
      }).pipe(Effect.provide(services))
  )

  it.effect("a report with an id that no database can store returns false without a query", () =>
    Effect.gen(function* () {
      const calls = yield* Calls
      for (const name of ["a\0b", "a\ud800b"]) {
        expect(yield* calls.applyReport({ providerCallId: name, ref: null, report: busy })).toBe(false)
        expect(yield* calls.applyReport({ providerCallId: "unknown", ref: name, report: busy })).toBe(false)
      }
    }).pipe(
      Effect.provide(
        Calls.layer.pipe(
          Layer.provide(
            Layer.effect(
              CallStore,
              Effect.map(CallStore, (calls) => ({ ...calls, findForUpdate: () => Effect.die("asked") }))
            )
          ),
          Layer.provideMerge(Layer.mergeAll(Agents.layer.pipe(Layer.provideMerge(ports)), FakeCallProvider.layer))
        )
      )
    )
  )

  it.effect("a report without our reference is applied to the call with the provider's id", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* Calls
      const { call } = yield* caller.start()
      yield* calls.applyReport({ providerCallId: providerCallId(call.callId), ref: null, report: { _tag: "Ringing" } })
      expect((yield* stored(call)).status).toBe("ringing")
    }).pipe(Effect.provide(services))
  )
})

describe("laws of Calls.applyReport", () => {
  const history = providerReports({ ended: true }).chain((reports) =>
    fc.tuple(fc.constant(reports), reordered(reports))
  )

  const outcome = (reports: ReadonlyArray<ProviderReport>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(madeAt.epochMilliseconds)
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      yield* TestClock.adjust("1 day")
      yield* report(call, ...reports)
      const { callId: _, providerCallId: __, agent: ___, ...after } = yield* stored(call)
      return { after, funds: yield* caller.funds, events: (yield* names).toSorted() }
    }).pipe(Effect.provide(services))

  it.effect("the same reports in any order and with any repeats lead to the same call, charge and webhook events", () =>
    forAll(history, ([reports, other]) =>
      Effect.gen(function* () {
        expect(yield* outcome(other)).toEqual(yield* outcome(reports))
      })
    )
  )
})

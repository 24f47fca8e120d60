import { Agents } from "@frontdesk/core/agent/Agents"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { InboundCalls } from "@frontdesk/core/call/InboundCalls"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeAgent } from "@frontdesk/testing/suite/Samples"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, names, report, services, stored } from "./caller.ts"

const all = Layer.provideMerge(InboundCalls.layer, services)

const test = <A, E>(name: string, effect: Effect.Effect<A, E, Layer.Success<typeof all>>) =>
  it.effect(name, () => Effect.provide(effect, Layer.fresh(all)))

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)

const talked: ProviderReport = {
  _tag: "Ended",
  status: "completed",
  answeredAt: at(5),
  endedAt: at(95),
  reason: "customer_ended_call"
}

const dialled = PhoneNumber.make("+12025550100")
const numbers = { from: PhoneNumber.make("+12025550111"), to: dialled }

const archive = (caller: Effect.Success<ReturnType<typeof makeCaller>>) =>
  Effect.gen(function* () {
    const deleted = yield* caller.as((yield* Agents).delete(caller.agent.id))
    expect(deleted).toEqual({ archived: true })
  })

describe("an archived agent", () => {
  test(
    "starts no call, not even as a dry run, and the provider is not asked (D-AGENT-4)",
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const calls = yield* Calls
      const { call } = yield* caller.start()
      yield* archive(caller)
      const asked = yield* (yield* FakeCallProvider).requests
      for (const agentId of [caller.agent.id, caller.agent.assistantId]) {
        for (const refused of [
          yield* Effect.flip(caller.start({ agentId })),
          yield* Effect.flip(caller.as(calls.dryRun(caller.input({ agentId }))))
        ]) {
          expect(refused).toMatchObject({ _tag: "AgentArchived", agentId: caller.agent.id })
        }
      }
      expect(yield* (yield* FakeCallProvider).requests).toEqual(asked)
      expect(yield* caller.funds).toMatchObject({ reservations: call.billing.initialCharge })
    })
  )

  test(
    "keeps its running call: reports, webhook events, the charge and the usage work as before (D-AGENT-4)",
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const { call } = yield* caller.start()
      yield* TestClock.adjust("95 seconds")
      yield* report(call, { _tag: "Answered", at: at(5) })
      yield* archive(caller)
      yield* report(call, talked)
      expect(yield* stored(call)).toMatchObject({
        status: "completed",
        agent: { id: caller.agent.id, name: "Ada", assistantId: caller.agent.assistantId },
        billing: { status: "charged", finalCharge: money(0.1) }
      })
      expect(yield* caller.funds).toMatchObject({ charges: money(0.2), reservations: 0 })
      expect(yield* names).toEqual(["call.started", "call.ended"])
      const agent = yield* caller.as((yield* Agents).get({ id: caller.agent.id }))
      expect(agent).toMatchObject({ secondsUsed: 90, totalCalls: 1 })
      expect(agent.archivedAt).not.toBeNull()
    })
  )

  test(
    "keeps a running inbound call, and takes no further one",
    Effect.gen(function* () {
      const caller = yield* makeCaller({ agent: { role: "inbound agent", phoneNumber: dialled } })
      const inbound = yield* InboundCalls
      const accepted = yield* inbound.answer("p-1", numbers)
      expect(accepted).toMatchObject({ _tag: "Accepted", agent: { id: caller.agent.id } })
      yield* archive(caller)
      const calls = yield* Calls
      const ended = { providerCallId: "p-1", ref: null, inbound: numbers, report: talked }
      expect(yield* calls.applyReport(ended)).toBe(true)
      const [call] = (yield* caller.as(calls.list({}, { page: 1, limit: 10 }))).items
      expect(call).toMatchObject({ status: "completed", agent: { id: caller.agent.id } })
      expect(yield* inbound.answer("p-2", numbers)).toMatchObject({ _tag: "Refused", reason: "unknown_number" })
      expect(yield* inbound.record("p-2", numbers)).toEqual(Option.none())
    })
  )

  test(
    "keeps a ringing inbound call when the provider asks again who answers it",
    Effect.gen(function* () {
      const caller = yield* makeCaller({ agent: { role: "inbound agent", phoneNumber: dialled } })
      const inbound = yield* InboundCalls
      yield* inbound.answer("p-1", numbers)
      yield* archive(caller)
      expect(yield* inbound.answer("p-1", numbers)).toMatchObject({ _tag: "Accepted", agent: { id: caller.agent.id } })
    })
  )

  test(
    "pays for a call that its assistant still takes at the provider (D-CALL-41)",
    Effect.gen(function* () {
      const caller = yield* makeCaller({ agent: { role: "inbound agent", phoneNumber: dialled } })
      yield* caller.start()
      const before = yield* caller.balance
      yield* archive(caller)
      const calls = yield* Calls
      const { assistantId } = caller.agent
      const ended = { providerCallId: "p-1", ref: null, inbound: { ...numbers, assistantId }, report: talked }
      expect(yield* calls.applyReport(ended)).toBe(true)
      const [call] = (yield* caller.as(calls.list({ type: "inbound" }, { page: 1, limit: 10 }))).items
      expect(call).toMatchObject({
        status: "completed",
        agent: { id: caller.agent.id },
        billing: { status: "charged" }
      })
      expect(before - (yield* caller.balance)).toBe(money(0.2))
    })
  )

  test(
    "frees its phone number for the inbound agent of another account",
    Effect.gen(function* () {
      const caller = yield* makeCaller({ agent: { role: "inbound agent", phoneNumber: dialled } })
      const other = yield* makeCaller({ agent: { phoneNumber: null } })
      yield* caller.start()
      yield* archive(caller)
      const next = yield* makeAgent(other.account.id, { role: "inbound agent", phoneNumber: dialled })
      const answered = yield* (yield* InboundCalls).answer("p-1", numbers)
      expect(answered).toMatchObject({ _tag: "Accepted", agent: { id: next.id } })
    })
  )
})

describe("an inbound call whose agent is deleted or archived after it was found", () => {
  for (const outcome of ["deleted", "archived"] as const) {
    test(
      `is refused, and stored only if it already runs and the agent still exists, when the agent was ${outcome}`,
      Effect.gen(function* () {
        const caller = yield* makeCaller({ agent: { role: "inbound agent", phoneNumber: dialled } })
        if (outcome === "archived") yield* caller.start()
        const before = yield* caller.funds
        const agents = yield* Agents
        const store = yield* AgentStore
        const [agent] = yield* store.listByPhoneNumber(dialled, 1)
        // The agent is deleted after it was found, and before the transaction that stores the call begins.
        const racing = AgentStore.of({
          ...store,
          listByPhoneNumber: (number, limit) =>
            Effect.tap(store.listByPhoneNumber(number, limit), () =>
              Effect.ignore(caller.as(agents.delete(caller.agent.id)))
            ).pipe(Effect.map((found) => (found.length === 0 && agent !== undefined ? [agent] : found)))
        })
        const inbound = yield* InboundCalls.pipe(
          Effect.provide(Layer.fresh(InboundCalls.layer)),
          Effect.provideService(AgentStore, racing)
        )
        expect(yield* inbound.answer("p-1", numbers)).toMatchObject({ _tag: "Refused", reason: "unknown_number" })
        expect(yield* caller.funds).toEqual(before)
        const isStored = outcome === "archived"
        expect(Option.isSome(yield* inbound.record("p-1", numbers))).toBe(isStored)
        const { items } = yield* caller.as((yield* Calls).list({ type: "inbound" }, { page: 1, limit: 10 }))
        expect(items).toHaveLength(isStored ? 1 : 0)
      })
    )
  }
})

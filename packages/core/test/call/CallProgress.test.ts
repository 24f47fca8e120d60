import { describe, expect, it } from "@effect/vitest"
import { AgentStore } from "@frontdesk/core/agent/AgentStore"
import type { Call } from "@frontdesk/core/call/Call"
import type { ProviderReport, StartAnswer } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, report, services, stored } from "./caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const ended = (from: number, to: number): ProviderReport => ({
  _tag: "Ended",
  status: "completed",
  answeredAt: at(from),
  endedAt: at(to),
  reason: "done"
})

/** Runs the reconciliation worker until it has given up a call that the provider does not know. */
const endByTimeout = Effect.fnUntraced(function* (call: Call) {
  const reconciler = yield* Effect.flatMap(CallReconciliationWorker, (service) => Effect.forkScoped(service.run))
  yield* TestClock.adjust("3 minutes")
  yield* Fiber.interrupt(reconciler)
  expect(yield* stored(call)).toMatchObject({ status: "failed" })
})

describe("CallProgress", () => {
  it.effect("only calls that the provider accepted count for the agent (D-CALL-29)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const answers: ReadonlyArray<StartAnswer> = [
        { _tag: "Refused", code: "no", reason: "no", retryable: false },
        { _tag: "Unknown", cause: "lost" }
      ]
      for (const answer of answers) {
        yield* fake.answerWith(() => answer)
        yield* Effect.exit(caller.start())
      }
      yield* fake.answerWith(({ ref }) => ({ _tag: "Accepted", providerCallId: providerCallId(ref) }))
      const { call } = yield* caller.start()
      yield* report(call, ended(0, 90))
      const unanswered = yield* caller.start()
      yield* report(unanswered.call, {
        _tag: "Ended",
        status: "busy",
        answeredAt: null,
        endedAt: at(1),
        reason: "busy"
      })
      const { items } = yield* Effect.flatMap(Calls, (calls) => calls.list({}, { page: 1, limit: 10 })).pipe(caller.as)
      const lost = items.find(({ submission }) => submission === "unknown")
      if (lost === undefined) return expect.fail("no call with an unknown submission is stored")
      yield* endByTimeout(lost)
      const agents = yield* AgentStore
      const agent = yield* agents.find({ accountIds: [caller.account.id], teamIds: [] }, { id: caller.agent.id })
      expect(Option.getOrThrow(agent)).toMatchObject({ totalCalls: 2, secondsUsed: 90 })
    }).pipe(Effect.provide(services))
  )
})

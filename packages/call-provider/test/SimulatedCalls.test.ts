import { describe, expect, it } from "@effect/vitest"
import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { balance } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { Agents } from "@frontdesk/core/agent/Agents"
import { durationSeconds } from "@frontdesk/core/call/Call"
import { CallReportWorker } from "@frontdesk/core/worker/CallReportWorker"
import { CallProvider } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as Money from "@frontdesk/core/values/Money"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { scriptEnding } from "@frontdesk/testing/arbitrary/call"
import { forAll } from "@frontdesk/testing/Property"
import { makeAccount, makeAgent, newAccount } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"

const price = Money.Money.make(Money.scale / 10)

const published: Array<string> = []

const publisher = Layer.succeed(
  WebhookEventPublisher,
  WebhookEventPublisher.make({
    prepare: () => Effect.succeed(({ name }) => Effect.sync(() => void published.push(name))),
    notify: Effect.void
  })
)

const ports = Layer.mergeAll(MemoryStorage.layer, Crypto.layerWebCrypto, CalendarSync.layerNone, publisher)

/** Provides one process: the services, and the workers in the background. */
const process = (provider: Layer.Layer<CallProvider>) =>
  Layer.mergeAll(
    Layer.effectDiscard(Effect.flatMap(CallReportWorker, (worker) => Effect.forkScoped(worker.run))),
    Layer.effectDiscard(Effect.flatMap(CallReconciliationWorker, (reconciler) => Effect.forkScoped(reconciler.run)))
  ).pipe(
    Layer.provide([CallReportWorker.layer, CallReconciliationWorker.layer]),
    Layer.provideMerge(Calls.layer),
    Layer.provide(Agents.layer),
    Layer.provideMerge(provider)
  )

const caller = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const { settings } = newAccount()
  const account = yield* makeAccount({ settings: { ...settings, pricePerMinute: price } })
  yield* accounts.changeFunds(account.id, { deposits: Money.Money.make(10 * Money.scale) }, Samples.cause)
  const agent = yield* makeAgent(account.id)
  return { agent, account, apiKeyId: null, permissions: new Set(Permission.all) }
})

const start = (ending: string) =>
  Effect.gen(function* () {
    const principal = yield* caller
    const calls = yield* Calls
    const as = Effect.provideService(Principal, principal)
    const { call } = yield* calls.start({ agentId: principal.agent.id, phoneNumber: `+1202555${ending}` }).pipe(as)
    const accounts = yield* AccountStore
    return {
      answer: call,
      now: calls.get(call.callId).pipe(as),
      balance: Effect.map(accounts.funds(principal.account.id), balance)
    }
  })

const atPace = (pace: number) =>
  Effect.provide(process(SimulatedCallProvider.layer({ pace })).pipe(Layer.provideMerge(ports)))

/** A provider whose reports are lost after it has reported an end. */
const silentAfterEnd = Layer.effect(
  CallProvider,
  Effect.map(CallProvider, (provider) =>
    CallProvider.of({
      ...provider,
      reports: Stream.takeUntil(provider.reports, ({ report }) => report._tag === "Ended")
    })
  )
).pipe(Layer.provide(SimulatedCallProvider.layer({ pace: 1 })))

/** A provider whose reports are all lost. */
const withoutReports = (pace: number) =>
  Layer.effect(
    CallProvider,
    Effect.map(CallProvider, (provider) => CallProvider.of({ ...provider, reports: Stream.never }))
  ).pipe(Layer.provide(SimulatedCallProvider.layer({ pace })))

describe("calls over the simulated provider", () => {
  it.effect("start returns a queued call, even if all of the call happens at once (D-CALL-5)", () =>
    Effect.gen(function* () {
      const { answer, now, balance } = yield* start("0111")
      expect(answer.status).toBe("queued")
      yield* TestClock.adjust("1 second")
      const call = yield* now
      expect(call).toMatchObject({ status: "completed", billing: { status: "charged", finalCharge: 0 } })
      expect(durationSeconds(call)).toBe(30)
      expect(call.transcript).not.toBeNull()
      expect(call.recordingUrl).not.toBeNull()
      expect(call.summary).not.toBeNull()
      expect(yield* balance).toBe(9_900_000)
    }).pipe(atPace(0))
  )

  it.effect("a call is ringing, in_progress and completed at the provider's pace", () =>
    Effect.gen(function* () {
      const { now } = yield* start("0111")
      yield* TestClock.adjust("1 second")
      expect((yield* now).status).toBe("ringing")
      yield* TestClock.adjust("2 seconds")
      expect((yield* now).status).toBe("in_progress")
      yield* TestClock.adjust("30 seconds")
      expect((yield* now).status).toBe("completed")
    }).pipe(atPace(1))
  )

  it.effect("reconciliation finds the end of a call whose end is not reported", () =>
    Effect.gen(function* () {
      const { now } = yield* start("0005")
      yield* TestClock.adjust("10 seconds")
      expect((yield* now).status).toBe("in_progress")
      yield* TestClock.adjust("10 seconds")
      expect(yield* now).toMatchObject({ status: "completed", billing: { status: "charged" } })
      expect(durationSeconds(yield* now)).toBe(30)
    }).pipe(atPace(10))
  )

  it.effect("a call that runs when the process ends is completed by the next process", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const before = yield* start("0111").pipe(
        Effect.tap(() => TestClock.adjust("5 seconds")),
        Effect.provide(process(SimulatedCallProvider.layer({ pace: 1 })))
      )
      const after = Effect.flatMap(calls.findForUpdate({ id: before.answer.id }), Effect.fromOption)
      expect((yield* after).status).toBe("in_progress")
      yield* TestClock.adjust("2 minutes").pipe(Effect.provide(process(SimulatedCallProvider.layer({ pace: 1 }))))
      const ended = yield* after
      expect(ended).toMatchObject({ status: "completed", billing: { status: "charged" } })
      expect([ended.transcript, ended.recordingUrl, ended.summary]).not.toContain(null)
    }).pipe(Effect.provide(ports))
  )

  it.effect("the next process gets transcript, recording and summary of a call that ended in the last process", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const before = yield* start("0111").pipe(
        Effect.tap(() => TestClock.adjust("40 seconds")),
        Effect.provide(process(silentAfterEnd))
      )
      const after = Effect.flatMap(calls.findForUpdate({ id: before.answer.id }), Effect.fromOption)
      expect(yield* after).toMatchObject({ status: "completed", transcript: null })
      yield* TestClock.adjust("1 minute").pipe(Effect.provide(process(SimulatedCallProvider.layer({ pace: 1 }))))
      const { transcript, recordingUrl, summary } = yield* after
      expect([transcript, recordingUrl, summary]).not.toContain(null)
    }).pipe(Effect.provide(ports))
  )
})

describe("laws of calls over the simulated provider", () => {
  it.effect("a call ends in the same state whether the provider's reports arrive or are all lost", () =>
    forAll(
      fc.tuple(
        scriptEnding().filter((ending) => ending !== "0003"),
        fc.constantFrom(0, 1, 10)
      ),
      ([ending, pace]) => {
        const outcome = (provider: Layer.Layer<CallProvider>) =>
          Effect.gen(function* () {
            published.length = 0
            const { now, balance } = yield* start(ending)
            yield* TestClock.adjust("3 minutes")
            const { status, startedAt, endedAt, endedReason, summary, billing } = yield* now
            expect(isTerminal(status)).toBe(true)
            return {
              status,
              startedAt,
              endedAt,
              endedReason,
              summary,
              billing,
              balance: yield* balance,
              published: [...published]
            }
          }).pipe(
            Effect.scoped,
            Effect.provide(process(provider).pipe(Layer.provideMerge(ports), Layer.provideMerge(TestClock.layer())))
          )
        return Effect.gen(function* () {
          expect(yield* outcome(withoutReports(pace))).toEqual(yield* outcome(SimulatedCallProvider.layer({ pace })))
        })
      },
      { numRuns: 30 }
    )
  )
})

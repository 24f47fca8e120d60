import { describe, expect, it } from "@effect/vitest"
import type { Call } from "@frontdesk/core/call/Call"
import type { CallSnapshot, ProviderReport } from "@frontdesk/core/call/CallProvider"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { newCall } from "@frontdesk/testing/suite/Samples"
import { forAll } from "@frontdesk/testing/Property"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makeCaller, money, names, report, services, stored } from "../call/caller.ts"

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const end: ProviderReport = { _tag: "Ended", status: "completed", answeredAt: at(2), endedAt: at(12), reason: "done" }

const known =
  (...reports: ReadonlyArray<ProviderReport>) =>
  (ref: string): CallSnapshot => ({ _tag: "Known", providerCallId: providerCallId(ref), reports })

const data: ReadonlyArray<ProviderReport> = [
  { _tag: "Transcript", text: "Agent: Hello." },
  { _tag: "Recording", url: "https://recordings.example/1.wav" },
  { _tag: "Summary", text: "They said hello." }
]

const run = Effect.flatMap(CallReconciliationWorker, (reconciler) => Effect.forkScoped(reconciler.run))

/** Returns how often the provider was asked about a call. */
const questions = Effect.flatMap(FakeCallProvider, (fake) => Effect.map(fake.fetched, (refs) => refs.length))

describe("CallReconciliationWorker", () => {
  it.effect("a call without a reported end ends when the provider is asked", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Answered", at: at(2) })
      yield* fake.fetchWith(known({ _tag: "Answered", at: at(2) }, end, { _tag: "Summary", text: "They said hello." }))
      yield* run
      yield* TestClock.adjust("16 seconds")
      expect(yield* stored(call)).toMatchObject({
        status: "completed",
        summary: "They said hello.",
        billing: { status: "charged" }
      })
      expect(yield* names).toEqual(["call.started", "call.ended", "call.summary"])
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a provider without reports is asked about a call after 15, 30 and 60 seconds, then every 2 minutes (D-CALL-31)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const fake = yield* FakeCallProvider
        const reconciler = yield* CallReconciliationWorker
        const { call } = yield* caller.start()
        yield* report(call, { _tag: "Answered", at: at(0) })
        yield* fake.fetchWith(known())
        const asked: Array<number> = []
        for (let second = 0; second <= 350; second += 5) {
          if ((yield* reconciler.runOnce) > 0) asked.push(second)
          yield* TestClock.adjust("5 seconds")
        }
        expect(asked).toEqual([15, 45, 105, 225, 345])
      }).pipe(Effect.provide(services))
  )

  it.effect("a new report resets the delays of the plan, and a repeated report does not", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const reconciler = yield* CallReconciliationWorker
      const { call } = yield* caller.start()
      yield* fake.fetchWith(known({ _tag: "Ringing" }))
      yield* TestClock.adjust("15 seconds")
      yield* reconciler.runOnce
      expect(yield* stored(call)).toMatchObject({ reconcileCount: 0, reconcileAt: at(30) })
      yield* TestClock.adjust("15 seconds")
      yield* reconciler.runOnce
      expect(yield* stored(call)).toMatchObject({ reconcileCount: 1, reconcileAt: at(55) })
      yield* report(call, { _tag: "Ringing" })
      expect(yield* stored(call)).toMatchObject({ reconcileCount: 1, reconcileAt: at(55) })
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "a call that the provider does not know after the submission window fails with provider_timeout (D-CALL-33)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const fake = yield* FakeCallProvider
        yield* fake.answerWith(() => ({ _tag: "Unknown", cause: "timeout" }))
        const { call } = yield* caller.start()
        yield* run
        yield* TestClock.adjust("110 seconds")
        expect((yield* stored(call)).status).toBe("queued")
        yield* TestClock.adjust("3 minutes")
        expect(yield* stored(call)).toMatchObject({
          status: "failed",
          endedReason: "provider_timeout",
          billing: { status: "refunded" }
        })
        expect(yield* caller.balance).toBe(money(100))
        expect(yield* fake.requests).toHaveLength(1)
        expect(yield* names).toEqual(["call.failed"])
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "a call that was intended when the process died is found by its reference, or fails with provider_timeout",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const calls = yield* CallStore
        const fake = yield* FakeCallProvider
        const left = { submission: "intended", reconcileAt: at(15), createdAt: at(0), updatedAt: at(0) } as const
        const dialled = yield* calls.insert(newCall(caller.account.id, caller.agent, left))
        const never = yield* calls.insert(newCall(caller.account.id, caller.agent, left))
        yield* fake.fetchWith((ref) => (ref === dialled.callId ? known(end)(ref) : { _tag: "NotFound" }))
        yield* run
        yield* TestClock.adjust("5 minutes")
        expect(yield* stored(dialled)).toMatchObject({
          status: "completed",
          submission: "accepted",
          providerCallId: providerCallId(dialled.callId)
        })
        expect(yield* stored(never)).toMatchObject({ status: "failed", endedReason: "provider_timeout" })
      }).pipe(Effect.provide(services))
  )

  it.effect("an answered call that times out without a confirmation ends at the time of its answer", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const { call } = yield* caller.start()
      yield* TestClock.adjust("10 seconds")
      yield* report(call, { _tag: "Answered", at: at(10) })
      yield* fake.fetchWith(() => ({ _tag: "Unreachable", cause: "no route" }))
      yield* run
      yield* TestClock.adjust("69 minutes")
      expect((yield* stored(call)).status).toBe("in_progress")
      yield* TestClock.adjust("4 minutes")
      expect(yield* stored(call)).toMatchObject({
        status: "completed",
        startedAt: at(10),
        endedAt: at(10),
        endedReason: "provider_timeout",
        billing: { status: "charged", finalCharge: 0 }
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("a call does not end while the provider is unreachable for 30 minutes", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const { call } = yield* caller.start()
      yield* fake.fetchWith(() => ({ _tag: "Unreachable", cause: "no route" }))
      yield* run
      yield* TestClock.adjust("30 minutes")
      expect((yield* stored(call)).status).toBe("queued")
      yield* fake.fetchWith(known(end))
      yield* TestClock.adjust("3 minutes")
      expect((yield* stored(call)).status).toBe("completed")
    }).pipe(Effect.provide(services))
  )

  it.effect("the provider is not asked about a call that is complete, or that ended without an answer", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const complete = yield* caller.start()
      yield* report(complete.call, end, ...data)
      const busy = yield* caller.start()
      yield* report(busy.call, { _tag: "Ended", status: "busy", answeredAt: null, endedAt: at(3), reason: "busy" })
      expect(yield* stored(complete.call)).toMatchObject({ reconcileAt: null })
      expect(yield* stored(busy.call)).toMatchObject({ reconcileAt: null })
      yield* run
      yield* TestClock.adjust("1 hour")
      expect(yield* questions).toBe(0)
    }).pipe(Effect.provide(services))
  )

  it.effect("a transcript, a recording and a summary without a report are fetched after the end", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      const { call } = yield* caller.start()
      yield* report(call, end)
      yield* fake.fetchWith(known(end))
      yield* run
      yield* TestClock.adjust("20 seconds")
      expect((yield* stored(call)).transcript).toBeNull()
      yield* fake.fetchWith(known(end, ...data))
      yield* TestClock.adjust("1 minute")
      expect(yield* stored(call)).toMatchObject({
        transcript: "Agent: Hello.",
        recordingUrl: "https://recordings.example/1.wav",
        summary: "They said hello.",
        reconcileAt: null
      })
      expect(yield* names).toEqual(["call.started", "call.ended", "call.transcript", "call.recording", "call.summary"])
      expect((yield* caller.funds).charges).toBe(money(0.1))
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "missing data of an ended call is asked for after 15 seconds, 1, 5 and 30 minutes, then not again (D-CALL-37)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller()
        const fake = yield* FakeCallProvider
        const reconciler = yield* CallReconciliationWorker
        const { call } = yield* caller.start()
        yield* report(call, end)
        yield* fake.fetchWith(known(end))
        const asked: Array<number> = []
        for (let second = 0; second <= 4000; second += 15) {
          if ((yield* reconciler.runOnce) > 0) asked.push(second)
          yield* TestClock.adjust("15 seconds")
        }
        expect(asked).toEqual([15, 75, 375, 2175])
        expect((yield* stored(call)).reconcileAt).toBeNull()
      }).pipe(Effect.provide(services))
  )

  it.effect("a call times out at the time of the plan, not at the next question after it", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller()
      const fake = yield* FakeCallProvider
      yield* fake.answerWith(() => ({ _tag: "Unknown", cause: "timeout" }))
      const lost = yield* caller.start()
      yield* fake.answerWith(({ ref }) => ({ _tag: "Accepted", providerCallId: providerCallId(ref) }))
      const overdue = yield* caller.start()
      yield* fake.fetchWith((ref) => (ref === lost.call.callId ? { _tag: "NotFound" } : known()(ref)))
      yield* run
      yield* TestClock.adjust("121 seconds")
      expect(yield* stored(lost.call)).toMatchObject({ status: "failed", endedReason: "provider_timeout" })
      yield* TestClock.adjust("68 minutes")
      expect(yield* stored(overdue.call)).toMatchObject({ status: "failed", endedReason: "provider_timeout" })
    }).pipe(Effect.provide(services))
  )
})

describe("laws of CallReconciliationWorker", () => {
  const behaviour = fc.record({
    answer: fc.constantFrom("Accepted", "Unknown"),
    isReported: fc.subarray(["Ringing", "Answered"]),
    knows: fc.constantFrom("everything", "nothing", "no end", "unreachable")
  })

  const snapshot =
    (knows: string) =>
    (ref: string): CallSnapshot =>
      knows === "nothing"
        ? { _tag: "NotFound" }
        : knows === "unreachable"
          ? { _tag: "Unreachable", cause: "no route" }
          : known({ _tag: "Answered", at: at(2) }, ...(knows === "everything" ? [end] : []))(ref)

  it.effect(
    "every started call reaches a terminal status without reservations, whatever the provider loses (D-CALL-21)",
    () =>
      forAll(
        fc.array(behaviour, { minLength: 1, maxLength: 4 }),
        (behaviours) =>
          Effect.gen(function* () {
            const caller = yield* makeCaller()
            const fake = yield* FakeCallProvider
            const knows = new Map<string, string>()
            const calls: Array<Call> = []
            yield* fake.fetchWith((ref) => snapshot(knows.get(ref) ?? "nothing")(ref))
            for (const each of behaviours) {
              yield* fake.answerWith(({ ref }) =>
                each.answer === "Unknown"
                  ? { _tag: "Unknown", cause: "timeout" }
                  : { _tag: "Accepted", providerCallId: providerCallId(ref) }
              )
              const { call } = yield* caller.start()
              calls.push(call)
              knows.set(call.callId, each.knows)
              if (each.isReported.includes("Ringing")) yield* report(call, { _tag: "Ringing" })
              if (each.isReported.includes("Answered")) yield* report(call, { _tag: "Answered", at: at(2) })
            }
            const reconciler = yield* CallReconciliationWorker
            // Longer than the 70 minutes after which a call without an end is given up.
            for (let minute = 0; minute < 76; minute += 2) {
              yield* TestClock.adjust("2 minutes")
              yield* reconciler.runOnce
            }
            for (const call of calls) {
              const after = yield* stored(call)
              expect([after.status, isTerminal(after.status)]).toEqual([after.status, true])
            }
            expect((yield* caller.funds).reservations).toBe(0)
            const happened = yield* names
            expect(happened.filter((name) => name === "call.ended" || name === "call.failed")).toHaveLength(
              calls.length
            )
          }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services, TestClock.layer()))),
        { numRuns: 25 }
      )
  )
})

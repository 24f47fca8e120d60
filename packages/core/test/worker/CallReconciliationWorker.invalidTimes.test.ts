import { describe, expect, it } from "@effect/vitest"
import { totalCharge } from "@frontdesk/core/call/Billing"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, services, stored } from "../call/caller.ts"

/** The time at which the calls are made. */
const made = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

const after = (seconds: number): DateTime.Utc => DateTime.add(made, { seconds })

const started = Effect.gen(function* () {
  yield* TestClock.setTime(made.epochMilliseconds)
  const caller = yield* makeCaller({ price: 1, deposit: 100 })
  const { call } = yield* caller.start()
  return { call, caller }
})

describe("CallReconciliationWorker: a reported time that no storage can store", () => {
  const end = { status: "completed", answeredAt: made, reason: "done" } as const
  const afterYear9999 = DateTime.makeUnsafe(253_402_300_800_000)

  it.effect("is ignored with its report, and the other reports of the answer are applied (D-CALL-27)", () =>
    Effect.gen(function* () {
      const { call } = yield* started
      const fake = yield* FakeCallProvider
      const reports: ReadonlyArray<ProviderReport> = [
        { _tag: "Ringing" },
        { _tag: "Answered", at: afterYear9999 },
        { _tag: "Answered", at: after(3) }
      ]
      yield* fake.fetchWith((ref) => ({ _tag: "Known", providerCallId: providerCallId(ref), reports }))
      yield* TestClock.adjust("15 seconds")
      yield* (yield* CallReconciliationWorker).runOnce
      expect(yield* stored(call)).toMatchObject({ status: "in_progress", startedAt: after(3), endedAt: null })
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "ends the call at the time of the question when it is that of an end, so that no further minutes are charged (D-CALL-27)",
    () =>
      Effect.gen(function* () {
        const { call } = yield* started
        const fake = yield* FakeCallProvider
        const reports: ReadonlyArray<ProviderReport> = [{ _tag: "Ended", ...end, endedAt: afterYear9999 }]
        yield* fake.fetchWith((ref) => ({ _tag: "Known", providerCallId: providerCallId(ref), reports }))
        yield* TestClock.adjust("15 seconds")
        yield* (yield* CallReconciliationWorker).runOnce
        const { billing, endedAt, startedAt, status } = yield* stored(call)
        expect({ endedAt, startedAt, status }).toEqual({ endedAt: after(15), startedAt: made, status: "completed" })
        expect(totalCharge(billing)).toBe(money(1))
      }).pipe(Effect.provide(services))
  )

  it.effect("does not stop the call from being given up", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started
      const fake = yield* FakeCallProvider
      const reports: ReadonlyArray<ProviderReport> = [{ _tag: "Answered", at: afterYear9999 }]
      yield* fake.fetchWith((ref) => ({ _tag: "Known", providerCallId: providerCallId(ref), reports }))
      yield* TestClock.adjust("70 minutes")
      yield* (yield* CallReconciliationWorker).runOnce
      expect(yield* stored(call)).toMatchObject({ status: "failed", endedReason: "provider_timeout" })
      expect((yield* caller.funds).reservations).toBe(0)
    }).pipe(Effect.provide(services))
  )
})

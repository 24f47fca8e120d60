import { describe, expect, it } from "@effect/vitest"
import type { Call } from "@frontdesk/core/call/Call"
import type { CallSnapshot, ProviderReport } from "@frontdesk/core/call/CallProvider"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, names, report, services, stored } from "../call/caller.ts"

const minute = 60

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const known =
  (...reports: ReadonlyArray<ProviderReport>) =>
  (ref: string): CallSnapshot => ({ _tag: "Known", providerCallId: providerCallId(ref), reports })

const answered: ProviderReport = { _tag: "Answered", at: at(12 * minute) }

const endedAfter = (minutes: number): ProviderReport => ({
  _tag: "Ended",
  status: "completed",
  answeredAt: at(12 * minute),
  endedAt: at((12 + minutes) * minute),
  reason: "customer left"
})

/** Starts a call at a price of 1 that waits for 12 minutes and is then answered, and the reconciliation worker. */
const talking = Effect.gen(function* () {
  const caller = yield* makeCaller({ price: 1, deposit: 100 })
  const fake = yield* FakeCallProvider
  const { call } = yield* caller.start()
  yield* fake.fetchWith(known({ _tag: "Ringing" }))
  yield* Effect.flatMap(CallReconciliationWorker, (reconciler) => Effect.forkScoped(reconciler.run))
  yield* TestClock.adjust("12 minutes")
  yield* report(call, answered)
  yield* fake.fetchWith(known({ _tag: "Ringing" }, answered))
  return { caller, fake, call }
})

describe("CallReconciliationWorker: a call that is given up", () => {
  it.effect("has run for 70 minutes since its answer, not since its creation (D-CALL-33)", () =>
    Effect.gen(function* () {
      const { call } = yield* talking
      yield* TestClock.adjust("69 minutes")
      expect((yield* stored(call)).status).toBe("in_progress")
      yield* TestClock.adjust("2 minutes")
      expect(yield* stored(call)).toMatchObject({ status: "completed", endedReason: "provider_timeout" })
    }).pipe(Effect.provide(services))
  )

  it.effect("is hung up first, and ends when the provider last confirmed that it was live (D-CALL-33)", () =>
    Effect.gen(function* () {
      const { call, fake, caller } = yield* talking
      yield* TestClock.adjust("20 minutes")
      yield* fake.fetchWith(() => ({ _tag: "Unreachable", cause: "no route" }))
      yield* TestClock.adjust("51 minutes")
      expect(yield* fake.hungUp).toEqual([call.callId])
      const after = yield* stored(call)
      const talked = ((after.endedAt?.epochMilliseconds ?? 0) - 12 * minute * 1000) / 1000
      expect(talked).toBeGreaterThan(18 * minute)
      expect(talked).toBeLessThanOrEqual(20 * minute)
      expect((yield* caller.funds).charges).toBe(money(Math.ceil(talked / minute)))
    }).pipe(Effect.provide(services))
  )

  it.effect("is hung up every 15 seconds for 70 minutes while the provider says that it is live (D-CALL-36)", () =>
    Effect.gen(function* () {
      const { call, fake, caller } = yield* talking
      yield* fake.hangUpWith(() => ({ _tag: "Unknown", cause: "no route" }))
      yield* TestClock.adjust("72 minutes")
      const { charges } = yield* caller.funds
      const hungUpIn = Effect.fnUntraced(function* (minutes: number) {
        const before = (yield* fake.hungUp).length
        yield* TestClock.adjust(Duration.minutes(minutes))
        return (yield* fake.hungUp).length - before
      })
      expect(yield* hungUpIn(60)).toBeGreaterThan(200)
      yield* TestClock.adjust("50 minutes")
      expect(yield* hungUpIn(60)).toBe(0)
      expect(yield* stored(call)).toMatchObject({ status: "completed", reconcileAt: null })
      expect(yield* caller.funds).toMatchObject({ charges, reservations: 0 })
    }).pipe(Effect.provide(services))
  )

  it.effect("ends also when hanging it up fails", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* talking
      yield* fake.fetchWith(() => ({ _tag: "Unreachable", cause: "no route" }))
      yield* fake.hangUpWith(() => ({ _tag: "Unknown", cause: "no route" }))
      yield* TestClock.adjust("72 minutes")
      expect(yield* fake.hungUp).toEqual([call.callId])
      expect((yield* stored(call)).status).toBe("completed")
    }).pipe(Effect.provide(services))
  )

  it.effect.each([15, 40])(
    "is corrected once, in duration and charge, by the provider's end after %s minutes (D-CALL-34)",
    (minutes) =>
      Effect.gen(function* () {
        const { call, fake, caller } = yield* talking
        yield* TestClock.adjust("20 minutes")
        yield* fake.fetchWith(() => ({ _tag: "Unreachable", cause: "no route" }))
        yield* TestClock.adjust("51 minutes")
        yield* report(call, endedAfter(minutes))
        const after = yield* stored(call)
        expect(after).toMatchObject({
          status: "completed",
          endedAt: at((12 + minutes) * minute),
          endedReason: "customer left",
          billing: { status: "charged", initialCharge: money(1), finalCharge: money(minutes - 1) }
        })
        expect(yield* caller.funds).toMatchObject({ charges: money(minutes), reservations: 0 })
        yield* report(call, endedAfter(59))
        expect(yield* stored(call)).toEqual(after)
        expect(yield* caller.funds).toMatchObject({ charges: money(minutes), reservations: 0 })
        expect(yield* names).toEqual(["call.started", "call.ended"])
      }).pipe(Effect.provide(services))
  )

  it.effect(
    "without an answer keeps its status and is charged when the provider's end states an answer (D-CALL-34)",
    () =>
      Effect.gen(function* () {
        const caller = yield* makeCaller({ price: 1, deposit: 3 })
        const fake = yield* FakeCallProvider
        yield* fake.answerWith(() => ({ _tag: "Unknown", cause: "lost" }))
        const { call } = yield* caller.start()
        yield* Effect.flatMap(CallReconciliationWorker, (reconciler) => Effect.forkScoped(reconciler.run))
        yield* TestClock.adjust("3 minutes")
        expect(yield* stored(call)).toMatchObject({ status: "failed", billing: { status: "refunded" } })
        yield* TestClock.adjust("14 minutes")
        yield* report(call, endedAfter(5))
        expect(yield* stored(call)).toMatchObject({
          status: "failed",
          startedAt: at(12 * minute),
          billing: { status: "charged", initialCharge: money(1), finalCharge: money(2) }
        })
        expect(yield* caller.funds).toMatchObject({ charges: money(3), reservations: 0 })
        expect(yield* names).toEqual(["call.failed"])
      }).pipe(Effect.provide(services))
  )
})

describe("CallReconciliationWorker: a call that was given up and proves to be live", () => {
  /**
   * Starts a call, which the provider neither answers nor knows, and waits for 29 seconds. The call is given up 2 minutes
   * after its start.
   */
  const lost = Effect.gen(function* () {
    const caller = yield* makeCaller({ price: 1, deposit: 1 })
    const fake = yield* FakeCallProvider
    yield* fake.answerWith(() => Effect.never)
    yield* Effect.flatMap(CallReconciliationWorker, (reconciler) => Effect.forkScoped(reconciler.run))
    const start = yield* Effect.forkScoped(caller.start())
    yield* TestClock.adjust("29 seconds")
    return { caller, fake, start }
  })

  const live = (fake: FakeCallProvider["Service"], call: Call) => {
    const answered: ProviderReport = { _tag: "Answered", at: at(130) }
    return Effect.andThen(
      fake.fetchWith(known({ _tag: "Ringing" }, answered)),
      report(call, { _tag: "Ringing" }, answered)
    )
  }

  it.effect("is hung up repeatedly until the provider reports its end, which corrects the charge (D-CALL-36)", () =>
    Effect.gen(function* () {
      const { fake, start, caller } = yield* lost
      yield* TestClock.adjust("2 minutes")
      const { call } = yield* Fiber.join(start)
      expect((yield* stored(call)).endedReason).toBe("provider_timeout")
      expect((yield* caller.funds).reservations).toBe(0)
      yield* fake.hangUpWith(() => ({ _tag: "Unknown", cause: "no route" }))
      const before = (yield* fake.hungUp).length
      yield* live(fake, call)
      yield* TestClock.adjust("2 seconds")
      expect((yield* fake.hungUp).length).toBe(before + 1)
      yield* TestClock.adjust("40 seconds")
      expect((yield* fake.hungUp).length).toBeGreaterThan(before + 2)
      const end = { status: "completed", answeredAt: at(130), endedAt: at(180), reason: "hung up" } as const
      yield* fake.fetchWith(known({ _tag: "Ringing" }, { _tag: "Ended", ...end }))
      yield* TestClock.adjust("20 seconds")
      const after = (yield* fake.hungUp).length
      yield* TestClock.adjust("1 hour")
      expect((yield* fake.hungUp).length).toBe(after)
      expect(yield* stored(call)).toMatchObject({ status: "failed", endedAt: at(180), reconcileAt: null })
      expect((yield* caller.funds).charges).toBe(money(1))
    }).pipe(Effect.provide(services))
  )
})

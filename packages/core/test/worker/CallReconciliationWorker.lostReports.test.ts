import { describe, expect, it } from "@effect/vitest"
import { billedMinutes, totalCharge } from "@frontdesk/core/call/Billing"
import { talkSeconds } from "@frontdesk/core/call/Call"
import type { CallSnapshot, ProviderReport } from "@frontdesk/core/call/CallProvider"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { ReservationWorker } from "@frontdesk/core/worker/ReservationWorker"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { forAll } from "@frontdesk/testing/Property"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { makeCaller, money, report, services as calls, stored } from "../call/caller.ts"

const services = Layer.provideMerge(ReservationWorker.layer, calls)

/** An instant of the test clock, which starts at 0. */
const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const seconds = Effect.map(Clock.currentTimeMillis, (millis) => millis / 1000)

/** The fault of a question to the provider. */
type Fault = "none" | "fails" | "hangs" | "kills the process"

/** The seconds that the provider takes to answer a question, and to hang up. */
interface Slowness {
  readonly question: number
  readonly hangUp: number
}

interface Options {
  /** The seconds from the start of the call to its answer. The provider reports the answer only when it is asked. */
  readonly answeredAfter: number
  /** The fault of the first questions after the answer. */
  readonly fault?: Fault
  /** How many questions have the fault. The default is 1. */
  readonly faults?: number
  readonly slowness?: Slowness
  /** The price of a minute. The balance is 1. */
  readonly price?: number
}

/**
 * Starts the worker of reservations and the worker of reconciliation, and a call that rings until it is answered. A killed
 * reconciliation worker is started again.
 */
const unreported = Effect.fnUntraced(function* ({
  answeredAfter,
  fault = "none",
  faults = 1,
  price = 1,
  slowness = { question: 0, hangUp: 0 }
}: Options) {
  const caller = yield* makeCaller({ price, deposit: 1 })
  const fake = yield* FakeCallProvider
  const reconciler = yield* CallReconciliationWorker
  yield* Effect.forkScoped((yield* ReservationWorker).run)
  const { call } = yield* caller.start()
  yield* report(call, { _tag: "Ringing" })

  const asked: Array<number> = []
  const hungUp: Array<number> = []
  const killed = yield* Deferred.make<void>()
  let left = fault === "none" ? 0 : faults
  yield* fake.fetchWith((ref) =>
    Effect.gen(function* () {
      const now = yield* seconds
      asked.push(now)
      const isAnswered = now >= answeredAfter
      const met = isAnswered && left > 0 ? fault : "none"
      if (met !== "none") left -= 1
      if (met === "fails") return { _tag: "Unreachable", cause: "no route" }
      if (met === "kills the process") yield* Deferred.succeed(killed, undefined)
      if (met !== "none") return yield* Effect.never
      yield* Effect.sleep(Duration.seconds(slowness.question))
      const answered: ReadonlyArray<ProviderReport> = isAnswered ? [{ _tag: "Answered", at: at(answeredAfter) }] : []
      const snapshot: CallSnapshot = {
        _tag: "Known",
        providerCallId: providerCallId(ref),
        reports: [{ _tag: "Ringing" }, ...answered]
      }
      return snapshot
    })
  )
  yield* fake.hangUpWith(() =>
    Effect.gen(function* () {
      yield* Effect.sleep(Duration.seconds(slowness.hangUp))
      hungUp.push(yield* seconds)
      return { _tag: "Ended" }
    })
  )
  const first = yield* Effect.forkScoped(reconciler.run)
  yield* Deferred.await(killed).pipe(
    Effect.andThen(Fiber.interrupt(first)),
    Effect.andThen(reconciler.run),
    Effect.forkScoped
  )
  return { asked, call, hungUp, caller }
})

describe("CallReconciliationWorker: a call whose answer is not reported", () => {
  it.effect.each([10, 50, 110, 230, 600])(
    "and comes after %s seconds is hung up before its reserved minute ends",
    (ring) =>
      Effect.gen(function* () {
        const { call, hungUp } = yield* unreported({ answeredAfter: ring })
        // The reserved minute ends 60 seconds after the answer.
        yield* TestClock.adjust(Duration.seconds(ring + 57))
        expect(yield* stored(call)).toMatchObject({ status: "in_progress", startedAt: at(ring) })
        expect(hungUp).toHaveLength(1)
      }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.effect.each([
    { price: 1, asked: [15, 40, 65, 90, 115, 140, 165, 190, 215, 240] },
    { price: 0, asked: [15, 45, 105, 225] }
  ])("at a price of $price is asked about after $asked seconds", ({ asked, price }) =>
    Effect.gen(function* () {
      const call = yield* unreported({ answeredAfter: 1000, price })
      yield* TestClock.adjust("260 seconds")
      expect(call.asked).toEqual(asked)
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.effect(
    "is asked about 10 seconds after each failed question, until 2 minutes after the last answered one (D-BILL-9)",
    () =>
      Effect.gen(function* () {
        const call = yield* unreported({ answeredAfter: 60, fault: "fails", faults: 100 })
        yield* TestClock.adjust("220 seconds")
        // The question at 40 seconds is the last one that the provider answers.
        expect(call.asked).toEqual([15, 40, 65, 75, 85, 95, 105, 115, 125, 135, 145, 155, 165, 190, 215])
      }).pipe(Effect.scoped, Effect.provide(services))
  )
})

describe("CallReconciliationWorker: a call whose end is not reported", () => {
  it.effect("is asked about although it is hung up again and again for lack of funds (D-CALL-31)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ price: 1, deposit: 1 })
      const fake = yield* FakeCallProvider
      const [reconciler, reservations] = [yield* CallReconciliationWorker, yield* ReservationWorker]
      const { call } = yield* caller.start()
      yield* report(call, { _tag: "Answered", at: at(0) })
      const end = { status: "completed", answeredAt: at(0), endedAt: at(30), reason: "customer left" } as const
      yield* fake.fetchWith((ref) => ({
        _tag: "Known",
        providerCallId: providerCallId(ref),
        reports: [{ _tag: "Ended", ...end }]
      }))
      yield* TestClock.adjust("56 seconds")
      for (let rounds = 0; rounds < 10; rounds++) {
        yield* reservations.runOnce
        yield* reconciler.runOnce
        yield* TestClock.adjust("15 seconds")
      }
      expect(yield* stored(call)).toMatchObject({ status: "completed", endedAt: at(30) })
      expect((yield* fake.hungUp).length).toBeLessThanOrEqual(2)
    }).pipe(Effect.provide(services))
  )
})

describe("laws of CallReconciliationWorker with answers that are not reported", () => {
  const options = fc.record({
    answeredAfter: fc.integer({ min: 1, max: 300 }),
    fault: fc.constantFrom<Fault>("none", "fails", "hangs", "kills the process")
  })

  it.effect(
    "one failed question, or one killed process, writes off at most one started minute; without a fault none is written off (D-BILL-10)",
    () =>
      forAll(
        options,
        ({ answeredAfter, fault }) =>
          Effect.gen(function* () {
            const { call, hungUp, caller } = yield* unreported({ answeredAfter, fault })
            // Long enough for the worker to hang the call up, although a question fails.
            yield* TestClock.adjust(Duration.seconds(answeredAfter + 200))
            const endedAt = at(hungUp[0] ?? answeredAfter + 200)
            const end = { status: "completed", answeredAt: at(answeredAfter), endedAt, reason: "hung_up" } as const
            yield* report(call, { _tag: "Ended", ...end })
            const after = yield* stored(call)
            const owed = money(billedMinutes(talkSeconds(after)))
            expect(owed - totalCharge(after.billing)).toBeLessThanOrEqual(money(fault === "none" ? 0 : 1))
            expect((yield* caller.funds).reservations).toBe(0)
          }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services, TestClock.layer()))),
        { numRuns: 50 }
      )
  )

  const slow = fc.record({
    answeredAfter: fc.integer({ min: 1, max: 300 }),
    faults: fc.oneof(
      // The slowest that any provider may be: one failed question, then a slow question and a slow hang-up.
      fc.record({
        fault: fc.constantFrom<Fault>("none", "fails", "hangs"),
        faults: fc.constant(1),
        slowness: fc.record({ question: fc.integer({ min: 0, max: 29 }), hangUp: fc.integer({ min: 0, max: 29 }) })
      }),
      // The slowest that the adapters for Twilio and Vapi are.
      fc.record({
        fault: fc.constant<Fault>("fails"),
        faults: fc.integer({ min: 2, max: 4 }),
        slowness: fc.record({ question: fc.integer({ min: 0, max: 10 }), hangUp: fc.integer({ min: 0, max: 20 }) })
      }),
      fc.record({
        fault: fc.constant<Fault>("hangs"),
        faults: fc.constant(2),
        slowness: fc.record({ question: fc.integer({ min: 0, max: 10 }), hangUp: fc.integer({ min: 0, max: 20 }) })
      })
    )
  })

  it.effect(
    "failed questions, slow questions and a slow hang-up together write off at most one started minute (D-BILL-10)",
    () =>
      forAll(
        slow,
        ({ answeredAfter, faults }) =>
          Effect.gen(function* () {
            const { call, hungUp } = yield* unreported({ answeredAfter, ...faults })
            // Long enough for the worker to hang the call up, although questions fail and answers are slow.
            yield* TestClock.adjust(Duration.seconds(answeredAfter + 240))
            const endedAt = at(hungUp[0] ?? answeredAfter + 240)
            const end = { status: "completed", answeredAt: at(answeredAfter), endedAt, reason: "hung_up" } as const
            yield* report(call, { _tag: "Ended", ...end })
            const after = yield* stored(call)
            const owed = money(billedMinutes(talkSeconds(after)))
            expect(owed - totalCharge(after.billing)).toBeLessThanOrEqual(money(1))
          }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services, TestClock.layer()))),
        { numRuns: 50 }
      )
  )
})

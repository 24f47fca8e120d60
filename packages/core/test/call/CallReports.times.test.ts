import { describe, expect, it } from "@effect/vitest"
import { totalCharge } from "@frontdesk/core/call/Billing"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { ReservationWorker } from "@frontdesk/core/worker/ReservationWorker"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, report, services as calls, stored } from "./caller.ts"

const services = Layer.provideMerge(ReservationWorker.layer, calls)

/** The time at which the calls are made. */
const made = DateTime.makeUnsafe("2026-03-01T12:00:00Z")

const longAgo = DateTime.makeUnsafe("1970-01-01T00:00:00Z")

const after = (seconds: number): DateTime.Utc => DateTime.add(made, { seconds })

const started = Effect.gen(function* () {
  yield* TestClock.setTime(made.epochMilliseconds)
  const caller = yield* makeCaller({ price: 1, deposit: 100 })
  const { call } = yield* caller.start()
  return { call, caller }
})

describe("CallReports: an answer that is reported for a time long before the call was made", () => {
  it.effect("counts as given one minute before the call was made (D-CALL-25)", () =>
    Effect.gen(function* () {
      const { call } = yield* started
      yield* report(call, { _tag: "Answered", at: longAgo })
      expect(yield* stored(call)).toMatchObject({ status: "in_progress", startedAt: after(-60) })
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves at most the minutes that the call can have lasted", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started
      yield* report(call, { _tag: "Answered", at: longAgo })
      yield* (yield* ReservationWorker).runOnce
      expect((yield* caller.funds).reservations).toBeLessThanOrEqual(money(2))
    }).pipe(Effect.provide(services))
  )

  it.effect("charges at most the minutes that the call can have lasted", () =>
    Effect.gen(function* () {
      const { call } = yield* started
      yield* TestClock.adjust("30 seconds")
      const end = { status: "completed", answeredAt: longAgo, endedAt: after(30), reason: "done" } as const
      yield* report(call, { _tag: "Ended", ...end })
      expect(totalCharge((yield* stored(call)).billing)).toBe(money(2))
    }).pipe(Effect.provide(services))
  )
})

describe("CallReports: an end that is reported for a time long before the call was made", () => {
  it.effect("ends the call at the time of its answer, for the price of one minute", () =>
    Effect.gen(function* () {
      const { call } = yield* started
      const end = { status: "completed", answeredAt: longAgo, endedAt: longAgo, reason: "done" } as const
      yield* report(call, { _tag: "Ended", ...end })
      const { billing, endedAt, startedAt } = yield* stored(call)
      expect({ endedAt, startedAt }).toEqual({ endedAt: after(-60), startedAt: after(-60) })
      expect(totalCharge(billing)).toBe(money(1))
    }).pipe(Effect.provide(services))
  )
})

describe("CallReports: an answer up to a minute before the call was made", () => {
  it.effect("is stored as reported, because the provider's clock may be slow", () =>
    Effect.gen(function* () {
      const { call } = yield* started
      yield* report(call, { _tag: "Answered", at: after(-59) })
      expect(yield* stored(call)).toMatchObject({ startedAt: after(-59) })
    }).pipe(Effect.provide(services))
  )
})

describe("CallReports: an answer that is reported for a time ahead of the clock", () => {
  it.effect.each([after(1), after(3600), DateTime.makeUnsafe("9000-01-01T00:00:00Z")])(
    "counts as given at the time of the report: %s",
    (at) =>
      Effect.gen(function* () {
        const { call } = yield* started
        yield* report(call, { _tag: "Answered", at })
        expect(yield* stored(call)).toMatchObject({ status: "in_progress", startedAt: made })
      }).pipe(Effect.provide(services))
  )

  it.effect("does not stop the call from reserving its next minute and from being given up", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started
      yield* report(call, { _tag: "Answered", at: DateTime.makeUnsafe("9000-01-01T00:00:00Z") })
      yield* TestClock.adjust("50 seconds")
      yield* (yield* ReservationWorker).runOnce
      expect((yield* caller.funds).reservations).toBe(money(2))
      yield* TestClock.adjust("70 minutes")
      yield* (yield* CallReconciliationWorker).runOnce
      expect(yield* stored(call)).toMatchObject({ endedReason: "provider_timeout" })
    }).pipe(Effect.provide(services))
  )
})

describe("CallReports: an end that is reported for a time ahead of the clock", () => {
  /** Returns charge and times of a call whose end is reported 30 seconds after the call was made. */
  const chargedFor = Effect.fnUntraced(function* (answeredAt: DateTime.Utc, endedAt: DateTime.Utc) {
    const { call } = yield* started
    yield* TestClock.adjust("30 seconds")
    yield* report(call, { _tag: "Ended", status: "completed", answeredAt, endedAt, reason: "done" })
    const ended = yield* stored(call)
    return { charge: totalCharge(ended.billing), startedAt: ended.startedAt, endedAt: ended.endedAt }
  })

  it.effect("is stored as reported up to one minute ahead, because the provider's clock may be fast (D-CALL-26)", () =>
    Effect.gen(function* () {
      const expected = { charge: money(2), startedAt: after(20), endedAt: after(90) }
      expect(yield* chargedFor(after(20), after(90))).toEqual(expected)
    }).pipe(Effect.provide(services))
  )

  it.effect(
    "counts as one minute ahead when it is further ahead, and the time talked stays as reported (D-CALL-26)",
    () =>
      Effect.gen(function* () {
        const expected = { charge: money(1), startedAt: after(65), endedAt: after(90) }
        expect(yield* chargedFor(after(3600), after(3625))).toEqual(expected)
      }).pipe(Effect.provide(services))
  )

  it.effect("charges at most the minutes that the call can have lasted, and two minutes for the clocks", () =>
    Effect.gen(function* () {
      const expected = { charge: money(3), startedAt: after(-60), endedAt: after(90) }
      expect(yield* chargedFor(after(5), after(36_000))).toEqual(expected)
    }).pipe(Effect.provide(services))
  )
})

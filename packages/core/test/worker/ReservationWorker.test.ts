import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { standard } from "@frontdesk/core/call/ReservationPlan"
import { ReservationWorker } from "@frontdesk/core/worker/ReservationWorker"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import * as DateTime from "effect/DateTime"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeCaller, money, report, services as calls, stored } from "../call/caller.ts"

const services = Layer.provideMerge(ReservationWorker.layer, calls)

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1000)

const answered = (seconds: number): ProviderReport => ({ _tag: "Answered", at: at(seconds) })

const ended = (from: number, to: number): ProviderReport => ({
  _tag: "Ended",
  status: "completed",
  answeredAt: at(from),
  endedAt: at(to),
  reason: "done"
})

const run = Effect.flatMap(ReservationWorker, (worker) => Effect.forkScoped(worker.run))

const hungUp = Effect.flatMap(FakeCallProvider, (fake) => fake.hungUp)

/** Makes an account that pays 1 for each minute, and starts the worker. */
const working = Effect.fnUntraced(function* (deposit: number) {
  const caller = yield* makeCaller({ price: 1, deposit })
  yield* run
  const accounts = yield* AccountStore
  return {
    ...caller,
    deposit: (units: number) => accounts.changeFunds(caller.account.id, { deposits: money(units) }, Samples.cause)
  }
})

describe("ReservationWorker", () => {
  it.effect("reserves the next minute 15 seconds before the reserved time ends (D-BILL-6)", () =>
    Effect.gen(function* () {
      const caller = yield* working(10)
      const { call } = yield* caller.start()
      yield* report(call, answered(0))
      yield* TestClock.adjust("44 seconds")
      expect((yield* caller.funds).reservations).toBe(money(1))
      yield* TestClock.adjust("2 seconds")
      expect((yield* caller.funds).reservations).toBe(money(2))
      yield* TestClock.adjust("10 minutes")
      expect((yield* caller.funds).reservations).toBe(money(10))
      yield* report(call, ended(0, 500))
      expect(yield* caller.funds).toMatchObject({ reservations: 0, charges: money(9) })
    }).pipe(Effect.provide(services))
  )

  it.effect("hangs up a call without funds for another minute 5 seconds before its reserved time ends (D-BILL-7)", () =>
    Effect.gen(function* () {
      const caller = yield* working(1)
      const { call } = yield* caller.start()
      yield* report(call, answered(0))
      yield* TestClock.adjust("54 seconds")
      expect(yield* hungUp).toEqual([])
      yield* TestClock.adjust("3 seconds")
      expect(yield* hungUp).toEqual([call.callId])
      yield* report(call, ended(0, 56))
      expect(yield* caller.funds).toMatchObject({ deposits: money(1), reservations: 0, charges: money(1) })
    }).pipe(Effect.provide(services))
  )

  it.effect("hangs up each of ten calls within its first minute when the balance covers ten minutes in all", () =>
    Effect.gen(function* () {
      const caller = yield* working(10)
      const started = yield* Effect.forEach(Array.from({ length: 10 }), () => caller.start())
      expect(yield* Effect.flip(caller.start())).toMatchObject({ _tag: "ConcurrencyLimitReached" })
      yield* Effect.forEach(started, ({ call }) => report(call, answered(0)))
      yield* TestClock.adjust("57 seconds")
      expect((yield* hungUp).toSorted()).toEqual(started.map(({ call }) => call.callId).toSorted())
      expect(yield* caller.balance).toBe(0)
    }).pipe(Effect.provide(services))
  )

  it.effect("hangs up a call a minute later when a deposit for one minute comes before the cutoff (D-BILL-7)", () =>
    Effect.gen(function* () {
      const caller = yield* working(1)
      const { call } = yield* caller.start()
      yield* report(call, answered(0))
      yield* TestClock.adjust("48 seconds")
      yield* caller.deposit(1)
      yield* TestClock.adjust("30 seconds")
      expect(yield* hungUp).toEqual([])
      expect(yield* stored(call)).toMatchObject({ reservedMinutes: 2 })
      yield* TestClock.adjust("40 seconds")
      expect(yield* hungUp).toEqual([call.callId])
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves for one call the money that another call has released", () =>
    Effect.gen(function* () {
      const caller = yield* working(2)
      const [one, other] = [yield* caller.start(), yield* caller.start()]
      yield* report(one.call, answered(0))
      yield* TestClock.adjust("50 seconds")
      yield* report(other.call, { _tag: "Ended", status: "busy", answeredAt: null, endedAt: at(50), reason: "busy" })
      yield* TestClock.adjust("20 seconds")
      expect(yield* hungUp).toEqual([])
      expect((yield* caller.funds).reservations).toBe(money(2))
    }).pipe(Effect.provide(services))
  )

  it.effect("does not hang up a call that is queued or rings, which keeps its one reserved minute (D-BILL-7)", () =>
    Effect.gen(function* () {
      const caller = yield* working(1)
      const { call } = yield* caller.start()
      yield* TestClock.adjust("5 minutes")
      yield* report(call, { _tag: "Ringing" })
      yield* TestClock.adjust("5 minutes")
      expect(yield* hungUp).toEqual([])
      expect((yield* caller.funds).reservations).toBe(money(1))
      yield* report(call, answered(600))
      yield* TestClock.adjust("57 seconds")
      expect(yield* hungUp).toEqual([call.callId])
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves nothing for a call at a price of 0, and does not hang it up without a balance (D-BILL-7)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ price: 0, deposit: 0 })
      yield* run
      const { call } = yield* caller.start()
      yield* report(call, answered(0))
      expect((yield* stored(call)).reserveAt).toBeNull()
      yield* TestClock.adjust("30 minutes")
      expect(yield* hungUp).toEqual([])
      expect((yield* caller.funds).reservations).toBe(0)
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves all minutes since an answer that is reported late, as far as the balance covers them", () =>
    Effect.gen(function* () {
      const caller = yield* working(4)
      const { call } = yield* caller.start()
      const poor = yield* makeCaller({ price: 1, deposit: 2 })
      const late = yield* poor.start()
      yield* TestClock.adjust("3 minutes")
      yield* report(call, answered(0))
      yield* TestClock.adjust("2 seconds")
      expect(yield* stored(call)).toMatchObject({ reservedMinutes: 4 })
      yield* report(late.call, answered(0))
      yield* TestClock.adjust("2 seconds")
      expect(yield* stored(late.call)).toMatchObject({ reservedMinutes: 2 })
      expect(yield* hungUp).toEqual([late.call.callId])
    }).pipe(Effect.provide(services))
  )

  it.effect("hangs up a call again and again until it ends (D-BILL-7)", () =>
    Effect.gen(function* () {
      const caller = yield* working(1)
      const fake = yield* FakeCallProvider
      yield* fake.hangUpWith(() => ({ _tag: "Unknown", cause: "no route" }))
      const { call } = yield* caller.start()
      yield* report(call, answered(0))
      yield* TestClock.adjust("100 seconds")
      expect((yield* hungUp).length).toBeGreaterThanOrEqual(3)
      yield* report(call, ended(0, 101))
      const before = (yield* hungUp).length
      yield* TestClock.adjust("2 minutes")
      expect(yield* hungUp).toHaveLength(before)
      expect(yield* caller.funds).toMatchObject({ reservations: 0, charges: money(1) })
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves for other calls while a hang-up waits for the provider", () =>
    Effect.gen(function* () {
      const caller = yield* working(3)
      const fake = yield* FakeCallProvider
      yield* fake.hangUpWith(() => Effect.never)
      const [one, other] = [yield* caller.start(), yield* caller.start()]
      yield* report(one.call, answered(0))
      yield* TestClock.adjust("40 seconds")
      yield* report(other.call, answered(40))
      // The first call reserves the last minute at 45 seconds. The second has no second minute, and is hung up at 95 seconds.
      yield* TestClock.adjust("60 seconds")
      expect(yield* hungUp).toEqual([other.call.callId])
      yield* caller.deposit(10)
      yield* TestClock.adjust("10 seconds")
      expect((yield* stored(one.call)).reservedMinutes).toBe(3)
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves for a call whose claiming node died, when the claim ends (D-BILL-12)", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ price: 1, deposit: 5 })
      const { call } = yield* caller.start()
      yield* report(call, answered(0))
      yield* TestClock.adjust("45 seconds")
      const now = yield* DateTime.now
      expect(yield* (yield* CallStore).claim("reserve", now, DateTime.addDuration(now, standard.retry), 10)).toEqual([
        call.id
      ])
      const worker = yield* ReservationWorker
      expect(yield* worker.runOnce).toBe(0)
      yield* TestClock.adjust("5 seconds")
      expect(yield* worker.runOnce).toBe(1)
      expect((yield* caller.funds).reservations).toBe(money(2))
    }).pipe(Effect.provide(services))
  )

  it.effect("releases the further minutes of a call that a node of an older version has settled", () =>
    Effect.gen(function* () {
      const caller = yield* makeCaller({ price: 1, deposit: 5 })
      const accounts = yield* AccountStore
      const store = yield* CallStore
      const worker = yield* ReservationWorker
      const { call } = yield* caller.start()
      yield* report(call, answered(0))
      yield* TestClock.adjust("46 seconds")
      yield* worker.runOnce
      // The older version releases only the first minute, because it does not know reservations.
      const talking = yield* stored(call)
      yield* store.update({ ...talking, status: "completed", endedAt: at(50) })
      yield* accounts.changeFunds(caller.account.id, { reservations: money(-1), charges: money(1) }, Samples.cause)
      yield* TestClock.adjust("1 minute")
      expect(yield* worker.runOnce).toBe(1)
      expect(yield* caller.funds).toMatchObject({ reservations: 0, charges: money(1) })
      expect((yield* stored(call)).reserveAt).toBeNull()
    }).pipe(Effect.provide(services))
  )
})

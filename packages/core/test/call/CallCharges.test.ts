import { describe, expect, it } from "@effect/vitest"
import { totalCharge } from "@frontdesk/core/call/Billing"
import type { Call } from "@frontdesk/core/call/Call"
import { CallCharges } from "@frontdesk/core/call/CallCharges"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeCaller, money, services as calls } from "./caller.ts"

const services = Layer.provideMerge(CallCharges.layer, calls)

/** Runs a method of `CallCharges` in a transaction. */
const charging = <A, E, R>(use: (charges: CallCharges["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.all([CallCharges, Transaction]), ([charges, transaction]) => transaction.run(use(charges)))

/** Starts a call, which reserves its first minute. */
const started = Effect.fnUntraced(function* (deposit: number, price: number) {
  const caller = yield* makeCaller({ deposit, price })
  const { call } = yield* caller.start()
  return { caller, call }
})

describe("CallCharges.reserve", () => {
  it.effect("reserves the price of further minutes and returns their number", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(10, 2)
      expect(yield* charging(({ reserve }) => reserve(call, 3))).toBe(3)
      expect((yield* caller.funds).reservations).toBe(money(8))
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves only the whole minutes that the balance covers", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(7, 2)
      expect(yield* charging(({ reserve }) => reserve(call, 3))).toBe(2)
      expect((yield* caller.funds).reservations).toBe(money(6))
      expect(yield* charging(({ reserve }) => reserve(call, 3))).toBe(0)
      expect((yield* caller.funds).reservations).toBe(money(6))
    }).pipe(Effect.provide(services))
  )

  it.effect.each([0, -1])("reserves nothing for %s minutes", (minutes) =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(10, 2)
      expect(yield* charging(({ reserve }) => reserve(call, minutes))).toBe(0)
      expect((yield* caller.funds).reservations).toBe(money(2))
    }).pipe(Effect.provide(services))
  )

  it.effect("reserves nothing for a call at a price of 0", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(10, 0)
      expect(yield* charging(({ reserve }) => reserve(call, 3))).toBe(0)
      expect((yield* caller.funds).reservations).toBe(0)
    }).pipe(Effect.provide(services))
  )
})

describe("CallCharges.releaseRest", () => {
  it.effect("releases every reserved minute but the first", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(10, 2)
      yield* charging(({ reserve }) => reserve(call, 2))
      yield* charging(({ releaseRest }) => releaseRest({ ...call, reservedMinutes: 3 }))
      expect((yield* caller.funds).reservations).toBe(money(2))
    }).pipe(Effect.provide(services))
  )
})

describe("CallCharges.settle", () => {
  const completed = (call: Call): Call => ({ ...call, status: "completed" })

  it.effect("releases all reserved minutes and takes the charge of the started minutes (D-BILL-1)", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(10, 2)
      yield* charging(({ reserve }) => reserve(call, 2))
      const running = { ...call, reservedMinutes: 3 }
      const settled = yield* charging(({ settle }) => settle(running, completed(running), 90))
      expect(totalCharge(settled.billing)).toBe(money(4))
      expect(yield* caller.funds).toMatchObject({ reservations: 0, charges: money(4) })
    }).pipe(Effect.provide(services))
  )

  it.effect("charges at most what is reserved for the call plus the balance (D-BILL-8)", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(7, 2)
      yield* charging(({ reserve }) => reserve(call, 1))
      const running = { ...call, reservedMinutes: 2 }
      const settled = yield* charging(({ settle }) => settle(running, completed(running), 600))
      expect(totalCharge(settled.billing)).toBe(money(7))
      expect(yield* caller.funds).toMatchObject({ reservations: 0, charges: money(7) })
    }).pipe(Effect.provide(services))
  )

  it.effect("corrects the charge of a call that was settled before, by the difference (D-CALL-34)", () =>
    Effect.gen(function* () {
      const { call, caller } = yield* started(10, 2)
      const first = yield* charging(({ settle }) => settle(call, completed(call), 90))
      const longer = yield* charging(({ settle }) => settle(first, first, 150))
      expect(yield* caller.funds).toMatchObject({ reservations: 0, charges: money(6) })
      const never = yield* charging(({ settle }) => settle(longer, longer, null))
      expect(never.billing.status).toBe("refunded")
      expect(yield* caller.funds).toMatchObject({ reservations: 0, charges: 0 })
    }).pipe(Effect.provide(services))
  )
})

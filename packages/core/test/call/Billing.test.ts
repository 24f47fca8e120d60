import { describe, expect, it } from "@effect/vitest"
import { affordableSeconds, billedMinutes, pending, settle, totalCharge } from "@frontdesk/core/call/Billing"
import * as Money from "@frontdesk/core/values/Money"
import { price } from "@frontdesk/testing/arbitrary/call"
import * as fc from "fast-check"

const money = (units: number) => Money.Money.make(Math.round(units * Money.scale))

describe("Billing", () => {
  it("pending reserves the price of the first minute (D-BILL-2)", () => {
    expect(pending(money(0.1))).toEqual({
      status: "pending",
      initialCharge: money(0.1),
      finalCharge: money(0),
      pricePerMinute: money(0.1)
    })
  })

  it("a call of 90 seconds costs two minutes: the reserved one, and one that settlement adds (D-BILL-1)", () => {
    const billing = settle(pending(money(0.1)), 90, money(5))
    expect(billing).toMatchObject({ status: "charged", initialCharge: money(0.1), finalCharge: money(0.1) })
    expect(totalCharge(billing)).toBe(money(0.2))
  })

  it("a call that was never answered costs 0: settlement gives its reservation back (D-BILL-1)", () => {
    const billing = settle(pending(money(0.1)), null, money(5))
    expect(billing).toMatchObject({ status: "refunded", finalCharge: money(-0.1) })
    expect(totalCharge(billing)).toBe(0)
  })

  it("a call at a price of 0 is waived (D-BILL-3)", () => {
    expect(settle(pending(money(0)), 90, money(5))).toMatchObject({ status: "waived", finalCharge: 0 })
    expect(settle(pending(money(0)), null, money(5))).toMatchObject({ status: "waived", finalCharge: 0 })
  })

  it("a settlement writes off what the reservation and the balance do not cover (D-BILL-8)", () => {
    expect(totalCharge(settle(pending(money(0.1)), 600, money(0.25)))).toBe(money(0.35))
    expect(totalCharge(settle(pending(money(0.1)), 600, money(0)))).toBe(money(0.1))
  })

  it("a call of an impossible length is settled for the reservation and the whole balance", () => {
    const dear = Money.Money.make(1_000_000_000 * Money.scale)
    expect(totalCharge(settle(pending(dear), 1e12, dear))).toBe(2 * dear)
  })

  it.each([
    [null, 0],
    [0, 1],
    [1, 1],
    [60, 1],
    [61, 2],
    [120, 2],
    [3600, 60]
  ])("%s seconds of talk are billed as %s minutes", (seconds, minutes) => {
    expect(billedMinutes(seconds)).toBe(minutes)
  })

  it("affordableSeconds returns whole minutes, in seconds, that the balance pays for, up to the maximum duration", () => {
    expect(affordableSeconds(money(0.1), money(0.35), 3600)).toBe(180)
    expect(affordableSeconds(money(0.1), money(100), 3600)).toBe(3600)
    expect(affordableSeconds(money(0), money(0), 3600)).toBe(3600)
  })
})

describe("laws of Billing", () => {
  const talk = fc.option(fc.integer({ min: 0, max: 7200 }))
  const balance = fc.integer({ min: 0, max: 100 * Money.scale }).map((amount) => Money.Money.make(amount))

  it("the total is the price of the started minutes, but at most the reservation and the balance", () => {
    fc.assert(
      fc.property(price(), talk, balance, (pricePerMinute, seconds, spendable) => {
        const total = totalCharge(settle(pending(pricePerMinute), seconds, spendable))
        const owed = seconds === null ? 0 : minutesOneByOne(seconds) * pricePerMinute
        expect(total).toBe(Math.min(owed, pricePerMinute + spendable))
      })
    )
  })

  it("a call that lasts at most its affordable seconds is charged in full", () => {
    fc.assert(
      fc.property(price(), fc.integer({ min: 0, max: 7200 }), balance, (pricePerMinute, seconds, spendable) => {
        const longest = affordableSeconds(pricePerMinute, Money.sum(pricePerMinute, spendable), 7200)
        const talked = Math.min(seconds, longest)
        expect(totalCharge(settle(pending(pricePerMinute), talked, spendable))).toBe(
          pricePerMinute * billedMinutes(talked)
        )
      })
    )
  })
})

const minutesOneByOne = (seconds: number): number => {
  let minutes = 1
  while (minutes * 60 < seconds) minutes += 1
  return minutes
}

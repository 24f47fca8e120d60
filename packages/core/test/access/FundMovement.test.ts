import { describe, expect, it } from "@effect/vitest"
import { balance } from "@frontdesk/core/access/Account"
import * as FundMovement from "@frontdesk/core/access/FundMovement"
import { Money } from "@frontdesk/core/values/Money"
import * as fc from "fast-check"

const change = (sums: { deposits?: number; charges?: number; reservations?: number }): FundMovement.FundsChange =>
  Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, Money.make(amount)]))

describe("FundMovement.ofChange (D-BILL-15)", () => {
  it.each([
    ["a deposit", { deposits: 5 }, { kind: "deposit", amount: 5 }],
    ["a reservation", { reservations: 5 }, { kind: "reservation", amount: -5 }],
    ["the release of a reservation without a charge", { reservations: -5, charges: 0 }, { kind: "release", amount: 5 }],
    ["a charge below the reservation", { reservations: -5, charges: 3 }, { kind: "settlement", amount: 2 }],
    ["a charge of the whole reservation", { reservations: -5, charges: 5 }, { kind: "settlement", amount: 0 }],
    ["a charge above the reservation", { reservations: -5, charges: 8 }, { kind: "settlement", amount: -3 }],
    ["a later correction in favour of the account", { charges: -2 }, { kind: "settlement", amount: 2 }],
    ["a change without amounts", {}, null],
    ["a change whose amounts are 0", { reservations: 0, charges: 0 }, null]
  ])("%s is %o", (_, sums, movement) => {
    expect(FundMovement.ofChange(change(sums))).toEqual(movement)
  })

  it("the amount is by how much the balance changes, for any change", () => {
    const sum = fc.integer({ min: -1_000, max: 1_000 })
    fc.assert(
      fc.property(fc.record({ deposits: sum, charges: sum, reservations: sum }, { requiredKeys: [] }), (sums) => {
        const given = change(sums)
        const by = balance(FundMovement.sumsOf(given))
        expect(FundMovement.ofChange(given)?.amount ?? 0).toBe(by)
      })
    )
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as Money from "@frontdesk/core/values/Money"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

const decode = Schema.decodeUnknownSync(Money.MoneyFromNumber)
const encode = Schema.encodeSync(Money.MoneyFromNumber)

describe("Money", () => {
  it("0.1 plus 0.2 is exactly 0.3", () => {
    expect(encode(Money.sum(decode(0.1), decode(0.2)))).toBe(0.3)
  })

  it.each([0.0000001, 1 / 3, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000_001, "1", null])(
    "%s is not an amount",
    (value) => {
      expect(() => decode(value)).toThrow(/Expected/)
    }
  )

  it.each([1_000_000_000, -1_000_000_000])("%d, an amount at the limit, is decoded and encoded exactly", (amount) => {
    expect(encode(decode(amount))).toBe(amount)
  })

  it("times multiplies an amount by a whole number exactly", () => {
    expect(Money.times(decode(0.1), 3)).toBe(decode(0.3))
    expect(Money.times(decode(0.1), 0)).toBe(Money.zero)
  })

  it("format writes an amount in currency units without trailing zeros", () => {
    expect([decode(0.1), decode(12.5), Money.zero].map(Money.format)).toEqual(["0.1", "12.5", "0"])
  })

  it("an amount that is written as a JSON number and read again is unchanged", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000_000_000, max: 1_000_000_000_000_000 }), (units) => {
        const money = Money.Money.make(units)
        expect(decode(JSON.parse(JSON.stringify(encode(money))))).toBe(money)
      })
    )
  })

  it("the sum of amounts does not depend on their order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), { maxLength: 20 }), (units) => {
        const amounts = units.map((unit) => Money.Money.make(unit))
        expect(Money.sum(...amounts)).toBe(Money.sum(...amounts.toReversed()))
      })
    )
  })
})

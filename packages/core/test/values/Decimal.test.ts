import { describe, expect, it } from "@effect/vitest"
import * as Decimal from "@frontdesk/core/values/Decimal"
import * as fc from "fast-check"

describe("Decimal.isExact", () => {
  it.each(["0", "-0", "007", "1.50", "1e3", "1E+3", "0.1", "1e21", "5e-324", "1.7976931348623157e308"])(
    "%s keeps its value as a number",
    (text) => {
      expect(Decimal.isExact(text)).toBe(true)
    }
  )

  it.each([
    "12345678901234567890",
    "1e-400",
    "1e400",
    "0.12345678901234567890",
    "9007199254740993",
    "",
    "x",
    "+1",
    "1."
  ])("%s does not keep its value as a number", (text) => {
    expect(Decimal.isExact(text)).toBe(false)
  })

  it("the text of every finite number is exact, also with a leading zero", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = String(number)
        expect(Decimal.isExact(text)).toBe(true)
        expect(Decimal.isExact(text.includes("e") ? text : `0${Math.abs(number)}`)).toBe(true)
      })
    )
  })

  it("whole numbers up to 2^53 are exact, and longer ones of more than 20 digits that end in 1 are not", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }), (value) => {
        expect(Decimal.isExact(String(value))).toBe(true)
        expect(Decimal.isExact(`${value < 0n ? "-" : ""}1${"0".repeat(20)}${value < 0n ? -value : value}1`)).toBe(false)
      })
    )
  })

  it("texts with half a million zeros are read in linear time", () => {
    expect(Decimal.isExact(`1${"0".repeat(500_000)}1`)).toBe(false)
    expect(Decimal.isExact(`0.${"0".repeat(500_000)}`)).toBe(true)
  })
})

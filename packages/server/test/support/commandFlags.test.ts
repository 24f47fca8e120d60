import { expect, it } from "vitest"
import { drawnSeed, wholeNumber } from "./commandFlags.ts"

it.each([0, 1, 999_999_999, 1_000_000_000, 2 ** 31, 2 ** 32 - 1, 9_999_999_999])(
  "the seed %d can be given as a flag",
  (seed) => {
    expect(wholeNumber(String(seed))).toBe(seed)
  }
)

it("a new seed can be given as a flag", () => {
  const seed = drawnSeed()
  expect(String(wholeNumber(seed))).toBe(seed)
})

it.each(["", "-1", "01", "1.5", "1e3", "10000000000", "one", " 1"])("%j is not a whole number", (text) => {
  expect(wholeNumber(text)).toBe(null)
})

import { describe, expect, it } from "vitest"
import { pairwise } from "./pairwise.ts"

const parameters = {
  colour: ["red", "green", "blue"],
  size: [1, 2, 3, 4, 5],
  shape: ["round", "square", "long", "flat"],
  isNew: [true, false]
}

describe("pairwise", () => {
  it("has any two values of two parameters together, in fewer combinations than all", () => {
    const found = pairwise(parameters)
    const has = (one: Partial<(typeof found)[number]>) =>
      found.some((combination) =>
        Object.entries(one).every(([name, value]) => Reflect.get(combination, name) === value)
      )
    const names = Object.entries(parameters)
    for (const [first, values] of names)
      for (const [second, others] of names.filter(([name]) => name > first))
        for (const value of values)
          for (const other of others) expect(has({ [first]: value, [second]: other })).toBe(true)
    // 20 pairs of the two longest parameters need as many combinations. All would be 120.
    expect(found.length).toBeGreaterThanOrEqual(20)
    expect(found.length).toBeLessThan(30)
  })

  it("has every combination of two parameters once", () => {
    expect(pairwise({ one: ["a", "b"], two: [1, 2] })).toEqual([
      { one: "a", two: 1 },
      { one: "a", two: 2 },
      { one: "b", two: 1 },
      { one: "b", two: 2 }
    ])
  })

  it("has no combination when a parameter has no value", () => {
    expect(pairwise({ one: ["a"], two: [] })).toEqual([])
  })
})

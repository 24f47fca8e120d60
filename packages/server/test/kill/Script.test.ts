import { describe, expect, it } from "vitest"
import { killPointNames } from "./KillPoint.ts"
import * as Script from "./Script.ts"

describe("a script", () => {
  it("has the same operations and kill points for the same seed, and others for another seed", () => {
    expect(Script.make(42, 80, true)).toEqual(Script.make(42, 80, true))
    expect(Script.make(43, 80, true)).not.toEqual(Script.make(42, 80, true))
  })

  // The weights of all kill points add up to 39. Two of them, with the weight 1, are for the release of leases.
  it("kills at every point as often as its weight before it begins again, in another order for another seed", () => {
    const [first, second] = [Script.make(1, 39, true), Script.make(2, 39, true)].map((rounds) =>
      rounds.map(({ kill }) => kill)
    )
    expect(new Set(first)).toEqual(new Set(killPointNames))
    expect(first?.toSorted()).toEqual(second?.toSorted())
    expect(first).not.toEqual(second)
  })

  it("kills at every point except the release of leases if each process has a new node name", () => {
    const points = new Set(Script.make(1, 37, false).map(({ kill }) => kill))
    expect(killPointNames.filter((name) => !points.has(name))).toEqual([
      "before leases are released",
      "after leases are released"
    ])
  })

  it("starts a call for the kill point after its commit, and creates events with keys for the one after theirs", () => {
    for (const { kill, operations, pass } of Script.make(7, 200, true)) {
      if (kill === "call committed") expect(operations.map(({ _tag }) => _tag)).toContain("StartCall")
      if (kill !== "after commit") continue
      const creates = operations.filter(
        (operation) => operation._tag === "CreateCalendarEvent" && operation.key !== null
      )
      expect(creates.length).toBeGreaterThanOrEqual(pass)
    }
  })
})

import { describe, expect, it } from "vitest"
import { killPointNames } from "./KillPoint.ts"
import * as Script from "./Script.ts"

describe("a script", () => {
  it("asks the same and kills at the same points for the same seed", () => {
    expect(Script.make(42, 80)).toEqual(Script.make(42, 80))
    expect(Script.make(43, 80)).not.toEqual(Script.make(42, 80))
  })

  it("kills at every point before it begins again", () => {
    const [first, second] = [Script.make(1, 33), Script.make(2, 33)].map((rounds) => rounds.map(({ kill }) => kill))
    expect(new Set(first)).toEqual(new Set(killPointNames))
    expect(first?.toSorted()).toEqual(second?.toSorted())
    expect(first).not.toEqual(second)
  })

  it("asks for what its point needs", () => {
    for (const { kill, operations, pass } of Script.make(7, 200)) {
      if (kill === "call committed") expect(operations.map(({ _tag }) => _tag)).toContain("StartCall")
      if (kill !== "after commit") continue
      const creates = operations.filter((operation) => operation._tag === "CreateEvent" && operation.key !== null)
      expect(creates.length).toBeGreaterThanOrEqual(pass)
    }
  })
})

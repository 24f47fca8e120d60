import * as Coverage from "@frontdesk/testing/simulation/Coverage"
import { describe, expect, it } from "vitest"

describe("coverage of a simulation", () => {
  it("misses nothing in fewer than a thousand histories, because that is a matter of the seed", () => {
    for (const histories of [1, 20, 100, 999]) expect(Coverage.missing(new Map(), histories)).toEqual([])
  })

  it("misses in a thousand histories whatever did not happen", () => {
    const missing = Coverage.missing(new Map([["a failed delivery is redelivered", 3]]), 1_000)
    expect(missing).toContain("two secrets sign: 0 times instead of 50")
    expect(missing).toContain("a delivery is given up unsent: 0 times instead of 1")
    expect(missing.join()).not.toContain("a failed delivery is redelivered")
  })
})

import * as Coverage from "@frontdesk/testing/simulation/Coverage"
import { describe, expect, it } from "vitest"

describe("Coverage", () => {
  it("missing requires nothing of fewer than a thousand histories, because their counts depend on the seed", () => {
    for (const histories of [1, 20, 100, 999]) expect(Coverage.missing(new Map(), histories)).toEqual([])
  })

  it("missing returns every case that occurred too rarely in a thousand histories", () => {
    const missing = Coverage.missing(new Map([["a failed delivery is redelivered", 3]]), 1_000)
    expect(missing).toContain("a request is signed with two secrets: 0 times instead of 50")
    expect(missing).toContain("a delivery fails without being sent: 0 times instead of 1")
    expect(missing.join()).not.toContain("a failed delivery is redelivered")
  })
})

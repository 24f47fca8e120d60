import * as RecentMap from "@frontdesk/core/values/RecentMap"
import { describe, expect, it } from "vitest"

describe("RecentMap.set", () => {
  it("set deletes the key that was set longest ago when the map exceeds its maximum", () => {
    const map = new Map<string, number>()
    for (const [index, key] of ["a", "b", "a", "c"].entries()) RecentMap.set(map, key, index, 2)
    expect([...map]).toEqual([
      ["a", 2],
      ["c", 3]
    ])
  })

  it("set keeps every key of a map with the maximum number of keys", () => {
    const map = new Map([["a", 1]])
    RecentMap.set(map, "b", 2, 2)
    RecentMap.set(map, "a", 3, 2)
    expect([...map]).toEqual([
      ["b", 2],
      ["a", 3]
    ])
  })
})

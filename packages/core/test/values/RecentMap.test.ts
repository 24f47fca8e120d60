import { RecentMap } from "@frontdesk/core/values/RecentMap"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const use = fc.tuple(fc.constantFrom("get", "set", "delete"), fc.integer({ min: 0, max: 9 }))

describe("RecentMap", () => {
  it("law: it has the last keys that were used, with their last values: half of the maximum at least", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(use, { maxLength: 60 }), (maxSize, uses) => {
        const map = new RecentMap<number, number>(maxSize)
        /** The keys in the order of their last uses. */
        const model = new Map<number, number>()
        for (const [index, [what, key]] of uses.entries()) {
          const found = map.get(key)
          const last = model.get(key)
          const isRecent = maxSize > 1 && [...model.keys()].slice(-Math.floor(maxSize / 2)).includes(key)
          expect(isRecent ? [last] : [last, undefined]).toContain(found)
          if (found === undefined) model.delete(key)
          else {
            model.delete(key)
            model.set(key, found)
          }
          if (what === "delete") {
            map.delete(key)
            model.delete(key)
          } else if (what === "set") {
            map.set(key, index)
            model.delete(key)
            model.set(key, index)
          }
          const entries = [...map]
          expect(new Set(entries.map(([key]) => key)).size).toBe(entries.length)
          expect(entries.length).toBeLessThanOrEqual(maxSize)
        }
      })
    )
  })

  it("a map for no keys stays empty, and a cleared one is empty", () => {
    const none = new RecentMap<string, number>(0)
    none.set("a", 1)
    expect([...none]).toEqual([])
    const map = new RecentMap<string, number>(1)
    map.set("a", 1)
    map.set("b", 2)
    map.clear()
    expect([map.get("a"), map.get("b"), ...map]).toEqual([undefined, undefined])
  })
})

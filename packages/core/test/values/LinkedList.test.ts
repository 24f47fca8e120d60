import { type Entry, LinkedList } from "@frontdesk/core/values/LinkedList"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("LinkedList", () => {
  it("law: it has the added entries without the removed ones, in the order of insertion, as a set has", () => {
    const step = fc.option(fc.nat({ max: 20 }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const list = new LinkedList<number>()
        const added: Array<Entry<number>> = []
        const model = new Set<Entry<number>>()
        for (const [index, remove] of steps.entries()) {
          const entry = remove === null ? undefined : added[remove]
          if (entry !== undefined) expect(list.remove(entry)).toBe(model.delete(entry))
          else {
            const entry = list.add(index)
            added.push(entry)
            model.add(entry)
          }
          expect(list.entries()).toEqual([...model])
          expect(list.first).toBe([...model][0])
        }
      })
    )
  })
})

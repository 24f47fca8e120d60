import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as TextCache from "@frontdesk/storage-sql/storage/TextCache"

const counting = <A>(make: (text: string) => A) => {
  const made: Array<string> = []
  const remembered = TextCache.byText((text) => {
    made.push(text)
    return make(text)
  })
  return { remembered, made }
}

describe("what is remembered by a text", () => {
  it("is made once", () => {
    const { made, remembered } = counting((text) => ({ text }))
    expect(remembered("a")).toBe(remembered("a"))
    expect(remembered("b")).toEqual({ text: "b" })
    expect(made).toEqual(["a", "b"])
  })

  it("is never more than 1,000 texts", () => {
    const { made, remembered } = counting((text) => text)
    for (let n = 0; n < 1_000; n++) remembered(`${n}`)
    remembered("0")
    expect(made).toHaveLength(1_000)
    remembered("one more")
    remembered("0")
    expect(made).toHaveLength(1_002)
  })

  it("is not a long text, and not nothing", () => {
    const { made, remembered } = counting((text) => (text === "nothing" ? undefined : { text }))
    for (const text of ["nothing", "nothing", "x".repeat(10_001), "x".repeat(10_001)]) remembered(text)
    expect(made).toHaveLength(4)
  })

  it("is frozen with all that is in it, instances aside", () => {
    const at = DateTime.makeUnsafe(0)
    const value = TextCache.byText(() => ({ list: [{ inner: {} }], at }))("a")
    expect([value, value.list, value.list[0], value.list[0]?.inner].map(Object.isFrozen)).not.toContain(false)
    expect(Object.isFrozen(at)).toBe(false)
  })
})

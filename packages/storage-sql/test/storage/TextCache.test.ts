import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as TextCache from "@frontdesk/storage-sql/storage/TextCache"

const counting = <A>(make: (text: string) => A) => {
  const made: Array<string> = []
  const cached = TextCache.byText((text) => {
    made.push(text)
    return make(text)
  })
  return { cached, made }
}

describe("a function with a text cache", () => {
  it("computes each text once", () => {
    const { made, cached } = counting((text) => ({ text }))
    expect(cached("a")).toBe(cached("a"))
    expect(cached("b")).toEqual({ text: "b" })
    expect(made).toEqual(["a", "b"])
  })

  it("caches at most 1,000 texts", () => {
    const { made, cached } = counting((text) => text)
    for (let n = 0; n < 1_000; n++) cached(`${n}`)
    cached("0")
    expect(made).toHaveLength(1_000)
    cached("one more")
    cached("0")
    expect(made).toHaveLength(1_002)
  })

  it("does not cache long texts, nor undefined", () => {
    const { made, cached } = counting((text) => (text === "nothing" ? undefined : { text }))
    for (const text of ["nothing", "nothing", "x".repeat(10_001), "x".repeat(10_001)]) cached(text)
    expect(made).toHaveLength(4)
  })

  it("freezes cached values deeply, except instances", () => {
    const at = DateTime.makeUnsafe(0)
    const value = TextCache.byText(() => ({ list: [{ inner: {} }], at }))("a")
    expect([value, value.list, value.list[0], value.list[0]?.inner].map(Object.isFrozen)).not.toContain(false)
    expect(Object.isFrozen(at)).toBe(false)
  })
})

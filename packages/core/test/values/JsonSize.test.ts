import { describe, expect, it } from "@effect/vitest"
import * as JsonSize from "@frontdesk/core/values/JsonSize"
import * as Schema from "effect/Schema"

describe("JsonSize", () => {
  it("bytesOf counts the bytes of the JSON in UTF-8", () => {
    expect(JsonSize.bytesOf({ a: "\u20ac" })).toBe(11)
    expect(JsonSize.bytesOf(null)).toBe(4)
  })

  it("bytesOf returns 0 for a value that cannot be written as JSON", () => {
    const cyclic: Record<string, unknown> = {}
    cyclic["self"] = cyclic
    expect([undefined, () => 1, cyclic, 1n].map(JsonSize.bytesOf)).toEqual([0, 0, 0, 0])
  })

  it("withMaxBytes accepts a value of exactly the maximum, and rejects one with a byte more", () => {
    const isSmall = Schema.is(Schema.String.check(JsonSize.withMaxBytes(10)))
    expect([isSmall("12345678"), isSmall("123456789")]).toEqual([true, false])
  })
})

describe("JsonSize.shallow", () => {
  const isShallow = Schema.is(Schema.Record(Schema.String, Schema.Json).check(JsonSize.shallow))
  const nested = (levels: number): Schema.JsonObject =>
    Array.from({ length: levels - 1 }).reduce<Schema.JsonObject>((inner) => ({ inner }), {})

  it("shallow accepts 64 levels of objects and arrays, and rejects 65", () => {
    expect(isShallow(nested(64))).toBe(true)
    expect(isShallow(nested(65))).toBe(false)
    expect(isShallow({ list: [nested(62)] })).toBe(true)
    expect(isShallow({ list: [nested(63)] })).toBe(false)
  })
})

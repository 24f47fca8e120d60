import { describe, expect, it } from "@effect/vitest"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as JsonSize from "@frontdesk/core/values/JsonSize"
import { codePoint } from "@frontdesk/testing/arbitrary/text"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

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

  it("law: bytesOf never exceeds maxBytesOf", () => {
    const text = fc.string({ unit: codePoint })
    const scalar = fc.oneof(
      text,
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined, "\u0000\u001f", "\ud800", "\u20ac"),
      fc.date({ noInvalidDate: true }).map((date) => DateTime.makeUnsafe(date))
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie("value")), fc.dictionary(text, tie("value")))
    }))
    fc.assert(
      fc.property(value, (given) => {
        expect(JsonSize.maxBytesOf(given)).toBeGreaterThanOrEqual(JsonSize.bytesOf(given))
      })
    )
  })

  it("maxBytesOf knows no bound of a value with an own form as JSON", () => {
    const long = { toJSON: () => "a".repeat(1_000) }
    class Long {
      toJSON = () => "a".repeat(1_000)
    }
    expect([long, new Long(), [long], { long }, 1n].map(JsonSize.maxBytesOf)).toEqual(Array(5).fill(Infinity))
  })

  it("the maximum of a stored JSON value is 64 KiB", () => {
    expect(JsonSize.maxStoredBytes).toBe(64 * 1024)
  })

  it("the problem of a value with too many bytes or levels names the maximum", () => {
    const Value = Schema.Struct({
      small: Schema.Json.check(JsonSize.withMaxBytes(10)),
      shallow: Schema.Record(Schema.String, Schema.Json).check(JsonSize.shallow)
    })
    const deep = Array.from({ length: 64 }).reduce<Schema.JsonObject>((inner) => ({ inner }), {})
    const decoded = Schema.decodeUnknownResult(Value)({ small: "123456789", shallow: deep }, { errors: "all" })
    expect(FieldProblems.fromIssue(Result.getOrThrow(Result.flip(decoded)).issue)).toEqual([
      { field: "small", code: "invalid_value", message: "Expected at most 10 bytes of JSON in UTF-8" },
      { field: "shallow", code: "invalid_value", message: "Expected at most 64 levels of objects and arrays" }
    ])
    expect(JsonSize.expected(10)).toBe("Expected at most 10 bytes of JSON in UTF-8")
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
    expect(isShallow({ text: "a", nothing: null, inner: nested(63) })).toBe(true)
    expect(isShallow({ first: 1, second: nested(64) })).toBe(false)
    expect(isShallow({ list: [nested(62)] })).toBe(true)
    expect(isShallow({ list: [nested(63)] })).toBe(false)
  })
})

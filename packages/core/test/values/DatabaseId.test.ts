import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"

describe("DatabaseId", () => {
  it("a database id is a whole number from 1", () => {
    expect([1, Number.MAX_SAFE_INTEGER].map(Schema.is(DatabaseId.DatabaseId))).toEqual([true, true])
    expect([0, -1, 1.5].map(Schema.is(DatabaseId.DatabaseId))).toEqual([false, false, false])
  })

  it("a database id in a URL has at most 16 digits (D-HTTP-8)", () => {
    expect(["1".repeat(16), "1".repeat(17)].map((text) => DatabaseId.form.test(text))).toEqual([true, false])
  })
})

describe("DatabaseId.parse", () => {
  it.each([
    ["1", 1],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["9007199254740992", undefined],
    ["12345678901234567", undefined],
    ["0", undefined],
    ["01", undefined],
    ["-1", undefined],
    ["1.0", undefined],
    ["1e3", undefined],
    [" 1", undefined],
    ["", undefined]
  ])("parse(%j) returns %s", (text, id) => {
    expect(DatabaseId.parse(text)).toBe(id)
  })
})

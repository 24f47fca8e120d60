import { describe, expect, it } from "@effect/vitest"
import * as DatabaseId from "@frontdesk/core/values/DatabaseId"

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

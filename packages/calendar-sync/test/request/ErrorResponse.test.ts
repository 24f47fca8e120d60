import { describe, expect, it } from "@effect/vitest"
import { reasonOf, retryAfterMillis } from "../../src/request/ErrorResponse.ts"

describe("reasonOf", () => {
  it.each([
    [301, "invalid"],
    [400, "invalid"],
    [401, "unauthorized"],
    [403, "unauthorized"],
    [404, "gone"],
    [405, "invalid"],
    [408, "transport"],
    [409, "conflict"],
    [410, "gone"],
    [412, "conflict"],
    [422, "invalid"],
    [423, "conflict"],
    [429, "rate_limited"],
    [500, "transport"],
    [501, "invalid"],
    [503, "transport"]
  ] as const)("status %i has the reason %s", (status, reason) => {
    expect(reasonOf(status)).toBe(reason)
  })
})

describe("Retry-After", () => {
  const now = Date.parse("2026-03-02T09:00:00Z")

  it.each([
    ["7", 7_000],
    [" 0 ", 0],
    ["Mon, 02 Mar 2026 09:00:30 GMT", 30_000],
    ["Mon, 02 Mar 2026 08:00:00 GMT", 0],
    ["soon", null],
    ["-7", null],
    ["1.5", null],
    ["2026-03-02", null],
    [undefined, null]
  ])("the header %j is %s milliseconds", (header, millis) => {
    expect(retryAfterMillis(header, now)).toBe(millis)
  })
})

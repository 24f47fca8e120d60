import { baseOf, withoutBase } from "@frontdesk/core/values/BasePath"
import { describe, expect, it } from "vitest"

describe("BasePath.baseOf", () => {
  it.each([
    ["https://example.com", "https://example.com"],
    ["https://example.com/", "https://example.com"],
    ["https://example.com/voice//?a=b#c", "https://example.com/voice"],
    ["http://example.com:8787/a/b", "http://example.com:8787/a/b"]
  ])("baseOf(%s) returns %s", (url, base) => {
    expect(baseOf(new URL(url))).toBe(base)
  })
})

describe("BasePath.withoutBase", () => {
  it.each([
    ["", "/api/v1?a=b", "/api/v1?a=b"],
    ["/voice", "/voice/api/v1?a=b", "/api/v1?a=b"],
    ["/voice", "/api/v1", "/api/v1"],
    ["/voice", "/voicemail/api", "/voicemail/api"],
    ["/voice", "/voice", "/voice"],
    ["/voice", "/voice/voice/api", "/voice/api"]
  ])("withoutBase(%j, %j) returns %j", (basePath, url, expected) => {
    expect(withoutBase(basePath, url)).toBe(expected)
  })
})

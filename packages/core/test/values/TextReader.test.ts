import { accepting, matching, readable } from "@frontdesk/core/values/TextReader"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

describe("TextReader", () => {
  it("matching returns a matching text unchanged, and fails with what was expected for any other", () => {
    const reader = matching("digits", /^\d+$/)
    expect(reader("42")).toEqual(Result.succeed("42"))
    expect(reader("x")).toEqual(Result.fail("digits"))
  })

  it("accepting returns a text that parse accepts unchanged, and fails when parse returns undefined", () => {
    const reader = accepting("a number", (text) => (text === "one" ? 1 : undefined))
    expect(reader("one")).toEqual(Result.succeed("one"))
    expect(reader("two")).toEqual(Result.fail("a number"))
  })

  it("accepting accepts a text that parse reads as null, 0 or an empty text", () => {
    for (const value of [null, 0, ""]) expect(accepting("a value", () => value)("x")).toEqual(Result.succeed("x"))
  })

  it("the error of readable names what was expected and does not contain the text", () => {
    const decode = Schema.decodeUnknownResult(readable(matching("digits", /^\d+$/)))
    expect(decode("42")).toEqual(Result.succeed("42"))
    const message = String(Result.getOrThrow(Result.flip(decode("hunter2"))))
    expect(message).toContain("Expected digits")
    expect(message).not.toContain("hunter2")
  })
})

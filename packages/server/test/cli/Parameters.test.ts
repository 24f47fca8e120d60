import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { amount, instant } from "frontdesk/cli/Parameters"

describe("the reader of times", () => {
  it.each([
    ["2026-12-31T08:00:00Z", "2026-12-31T08:00:00.000Z"],
    ["2026-12-31T08:00:00.123456Z", "2026-12-31T08:00:00.123Z"],
    ["2026-12-31T00:30:00+02:00", "2026-12-30T22:30:00.000Z"],
    ["2028-02-29T00:00:00-00:30", "2028-02-29T00:30:00.000Z"]
  ])("reads %s as %s", (text, iso) => {
    expect(Result.map(instant(text), DateTime.formatIso)).toEqual(Result.succeed(iso))
  })

  it.each([
    "foo 1",
    "12",
    "2026",
    "2026-12-31",
    "2026-12-31T08:00:00",
    "2026-12-31T08:00Z",
    "2026-12-31 08:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-12-31T24:00:00Z",
    "2026-12-31T08:00:60Z",
    "2026-12-31T08:00:00+24:00",
    "2026-12-31T08:00:00 GMT",
    ""
  ])("rejects %j", (text) => {
    expect(Result.isFailure(instant(text))).toBe(true)
  })
})

describe("the reader of amounts", () => {
  it.each([
    ["99999999999999999999", "an amount of at most 1000000000"],
    ["0.0000001", "an amount with at most six decimals"],
    ["0", "an amount above zero"]
  ])("rejects %s, because it expects %s", (text, expected) => {
    expect(amount(text)).toEqual(Result.fail(expected))
  })
})

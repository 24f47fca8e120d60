import { describe, expect, it } from "@effect/vitest"
import { KeyDigest } from "@frontdesk/core/access/ApiKey"
import { ApiKeyText, CreateApiKey, RotateApiKey } from "@frontdesk/core/access/ApiKeyInput"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

describe("ApiKeyInput", () => {
  it.each([
    ["32 characters", true, "x".repeat(32)],
    ["31 characters", false, "x".repeat(31)],
    ["255 characters", true, "x".repeat(255)],
    ["256 characters", false, "x".repeat(256)],
    ["the first and last visible ASCII characters", true, "!~".repeat(16)],
    ["a space at its start", false, ` ${"x".repeat(32)}`],
    ["a line break at its end", false, `${"x".repeat(32)}\n`],
    ["a letter beyond ASCII", false, `${"x".repeat(32)}é`]
  ])("a value of a key with %s is accepted: %s (D-SETUP-2)", (_, isAccepted, value) => {
    expect(Schema.is(ApiKeyText)(value)).toBe(isAccepted)
  })

  it("the name of a key has 1 to 200 characters and is not blank", () => {
    const isKey = Schema.is(Schema.toType(CreateApiKey))
    const accepts = (name: string) => isKey({ accountId: 1, name, permissions: [] })
    expect(["x", "x".repeat(200)].map(accepts)).toEqual([true, true])
    expect(["", " ", "x".repeat(201)].map(accepts)).toEqual([false, false, false])
  })

  it("the grace time of a rotation is 0 to 100 years, so that its end is a valid time (D-KEY-7)", () => {
    const isRotation = Schema.is(Schema.toType(RotateApiKey))
    const accepts = (grace: Duration.Duration) => isRotation({ grace })
    const longest = Duration.days(36_500)
    expect([Duration.zero, longest].map(accepts)).toEqual([true, true])
    expect([Duration.millis(-1), Duration.sum(longest, Duration.millis(1)), Duration.infinity].map(accepts)).toEqual([
      false,
      false,
      false
    ])
  })
})

describe("KeyDigest", () => {
  const digest = "0123456789abcdef".repeat(4)

  it.each([
    ["64 hexadecimal digits", true, digest],
    ["a digit more at its start", false, `0${digest}`],
    ["a digit more at its end", false, `${digest}0`],
    ["a digit less", false, digest.slice(1)],
    ["capital letters", false, digest.toUpperCase()]
  ])("a text with %s is a digest: %s", (_, isDigest, text) => {
    expect(Schema.is(KeyDigest)(text)).toBe(isDigest)
  })
})

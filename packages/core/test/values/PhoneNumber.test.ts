import { describe, expect, it } from "@effect/vitest"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Schema from "effect/Schema"

const isPhoneNumber = Schema.is(PhoneNumber)

describe("PhoneNumber", () => {
  it.each(["+12025550123", "+1234567", "+123456789012345"])("%s is in E.164 form (D-CALL-2)", (text) => {
    expect(isPhoneNumber(text)).toBe(true)
  })

  it.each([
    ["6 digits", "+123456"],
    ["16 digits", "+1234567890123456"],
    ["a 0 after the plus", "+01234567"],
    ["no plus", "12025550123"],
    ["a text before it", "x+12025550123"],
    ["a text after it", "+12025550123x"],
    ["spaces", "+1 202 555 0123"],
    ["digits of another script", "+१२०२५५५०१२३"]
  ])("a number with %s is rejected (D-CALL-2)", (_, text) => {
    expect(isPhoneNumber(text)).toBe(false)
  })
})

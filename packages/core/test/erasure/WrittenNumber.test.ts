import { isWritingOf } from "@frontdesk/core/erasure/WrittenNumber"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { describe, expect, it } from "vitest"

const number = (text: string) => PhoneNumber.make(text)

describe("isWritingOf (D-ERASE-9)", () => {
  it.each([
    ["+12025550101", "+1 (202) 555-0101"],
    ["+12025550101", "202.555.0101"],
    ["+12025550101", "1-202-555-0101"],
    ["+12025550101", "(202) 555-0101 ext. 7"],
    ["+12025550101", "mobile: 202 555 0101"],
    ["+4930123456", "+49 (0)30 123456"],
    ["+4930123456", "0049 30 / 123456"],
    ["+4930123456", "030/123456"],
    ["+390612345678", "06 1234 5678"],
    ["+79161234567", "8 (916) 123-45-67"],
    ["+35312345678", "01 234 5678"]
  ])("%s is meant by %s", (one, text) => {
    expect(isWritingOf(number(one), text)).toBe(true)
  })

  it.each([
    ["+12025550101", "202 555 0102"],
    ["+12025550101", "5550101"],
    ["+12025550101", "2555 0101"],
    ["+12025550101", "+44 202 555 0101"],
    ["+12025550101", "ask for 2025 forms"],
    ["+4930123456", "+43 30 123456"],
    ["+4930123456", ""]
  ])("%s is not meant by %s", (one, text) => {
    expect(isWritingOf(number(one), text)).toBe(false)
  })
})

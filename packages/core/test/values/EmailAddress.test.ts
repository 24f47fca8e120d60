import { describe, expect, it } from "vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import { EmailAddress, EmailAddressOrEmpty, isSame, isSameMailbox } from "@frontdesk/core/values/EmailAddress"

describe("EmailAddress", () => {
  const isAddress = Schema.is(EmailAddress)
  const label = "x".repeat(63)

  it.each(["a@b.de", `${"x".repeat(64)}@example.com`, `a@${label}.com`, `a@example.${label}`, "jö@münchen.de"])(
    "%s is an address",
    (text) => {
      expect(isAddress(text)).toBe(true)
    }
  )

  it.each([
    "@example.com",
    `${"x".repeat(65)}@example.com`,
    `a@${label}x.com`,
    `a@example.${label}x`,
    "a@example.c",
    "a@example",
    "a b@example.com",
    "Jo <jo@example.com>",
    "a@b@example.com"
  ])("%s is not an address", (text) => {
    expect(isAddress(text)).toBe(false)
  })

  it("the problem of an invalid address gives an example", () => {
    const decoded = Schema.decodeUnknownResult(EmailAddress)("jo")
    expect(FieldProblems.fromIssue(Result.getOrThrow(Result.flip(decoded)).issue)).toMatchObject([
      { message: "Expected an e-mail address, for example jo@example.com" }
    ])
  })

  it("an address has at most 254 characters", () => {
    const address = (length: number) => `a@${`${"x".repeat(50)}.`.repeat(4)}${"x".repeat(length - 206)}`
    expect([254, 255].map((length) => isAddress(address(length)))).toEqual([true, false])
  })
})

describe("EmailAddress.isSameMailbox and isSame", () => {
  it.each([
    ["jo@münchen.de", "jo@xn--mnchen-3ya.de"],
    ["Jo@MÜNCHEN.de", "jo@xn--mnchen-3ya.DE"],
    ["jo@mu\u0308nchen.de", "jo@münchen.de"],
    ["JÖ@example.com", "jö@example.com"],
    ["jo@exa mple.de", "JO@exa mple.de"],
    ["jo@ü mple.de", "JO@Ü mple.de"],
    ["", ""],
    ["jo@example.com", "JO@Example.com"]
  ])("%s and %s are the same mailbox", (a, b) => {
    expect(isSameMailbox(a, b)).toBe(true)
    expect(isSameMailbox(b, a)).toBe(true)
  })

  it.each([
    ["jo@münchen.de", "jo@munchen.de"],
    ["jö@example.com", "jo@example.com"],
    ["jo@1.12", "jo@1.0.0.12"],
    ["jo@example.com", ""],
    ["jo@ü mple.de", "jo@ü mple.com"],
    ["ß@münchen.de", "ss@xn--mnchen-3ya.de"],
    ["example.com", "jo@example.com"],
    ["jo@münchen.de", "ann@xn--mnchen-3ya.de"],
    ["ajo@münchen.de", "bjo@xn--mnchen-3ya.de"]
  ])("%s and %s are different mailboxes", (a, b) => {
    expect(isSameMailbox(a, b)).toBe(false)
  })

  it("isSame ignores case, and distinguishes two ways to write a domain (D-CAL-8)", () => {
    expect(isSame("jo@münchen.de", "jo@xn--mnchen-3ya.de")).toBe(false)
    expect(isSame("Jo@Example.com", "jO@example.COM")).toBe(true)
  })
})

describe("EmailAddressOrEmpty", () => {
  it.each([
    ["", true],
    ["jo@münchen.de", true],
    [" ", false],
    ["jo", false],
    [`a@${`${"x".repeat(50)}.`.repeat(4)}${"x".repeat(49)}`, false]
  ])("%j is accepted: %j", (text, isAccepted) => {
    expect(Schema.is(EmailAddressOrEmpty)(text)).toBe(isAccepted)
  })
})

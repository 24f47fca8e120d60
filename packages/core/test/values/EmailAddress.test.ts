import { describe, expect, it } from "vitest"
import { isSame, isSameMailbox } from "../../src/values/EmailAddress.ts"

describe("EmailAddress.isSameMailbox", () => {
  it.each([
    ["jo@münchen.de", "jo@xn--mnchen-3ya.de"],
    ["Jo@MÜNCHEN.de", "jo@xn--mnchen-3ya.DE"],
    ["jo@mu\u0308nchen.de", "jo@münchen.de"],
    ["jo@example.com", "JO@Example.com"]
  ])("%s and %s are one mailbox", (a, b) => {
    expect(isSameMailbox(a, b)).toBe(true)
    expect(isSameMailbox(b, a)).toBe(true)
  })

  it.each([
    ["jo@münchen.de", "jo@munchen.de"],
    ["jö@example.com", "jo@example.com"],
    ["jo@1.12", "jo@1.0.0.12"],
    ["jo@example.com", ""],
    ["jo@münchen.de", "ann@xn--mnchen-3ya.de"]
  ])("%s and %s are two mailboxes", (a, b) => {
    expect(isSameMailbox(a, b)).toBe(false)
  })

  it("a search by address compares the written address", () => {
    expect(isSame("jo@münchen.de", "jo@xn--mnchen-3ya.de")).toBe(false)
  })
})

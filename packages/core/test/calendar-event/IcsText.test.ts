import { describe, expect, it } from "@effect/vitest"
import * as IcsText from "@frontdesk/core/calendar-event/IcsText"
import * as DateTime from "effect/DateTime"

describe("IcsText", () => {
  it.each([
    ["1 octet", "\u007f", 1],
    ["2 octets, the first", "\u0080", 2],
    ["2 octets, the last", "\u07ff", 2],
    ["3 octets, the first", "\u0800", 3],
    ["3 octets, the last", "\uffff", 3],
    ["4 octets", "\u{10000}", 4]
  ])(
    "a character of %s ends a line of 75 octets, and begins the next line when it would exceed them",
    (_, last, size) => {
      const fits = "x".repeat(75 - size) + last
      expect(IcsText.contentLine(fits)).toBe(`${fits}\r\n`)
      expect(IcsText.contentLine(`x${fits}`)).toBe(`x${"x".repeat(75 - size)}\r\n ${last}\r\n`)
    }
  )

  it("the space at the start of a continued line counts as an octet (RFC 5545 3.1)", () => {
    expect(IcsText.contentLine("x".repeat(150))).toBe(`${"x".repeat(75)}\r\n ${"x".repeat(74)}\r\n x\r\n`)
  })

  it.each([
    ["https://example.com/a?b=c", true],
    ["a+b.c-1:x", true],
    ["1a:x", false],
    ["see https://example.com", false],
    ["https://example.com/a b", false],
    ["https://example.com/<a>", false],
    ["https:", false],
    ["example.com", false]
  ])("the text %j is a URI: %s", (text, isUri) => {
    expect(IcsText.uri(text)).toBe(isUri ? text : "")
  })

  it("an instant is written in UTC without parts of a second (RFC 5545 3.3.5)", () => {
    expect(IcsText.dateTime(DateTime.makeUnsafe("2026-03-08T13:00:00.999Z"))).toBe("20260308T130000Z")
  })
})

import { describe, expect, it } from "@effect/vitest"
import * as Text from "@frontdesk/core/values/Text"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { codePoint } from "@frontdesk/testing/arbitrary/text"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

describe("Text", () => {
  it.each([
    ["", true],
    ["ten chars.", true],
    ["eleven char", false],
    ["\u{1F600}".repeat(5), true],
    ["\u{1F600}".repeat(6), false],
    ["a\0b", false],
    ["\ud83d", false],
    ["\ude00\ud83d", false]
  ])("upTo(10) accepts %j: %s", (text, expected) => {
    expect(Schema.is(Text.upTo(10))(text)).toBe(expected)
  })

  it.each(["", " ", "\t\n", "\u00a0\u2003"])("filled rejects %j, because it is blank", (text) => {
    expect(Schema.is(Text.filled(10))(text)).toBe(false)
  })

  it("upTo rejects a text that UTF-8 changes, or that has U+0000 (D-VAL-6)", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 })
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes)
        const isStorable = !codes.includes(0) && Utf8.decode(Utf8.encode(text)) === text
        expect(Schema.is(Text.upTo(10))(text)).toBe(isStorable)
      })
    )
  })

  it.each([
    ["οδοσ", "ΟΔΟΣ"],
    ["οδος", "ΟΔΟΣ"],
    ["STRASSE", "Straße"],
    ["STRAẞE", "strasse"],
    ["ZOE\u0308", "zo\u00eb"],
    ["ﬁnance", "FINANCE"],
    ["Ａｃｍｅ", "acme"],
    ["ISTANBUL", "istanbul"],
    ["ᾳ", "ΑΙ"]
  ])("%s and %s have the same search form", (one, other) => {
    expect(Text.searchForm(one)).toBe(Text.searchForm(other))
  })

  it("the search form is in lower case and composed (NFKC)", () => {
    expect(Text.searchForm("Straße ΟΔΟΣ")).toBe("strasse οδοσ")
    expect(Text.searchForm("\u3392")).toBe("mhz")
    expect(Text.searchForm("\u0390")).toBe("\u0390")
  })

  it("letters with and without a mark have different search forms (D-STO-4)", () => {
    expect(Text.searchForm("zoë")).not.toBe(Text.searchForm("zoe"))
  })

  it("law: a lower-cased, composed text has the same search form as the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const lowerCased = text.normalize("NFC").toLowerCase().normalize("NFC")
        expect(Text.searchForm(lowerCased)).toBe(Text.searchForm(text))
      }),
      { numRuns: 2_000 }
    )
  })

  it.each([
    ["too long", "abcd", "Expected a value with a length between 1 and 3"],
    ["with U+0000", "a\0", "Expected text without U+0000 and without halves of surrogate pairs"],
    ["that is blank", "  ", "Expected text that is not blank"]
  ])("the problem of a text %s says what is expected", (_, text, message) => {
    const decoded = Schema.decodeUnknownResult(Text.filled(3))(text)
    expect(FieldProblems.fromIssue(Result.getOrThrow(Result.flip(decoded)).issue)).toMatchObject([{ message }])
  })

  it("the JSON Schema of a text has its lengths and says which characters it rejects", () => {
    const document = JSON.stringify(Schema.toJsonSchemaDocument(Text.between(1, 3)))
    expect(document).toContain('"minLength":1')
    expect(document).toContain('"maxLength":3')
    expect(document).toContain("text without U+0000 and without halves of surrogate pairs")
  })

  it("filled accepts one character, and searched accepts 1 to 254 characters", () => {
    expect(Schema.is(Text.filled(10))("a")).toBe(true)
    const isSearched = Schema.is(Text.searched)
    expect(["", "a", "x".repeat(254), "x".repeat(255)].map(isSearched)).toEqual([false, true, true, false])
  })

  it("isSame ignores how a letter is composed, and distinguishes upper and lower case", () => {
    expect(Text.isSame("zo\u00eb", "zoe\u0308")).toBe(true)
    expect(Text.isSame("zoe\u0308", "zo\u00eb")).toBe(true)
    expect(Text.isSame("zo\u00eb", "ZO\u00cb")).toBe(false)
    expect(Text.isSame("zo\u00eb", "zoe")).toBe(false)
  })

  it("forms returns the text, its composed and its decomposed form, without repeats", () => {
    expect(Text.forms("plain")).toEqual(["plain"])
    expect(Text.forms("\u00eb")).toEqual(["\u00eb", "e\u0308"])
    // The first letter is composed, the second is decomposed, so all three forms differ.
    expect(Text.forms("\u00ebe\u0308")).toEqual(["\u00ebe\u0308", "\u00eb\u00eb", "e\u0308e\u0308"])
  })

  it("oneLine removes line breaks, control characters, direction marks, and white space at both ends", () => {
    expect(Text.oneLine(" a\r\n\tb\u2028c\u0007d\u202ee\u2066f\ud83d ")).toBe("a b c def\ufffd")
  })
})

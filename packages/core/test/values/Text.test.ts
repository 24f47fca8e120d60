import { describe, expect, it } from "@effect/vitest"
import * as Text from "@frontdesk/core/values/Text"
import * as Utf8 from "@frontdesk/core/values/Utf8"
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
  ])("%j is text of at most 10 code units: %s", (text, expected) => {
    expect(Schema.is(Text.upTo(10))(text)).toBe(expected)
  })

  it.each(["", " ", "\t\n", "\u00a0\u2003"])("%j is blank, and refused where text must be filled", (text) => {
    expect(Schema.is(Text.filled(10))(text)).toBe(false)
  })

  it("text that is kept comes back from UTF-8 as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(Utf8.decode(Utf8.encode(text))).toBe(text)
      })
    )
  })

  it("text that UTF-8 would not give back is refused (D-VAL-6)", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 })
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes)
        const isKept = !codes.includes(0) && Utf8.decode(Utf8.encode(text)) === text
        expect(Schema.is(Text.upTo(10))(text)).toBe(isKept)
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
  ])("a search does not tell %s from %s", (one, other) => {
    expect(Text.searchForm(one)).toBe(Text.searchForm(other))
  })

  it("the form of a search is in lower case, composed, and the same for every way to write a letter", () => {
    expect(Text.searchForm("Straße ΟΔΟΣ")).toBe("strasse οδοσ")
    expect(Text.searchForm("\u3392")).toBe("mhz")
    expect(Text.searchForm("\u0390")).toBe("\u0390")
  })

  it("a search tells letters with different marks apart (D-STO-4)", () => {
    expect(Text.searchForm("zoë")).not.toBe(Text.searchForm("zoe"))
  })

  it("law: the form of a search of the former, lower-cased form is the form of the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const former = text.normalize("NFC").toLowerCase().normalize("NFC")
        expect(Text.searchForm(former)).toBe(Text.searchForm(text))
      }),
      { numRuns: 2_000 }
    )
  })

  it("one character is a filled text and a text to look for; the latter has at most 254", () => {
    expect(Schema.is(Text.filled(10))("a")).toBe(true)
    const isSearched = Schema.is(Text.searched)
    expect(["", "a", "x".repeat(254), "x".repeat(255)].map(isSearched)).toEqual([false, true, true, false])
  })

  it("two ways to compose a letter are the same text, upper and lower case are not", () => {
    expect(Text.isSame("zo\u00eb", "zoe\u0308")).toBe(true)
    expect(Text.isSame("zoe\u0308", "zo\u00eb")).toBe(true)
    expect(Text.isSame("zo\u00eb", "ZO\u00cb")).toBe(false)
    expect(Text.isSame("zo\u00eb", "zoe")).toBe(false)
  })

  it("the forms of a text are itself, composed and decomposed, each once", () => {
    expect(Text.forms("plain")).toEqual(["plain"])
    expect(Text.forms("\u00eb")).toEqual(["\u00eb", "e\u0308"])
    // Neither composed nor decomposed: the first letter is the one, the second the other.
    expect(Text.forms("\u00ebe\u0308")).toEqual(["\u00ebe\u0308", "\u00eb\u00eb", "e\u0308e\u0308"])
  })

  it("a text on one line has no line break, control character or mark of direction, and no space at its ends", () => {
    expect(Text.oneLine(" a\r\n\tb\u2028c\u0007d\u202ee\u2066f\ud83d ")).toBe("a b c def\ufffd")
  })

  it("bytes that are not UTF-8 are no text, and a byte order mark is part of it", () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      expect(Utf8.decode(Uint8Array.from(bytes))).toBeNull()
    }
    expect(Utf8.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa")
  })
})

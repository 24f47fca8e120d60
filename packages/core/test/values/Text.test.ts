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

  it("text that UTF-8 would not give back is refused", () => {
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

  it("a search tells letters with different marks apart", () => {
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

  it("bytes that are not UTF-8 are no text, and a byte order mark is part of it", () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      expect(Utf8.decode(Uint8Array.from(bytes))).toBeNull()
    }
    expect(Utf8.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa")
  })
})

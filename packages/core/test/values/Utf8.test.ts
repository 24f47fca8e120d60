import * as Utf8 from "@frontdesk/core/values/Utf8"
import { codePoint } from "@frontdesk/testing/arbitrary/text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("Utf8.prefix", () => {
  it("prefix does not cut a character in two", () => {
    expect([3, 4, 5, 6, 7, 8].map((bytes) => Utf8.prefix("aü😀b", bytes))).toEqual([
      "aü",
      "aü",
      "aü",
      "aü",
      "aü😀",
      "aü😀b"
    ])
    expect(Utf8.prefix("😀", 0)).toBe("")
  })

  it("prefix returns a short enough text unchanged, also with half a surrogate pair", () => {
    expect(Utf8.prefix("a\ud83d", 4)).toBe("a\ud83d")
  })

  it("prefix returns the longest beginning of the text within the maximum", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.nat({ max: 40 }), (text, maxBytes) => {
        const prefix = Utf8.prefix(text, maxBytes)
        expect(text.startsWith(prefix)).toBe(true)
        expect(Utf8.encode(prefix).length).toBeLessThanOrEqual(maxBytes)
        const [next] = text.slice(prefix.length)
        if (next !== undefined) expect(Utf8.encode(prefix + next).length).toBeGreaterThan(maxBytes)
      })
    )
  })
})

describe("Utf8.encode and decode", () => {
  it("a well-formed text that is encoded in UTF-8 and decoded is unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(Utf8.decode(Utf8.encode(text))).toBe(text)
      })
    )
  })

  it("Utf8.decode returns null for bytes that are not UTF-8, and keeps a byte order mark", () => {
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      expect(Utf8.decode(Uint8Array.from(bytes))).toBeNull()
    }
    expect(Utf8.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa")
  })
})

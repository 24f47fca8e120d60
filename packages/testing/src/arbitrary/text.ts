import * as fc from "fast-check"

/**
 * Generates any code point, without halves of surrogate pairs, as the unit of a text. The unit "binary" of fast-check
 * generates the same, and takes two seconds to prepare.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - 0x800 })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800))

import * as DateTime from "effect/DateTime"

/** The most octets of a line, without its CRLF (RFC 5545 3.1). */
export const maxOctets = 75

/**
 * One content line with its CRLF, folded: no line has more than 75 octets, and no character is split (RFC 5545 3.1).
 */
export const contentLine = (line: string): string => {
  let folded = ""
  let octets = 0
  for (const character of line.toWellFormed()) {
    const size = utf8Length(character)
    if (octets + size > maxOctets) {
      folded += "\r\n "
      octets = 1
    }
    folded += character
    octets += size
  }
  return `${folded}\r\n`
}

const utf8Length = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

/**
 * A text with line breaks of every kind as LF, no other control character but TAB (RFC 5545 3.1), and no half
 * character.
 */
export const clean = (value: string): string =>
  value
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "")

/** A TEXT value: escaped, line breaks as `\n`, control characters left out (RFC 5545 3.3.11). */
export const text = (value: string): string =>
  clean(value)
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll("\n", "\\n")

/** A parameter value, quoted and escaped as RFC 6868 says; control characters are left out. */
export const parameter = (value: string): string => {
  const escaped = clean(value).replaceAll("^", "^^").replaceAll('"', "^'").replaceAll("\n", "^n")
  return `"${escaped}"`
}

/** An absolute URI; "" when the value is none or holds what no URI may. */
export const uri = (value: string): string => (/^[a-z][a-z\d+.-]*:[^\s\p{C}<>"]+$/iu.test(value) ? value : "")

/** An instant in UTC, `20260308T130000Z`; parts of a second are cut off (RFC 5545 3.3.5). */
export const dateTime = (instant: DateTime.Utc): string =>
  DateTime.formatIso(instant)
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "")

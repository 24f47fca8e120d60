import * as DateTime from "effect/DateTime"

/** The maximum number of octets of a line, without its CRLF (RFC 5545 3.1). */
export const maxOctets = 75

/**
 * Returns a content line with its CRLF, folded into lines of at most {@link maxOctets} octets. No character is split
 * (RFC 5545 3.1).
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
 * Returns a text without what iCalendar forbids (RFC 5545 3.1): every kind of line break becomes LF, and control
 * characters except TAB are removed. Half a surrogate pair becomes U+FFFD.
 */
export const clean = (value: string): string =>
  value
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "")

/** Returns a TEXT value: cleaned ({@link clean}) and escaped, with line breaks as `\n` (RFC 5545 3.3.11). */
export const text = (value: string): string =>
  clean(value)
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll("\n", "\\n")

/** Returns a parameter value: cleaned ({@link clean}), quoted, and escaped according to RFC 6868. */
export const parameter = (value: string): string => {
  const escaped = clean(value).replaceAll("^", "^^").replaceAll('"', "^'").replaceAll("\n", "^n")
  return `"${escaped}"`
}

/**
 * Returns a text unchanged when it begins with a scheme and has no white space, control character, `<`, `>` or quotation
 * mark. Returns "" for any other text.
 */
export const uri = (value: string): string => (/^[a-z][a-z\d+.-]*:[^\s\p{C}<>"]+$/iu.test(value) ? value : "")

/** Returns an instant in UTC: `20260308T130000Z`. Parts of a second are dropped (RFC 5545 3.3.5). */
export const dateTime = (instant: DateTime.Utc): string =>
  DateTime.formatIso(instant)
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "")

import { clean, collapseSpace } from "./EventText.ts"

/** Escapes a text for HTML. Line breaks stay as they are. */
export const escaped = (text: string): string =>
  clean(text).replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"))

/** Escapes a text for HTML, with each line break as `<br>`. */
export const fromText = (text: string): string => escaped(text).replaceAll("\n", "<br>\n")

// Each pattern takes linear time, also on a text with many unclosed brackets.
const block = /<\/?(?:br|div|p|li|ul|ol|tr|td|table|h\d)\b[^<>]*>/gi
const tag = /<[a-z!/][^<>]*>/gi
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi

/** Returns the visible text of HTML on one line. */
export const textOf = (html: string): string =>
  collapseSpace(bodyOf(html).replace(block, " ").replace(tag, "").replace(reference, character))

/** Returns the content of the `body` element. Without such an element, returns the whole text. */
const bodyOf = (html: string): string => {
  const start = /<body\b[^<>]*>/i.exec(html)
  const inner = start === null ? html : html.slice(start.index + start[0].length)
  const end = inner.search(/<\/body\s*>/i)
  return end < 0 ? inner : inner.slice(0, end)
}

const named: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "]
])

const character = (whole: string, decimal?: string, hexadecimal?: string, name?: string): string => {
  if (name !== undefined) return named.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? parseInt(hexadecimal ?? "", 16) : Number(decimal)
  return code > 0x10ffff ? whole : String.fromCodePoint(code).toWellFormed()
}

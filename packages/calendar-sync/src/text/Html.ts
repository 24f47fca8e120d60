import { clean, squeezed } from "./EventText.ts"

/** A text as HTML, its line breaks as they are. */
export const escaped = (text: string): string =>
  clean(text).replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"))

/** A text as HTML that shows its line breaks. */
export const fromText = (text: string): string => escaped(text).replaceAll("\n", "<br>\n")

// Each pattern passes over the text once, however many brackets are never closed.
const block = /<\/?(?:br|div|p|li|ul|ol|tr|td|table|h\d)\b[^<>]*>/gi
const tag = /<[a-z!/][^<>]*>/gi
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi

/** What a reader sees of HTML, as one line. */
export const textOf = (html: string): string =>
  squeezed(bodyOf(html).replace(block, " ").replace(tag, "").replace(reference, character))

/** What stands in the body, without its tags; all of it when there is no body. */
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

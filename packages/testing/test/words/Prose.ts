import type { Piece } from "./Scanner.ts"

/** Replaces each piece of code in a text by one word, so that its words and its length do not count. */
const withoutCode = (text: string): string =>
  text
    .replaceAll(/``[^]*?``|`[^`]*`/g, "CODE")
    .replaceAll(/\{@link [^}]*\}/g, "CODE")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/<https?:[^>]*>|https?:\S+/g, "CODE")

const fence = /^\s*(?:```|~~~)/
const heading = /^#{1,6} /
/** Matches a line that begins a new text: a heading, a list item, a quotation, a tag of a doc comment. */
const begins = /^\s*(?:#{1,6} |[-*+] |\d+\. |> |@\w)/

/**
 * Returns the texts of a Markdown page or of a comment without code: paragraphs, list items, headings and table cells, each
 * with the line on which it begins.
 */
export const texts = ({ line: first, text: page }: Piece): ReadonlyArray<Piece> => {
  const found: Array<Piece> = []
  let open: { line: number; lines: Array<string> } | null = null
  let isCode = false
  const close = (): void => {
    if (open !== null) found.push({ line: open.line, text: withoutCode(open.lines.join("\n")) })
    open = null
  }
  for (const [index, content] of page.split("\n").entries()) {
    const line = first + index
    if (fence.test(content)) {
      close()
      isCode = !isCode
    } else if (isCode || /^\s*(?:<!--|\|?[\s|:-]*$)/.test(content)) close()
    else if (/^\s*\|/.test(content)) {
      close()
      const cells = withoutCode(content).split("|")
      found.push(...cells.filter((cell) => cell.trim() !== "").map((text) => ({ line, text })))
    } else {
      if (begins.test(content)) close()
      open ??= { line, lines: [] }
      open.lines.push(content.replace(begins, ""))
      if (heading.test(content)) close()
    }
  }
  close()
  return found
}

/** Returns the sentences of a text, each with the line on which it begins. */
export const sentences = ({ line, text }: Piece): ReadonlyArray<Piece> => {
  const found: Array<Piece> = []
  let from = 0
  for (const end of text.matchAll(/[.!?:]+["')\]]*(?=\s|$)|$/g)) {
    const to = end.index + end[0].length
    const sentence = text.slice(from, to)
    const lead = /^\s*/.exec(sentence)?.[0] ?? ""
    if (sentence.trim() !== "") {
      found.push({
        line: line + text.slice(0, from).split("\n").length - 1 + lead.split("\n").length - 1,
        text: sentence
      })
    }
    from = to
  }
  return found
}

/** Returns the number of words of a sentence. */
export const countWords = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length

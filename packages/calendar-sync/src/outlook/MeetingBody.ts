/**
 * The body of an event to which somebody has added a Teams meeting. Outlook puts the way into it, the "meeting blob",
 * below the text, behind a line of underscores; without it the meeting is no online meeting any more (Graph, "Update
 * event").
 */

const separator = /_{20,}/

/** The HTML of a text that has no such line of its own; only as HTML it is what will stand in the body. */
export const withoutSeparator = (html: string): string => html.replace(/_{20,}/g, "_".repeat(19))

const bodyTag = /<body\b[^<>]*>/i

// Elements that have no end tag, and so enclose nothing.
const empty = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"])

/** The part of a body that Frontdesk wrote. */
export const own = (html: string): string => {
  const at = html.search(separator)
  return at < 0 ? html : html.slice(0, at)
}

/** The body with another text in the place of what Frontdesk wrote, and all of the meeting. */
export const replaceOwn = (html: string, text: string): string => {
  const at = html.search(separator)
  if (at < 0) return text
  const body = bodyTag.exec(html)
  const start = body === null ? 0 : body.index + body[0].length
  return `${html.slice(0, start)}${text}${openIn(html.slice(start, at)).join("")}${html.slice(at)}`
}

/** The start tags of the elements that are open where this ends, the outermost first. */
const openIn = (html: string): ReadonlyArray<string> => {
  const open: Array<{ readonly name: string; readonly tag: string }> = []
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z\d]*)\b[^<>]*>/gi)) {
    const lower = name.toLowerCase()
    if (empty.has(lower) || tag.endsWith("/>")) continue
    if (slash === "") open.push({ name: lower, tag })
    else if (open.some((element) => element.name === lower)) {
      while (open.pop()?.name !== lower);
    }
  }
  return open.map(({ tag }) => tag)
}

// The body of an event to which a person has added a Teams meeting has two parts. The first is the text. The second, after a
// line of underscores, is the "meeting blob" with the link to the meeting. An update that removes the second part turns the
// meeting into an event without a meeting (Graph, "Update event").

const separator = /_{20,}/

/** Shortens long runs of underscores in HTML, so that Frontdesk's own text never contains the separator. */
export const withoutSeparator = (html: string): string => html.replace(/_{20,}/g, "_".repeat(19))

const bodyTag = /<body\b[^<>]*>/i

// Elements without an end tag.
const empty = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"])

/** Returns the part of a body that Frontdesk wrote: everything before the separator. */
export const own = (html: string): string => {
  const at = html.search(separator)
  return at < 0 ? html : html.slice(0, at)
}

/** Replaces the part of a body that Frontdesk wrote. The part with the meeting stays as it is. */
export const replaceOwn = (html: string, text: string): string => {
  const at = html.search(separator)
  if (at < 0) return text
  const body = bodyTag.exec(html)
  const start = body === null ? 0 : body.index + body[0].length
  return `${html.slice(0, start)}${text}${openIn(html.slice(start, at)).join("")}${html.slice(at)}`
}

/** Returns the start tags of the elements that are open at the end of the text, the outermost first. */
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
